import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SyncApi } from '../../../src/app/app.ts';
import type { SyncState } from '../../../src/editor/common/syncState.ts';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo } from '../../support/demo/testDemo.ts';
import { answerNotifications, type Question } from '../../support/editor/answers.ts';
import { activated } from '../../support/editor/demo.ts';
import { smallCatalog } from '../../support/editor/smallCatalog.ts';
import { syncNow } from '../../support/editor/sync.ts';
import { settledTree } from '../../support/editor/treeText.ts';

/** A license so large that its first load is worth a question. */
const large = (body: unknown) => ({ ...(body as object), watchlist_size: 40_000 });

/** The first state of the library that fits, from now on. */
function nextState(sync: SyncApi, fits: (state: SyncState) => boolean): Promise<SyncState> {
  return new Promise((resolve) => {
    const subscription = sync.onDidChangeState((state) => {
      if (!fits(state)) return;
      subscription.dispose();
      resolve(state);
    });
  });
}

describe('a large license', () => {
  let handles: TestHandles;
  let demo: TestDemo;
  let person: ReturnType<typeof answerNotifications>;

  /** The first question, as it is put to a person who looks at the Watchlist. */
  async function firstQuestion(): Promise<Question> {
    const { baseUrl, key } = demo;
    handles.services.connect({ id: baseUrl, name: 'Large', baseUrl, key, isDemo: false });
    // A view that is looked at starts the sync.
    await handles.watchlist.getChildren();
    return person.next();
  }

  const loads = () => demo.control.log.to('GET /reports');

  beforeEach(async () => {
    handles = await activated();
    demo = await startTestDemo({
      catalog: smallCatalog(),
      faults: [{ match: { route: 'GET /entitlements' }, action: { kind: 'rewrite', change: large } }],
    });
    person = answerNotifications('showInformationMessage');
    // Asked at noon: between 00:00 and 06:00 UTC there is nothing to wait for.
    handles.sync.now = () => Date.UTC(2026, 0, 2, 12);
  });

  afterEach(async () => {
    person.restore();
    handles.sync.now = Date.now;
    handles.services.connect(null);
    await demo.dispose();
  });

  it('is not loaded before size and time were told; what a person opens is; then all of it when they say so', async () => {
    const first = await firstQuestion();
    assert.match(
      first.text,
      /Your license includes about [\d.,\s]+ reports\. Loading their metadata takes about .* (h|min)/,
    );
    const midnight = Date.UTC(2026, 0, 3);
    const time = new Date(midnight).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' });
    assert.deepEqual(first.buttons, ['Load Now', `Load at ${time}`, 'Cancel']);
    assert.deepEqual(loads(), []);
    const waits = nextState(handles.sync, ({ waitsFor }) => typeof waitsFor === 'number');
    first.answer(`Load at ${time}`);
    assert.equal((await waits).waitsFor, midnight);

    // The companies are there meanwhile, and one that is opened is loaded by itself.
    const companies = await settledTree(handles.watchlist, 3);
    const years = await handles.watchlist.getChildren(companies[1]);
    assert.equal(years.length, 1);
    assert.deepEqual(
      loads().map(({ query }) => new Map(query).get('company_key')),
      ['XTST_BETA'],
    );

    // After that warning the same request is not questioned again.
    await vscode.commands.executeCommand('reportLibrary.sync', true);
    assert.equal((await settledTree(handles.watchlist, 3)).length, 3);
    assert.ok(loads().length > 1);
    assert.deepEqual(await syncNow(), { added: 0, changed: 0, withdrawn: 0, removed: 0 });
  });

  it('is loaded by Sync Now while the question is open', async () => {
    const asked = nextState(handles.sync, ({ waitsFor }) => waitsFor === 'answer');
    await firstQuestion();
    await asked;
    await vscode.commands.executeCommand('reportLibrary.sync', true);
    assert.ok(loads().length > 0);
  });

  it('is not loaded before Sync Now when the question was canceled', async () => {
    const waits = nextState(handles.sync, ({ waitsFor }) => waitsFor === 'sync');
    (await firstQuestion()).answer(undefined);
    await waits;
    await handles.sync.again();
    assert.deepEqual(loads(), []);
    await vscode.commands.executeCommand('reportLibrary.sync', true);
    assert.ok(loads().length > 0);
  });
});
