import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from '../../../src/api/client.ts';
import { SyncEngine } from '../../../src/library/sync/syncEngine.ts';
import { localLibrary } from '../../unit/library/support/localLibrary.ts';
import { openInMemory } from '../../unit/library/support/stores.ts';
import { endDemos, readingNames, startDemo } from './demos.ts';

const settled = 901_000;

function syncOf(client: Client) {
  const store = openInMemory(Date.now);
  const engine = new SyncEngine({
    library: localLibrary(store),
    path: randomUUID(),
    source: client,
    requestsPerSecond: () => 9,
    fullWalkDays: () => 0,
  });
  return { store, engine };
}

describe('what is new in a library', function () {
  this.timeout(60_000);
  afterEach(endDemos);

  for (const readings of readingNames) {
    it(`names both keys of a renamed report, and is read on page by page (${readings})`, async () => {
      const { demo, client } = await startDemo({ readings });
      const { store, engine } = syncOf(client);
      await engine.sync();
      assert.deepEqual(store.changes({ limit: 10 }), [], 'a first load is no news');

      const [first, ...others] = store.reports({}, { limit: 20 }).items;
      assert.ok(first);
      const key = `${first.report_key}_NEW`;
      demo.control.catalog.renameReport(first.report_id, key);
      for (const { report_id } of others) demo.control.catalog.change(report_id, { report_title: `New ${report_id}` });
      demo.control.advance(settled);
      await engine.sync();

      const renamed = store.changes({ limit: 30 }).find(({ report_id }) => report_id === first.report_id);
      assert.deepEqual(renamed?.renamed, { from: first.report_key, to: key });
      assert.equal(store.report(first.report_key)?.report.report_id, first.report_id, 'the old key leads there');

      const pages: number[][] = [];
      for (let before: number | undefined; ; ) {
        const page = store.changes({ before, limit: 7 });
        if (page.length === 0) break;
        pages.push(page.map(({ seq }) => seq));
        before = page.at(-1)?.seq;
      }
      const seqs = pages.flat();
      assert.deepEqual(
        pages.map(({ length }) => length),
        [7, 7, 6],
      );
      assert.deepEqual(
        seqs,
        [...new Set(seqs)].sort((a, b) => b - a),
        'each once, newest first',
      );
      store.close();
    });
  }
});
