import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AutoSync, LargeLoad } from '../../../../src/editor/sync/autoSync.ts';

const nothing = { dispose: () => {} };

describe('A large load at a chosen time', () => {
  const before = { ...vscode.window };
  afterEach(() => {
    for (const name of Object.keys(vscode.window)) if (!(name in before)) Reflect.deleteProperty(vscode.window, name);
  });

  it('shows size and time in quiet hours too, where there is no later time to offer', async () => {
    const shown: string[][] = [];
    const showInformationMessage = async (...words: string[]) => shown.push(words) && 'Load Now';
    Object.assign(vscode.window, { showInformationMessage });
    const load = new LargeLoad(() => Date.UTC(2026, 0, 2, 3));
    assert.equal(await load.mayBegin('a', { large: true, reports: 1_000_000, seconds: 600 }, () => {}), true);
    const [[message = '', ...buttons] = []] = shown;
    assert.deepEqual([shown.length, buttons], [1, ['Load Now', 'Cancel']]);
    assert.match(message, /1,000,000 reports.*about 10 min/);
  });

  it('begins when the time has come, however soon that is after the question', async () => {
    let now = new Date(2026, 0, 2, 12).getTime();
    let phase = 'empty';
    const loaded = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<string>();
    const load = new LargeLoad(() => now);
    Object.assign(vscode.window, { showInformationMessage: async (_: string, ...[, later]: string[]) => later });
    const estimate = { large: true, reports: 1_000_000, seconds: 600 };
    assert.equal(await load.mayBegin('a', estimate, () => {}), false);
    const due = load.waitsFor('a');
    assert.ok(typeof due === 'number' && due > now);
    const connection = { id: 'a' };
    const local = {
      connection,
      engine: {
        ...{ onDidProgress: () => nothing, progress: { activity: 'idle' } },
        sync: async () => {
          loaded.resolve();
          return { ran: true, quarantined: 0, question: null };
        },
      },
      library: {
        ...{ onDidChange: () => nothing, onDidOpen: () => nothing },
        syncRecord: async () => ({ phase, syncedAt: null }),
        totals: async () => ({ listed: 1, quarantined: 0 }),
      },
    };
    const session = { kind: 'signedIn', connection };
    const services = { session, onDidChangeSession: () => nothing, library: async () => local };
    const log = { warn: failed.resolve };
    const told = Promise.withResolvers<void>();
    const sync = new AutoSync(services as never, log as never, () => told.resolve(), load);
    sync.start();
    // The first run only tells what is waited for.
    await told.promise;
    await sync.run(false, new AbortController().signal).catch(() => undefined);
    sync.wake();
    phase = 'loaded';
    now = due;
    sync.wake();
    await Promise.race([loaded.promise, failed.promise.then((text) => assert.fail(text))]);
    sync.dispose();
    assert.equal(load.waitsFor('a'), null);
  });
});
