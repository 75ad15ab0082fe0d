import assert from 'node:assert/strict';
import { setImmediate as afterEvents } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { Connections, type ConnectionsContext } from '../../../../src/editor/signin/connections.ts';

const connection = { id: 'a', name: 'Desk', baseUrl: 'https://reports.example.com/api/v2', key: new Secret('key-a') };

describe('connections of a window', () => {
  const { onDidChangeWindowState } = vscode.window;
  let focus: Emitter<{ readonly focused: boolean }>;
  let connections: Connections;
  let stored: unknown;
  let reloads: number;

  beforeEach(() => {
    focus = new Emitter();
    Object.assign(vscode.window, { onDidChangeWindowState: focus.event });
    reloads = 0;
    const session = { kind: 'signedIn', connection: { ...connection, isDemo: false } };
    const services = { session, reload: async () => void reloads++ };
    const store = { read: async () => stored, list: async () => [] };
    connections = new Connections({ services, connections: store } as unknown as ConnectionsContext);
  });

  afterEach(() => {
    connections.dispose();
    Object.assign(vscode.window, { onDidChangeWindowState });
  });

  async function focused(active: unknown): Promise<number> {
    stored = active;
    focus.fire({ focused: true });
    await afterEvents();
    await afterEvents();
    return reloads;
  }

  it('are read again when it gets the focus, and followed where another window changed them', async () => {
    assert.equal(await focused({ kind: 'stored', connection }), 0);
    assert.equal(await focused({ kind: 'lost', name: 'Desk' }), 0);
    assert.equal(await focused({ kind: 'none' }), 1);
    assert.equal(await focused({ kind: 'stored', connection: { ...connection, id: 'b' } }), 2);
    focus.fire({ focused: false });
    await afterEvents();
    assert.equal(reloads, 2);
  });

  it('leave a session alone that was never stored, until something is', async () => {
    stored = { kind: 'none' };
    connections.onSession({ kind: 'signedIn', connection: { ...connection, isDemo: false } });
    await afterEvents();
    assert.equal(await focused({ kind: 'none' }), 0);
    assert.equal(await focused({ kind: 'demo' }), 1);
  });
});
