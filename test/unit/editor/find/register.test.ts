import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerFind } from '../../../../src/editor/find/register.ts';

const nothing = () => ({ dispose() {} });

describe('what a person opened', () => {
  beforeEach(() => {
    Object.assign(vscode.commands, { registerCommand: nothing });
  });
  afterEach(() => {
    Reflect.deleteProperty(vscode.commands, 'registerCommand');
  });

  it('is kept under the key that a company has now', async () => {
    const stored = new Map<string, unknown>();
    const memory = {
      get: (key: string) => stored.get(key),
      update: async (key: string, value: unknown) => void stored.set(key, value),
    };
    const connection = { id: 'here' };
    const library = { company: async (key: string) => (key === 'UNKNOWN' ? null : { company_key: 'NOW' }) };
    const services = { ready: async () => ({ connection }), library: async () => ({ library, connection }) };
    const [given, context] = [services, { globalState: memory }] as unknown as [
      Parameters<typeof registerFind>[0],
      Parameters<typeof registerFind>[2],
    ];
    const found = registerFind(given, {} as Parameters<typeof registerFind>[1], context, () => {});
    for (const opened of ['FORMER', 7, 'NOW', 'UNKNOWN']) await found.noteOpened(opened);
    assert.deepEqual(stored.get('find.recent.here'), ['UNKNOWN', 'NOW', 7]);
    found.dispose();
  });
});
