import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import type { Services, Session } from '../../../../src/app/session.ts';
import { ToolDoor } from '../../../../src/editor/tools/door.ts';
import { temporaryDirectory } from '../../library/support/stores.ts';

/** A token, and how it is cancelled. */
function cancellable() {
  const listeners: (() => void)[] = [];
  const onCancellationRequested = (listener: () => void) => {
    listeners.push(listener);
    return { dispose() {} };
  };
  const token = { isCancellationRequested: false, onCancellationRequested } as unknown as vscode.CancellationToken;
  return { token, cancel: () => listeners.forEach((listener) => void listener()) };
}

describe('the door of the editor', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let warnings: string[];
  beforeEach(() => {
    folder = temporaryDirectory();
    warnings = [];
  });
  afterEach(() => folder.remove());

  const doorOf = (services: Partial<Services>) =>
    new ToolDoor({
      services,
      log: { warn: (text: string) => warnings.push(text) },
      extension: {
        extension: { packageJSON: { version: '9.9.9' } },
        extensionPath: '/extensions/report-library-9.9.9',
        globalStorageUri: { fsPath: folder.path },
      },
      downloads: { folders: async () => [] },
    } as unknown as App);

  it('ends a call that is cancelled while a keyring or a library lets it wait', async () => {
    const stuck = new Promise<never>(() => undefined);
    const session = { kind: 'signedIn' } as Session;
    for (const services of [{ ready: () => stuck }, { ready: async () => session, session, library: () => stuck }]) {
      const { token, cancel } = cancellable();
      const called = doorOf(services).invoke('reportlibrary_find_companies', { queries: ['a'] }, token);
      setImmediate(cancel);
      await assert.rejects(called, { name: 'AbortError' });
    }
    const { token, cancel } = cancellable();
    const asked = doorOf({ ready: () => stuck }).prepare('reportlibrary_download_reports', { reports: [1] }, token);
    setImmediate(cancel);
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('leaves the launcher of this version also while nobody is signed in, whole', async () => {
    const tools = join(folder.path, 'tools');
    mkdirSync(tools);
    const name = process.platform === 'win32' ? 'report-library-mcp.cmd' : 'report-library-mcp';
    writeFileSync(join(tools, name), 'of a version before');
    await doorOf({ session: { kind: 'signedOut' } }).follow('changed');
    assert.match(readFileSync(join(tools, name), 'utf8'), /report-library-9\.9\.9/);
    assert.deepEqual([readdirSync(tools), warnings], [[name], []]);
  });
});
