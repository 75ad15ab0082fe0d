import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startDemoService } from '../../../src/demo/service.ts';
import { activated } from '../../support/editor/handles.ts';
import { answerNotifications } from '../../support/editor/questions.ts';
import { settledTree } from '../../support/editor/settledTree.ts';
import { smallCatalogue } from '../../support/editor/smallCatalogue.ts';
import { syncNow } from '../../support/editor/sync.ts';

/** A licence so large that its first load is worth a question. */
const large = (body: unknown) => ({ ...(body as object), watchlist_size: 40_000 });

describe('a large licence', () => {
  it('is not loaded before size and time were told; what a person opens is; then all of it when they say so', async () => {
    const handles = await activated();
    const demo = await startDemoService({
      catalogue: smallCatalogue(),
      faults: [{ match: { route: 'GET /entitlements' }, action: { kind: 'rewrite', change: large } }],
    });
    const person = answerNotifications('showInformationMessage');
    const { baseUrl, key, control } = demo;
    // Asked at noon: between 00:00 and 06:00 UTC there is nothing to wait for.
    handles.sync.now = () => Date.UTC(2026, 0, 2, 12);
    try {
      handles.services.connect({ id: 'large', name: 'Large', baseUrl, key, isDemo: false });
      // A view that is looked at starts the sync, as it does for a person.
      await handles.watchlist.getChildren();
      const first = await person.next();
      assert.match(
        first.text,
        /Your licence holds about [\d.,\s]+ reports\. Loading their metadata takes about .* (h|min)/,
      );
      assert.deepEqual(first.buttons, ['Load Now', 'Tonight, 00:00 to 06:00 UTC']);
      assert.deepEqual(control.log.to('GET /reports'), []);
      const waits = new Promise<void>((resolve) => {
        const subscription = handles.sync.onDidChangeState(({ running }) => {
          if (running) return;
          subscription.dispose();
          resolve();
        });
      });
      first.answer('Tonight, 00:00 to 06:00 UTC');
      await waits;

      // The companies are there meanwhile, and one that is opened is loaded by itself.
      const companies = await settledTree(handles.watchlist, 3);
      const years = await handles.watchlist.getChildren(companies[1]);
      assert.equal(years.length, 1);
      assert.deepEqual(
        control.log.to('GET /reports').map(({ query }) => new Map(query).get('company_key')),
        ['XTST_BETA'],
      );

      const second = person.next();
      const loaded = vscode.commands.executeCommand('reportLibrary.sync', true);
      (await second).answer('Load Now');
      await loaded;
      assert.equal((await settledTree(handles.watchlist, 3)).length, 3);
      assert.ok(control.log.to('GET /reports').length > 1);
      assert.deepEqual(await syncNow(), { added: 0, changed: 0, withdrawn: 0, removed: 0 });
    } finally {
      person.restore();
      handles.sync.now = Date.now;
      handles.services.connect(null);
      await demo.dispose();
    }
  });
});
