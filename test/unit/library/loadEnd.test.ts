import assert from 'node:assert/strict';
import { join } from 'node:path';
import { endLoad } from '../../../src/library/sqlite/loadEnd.ts';
import { bring, look, openFile, temporaryDirectory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const parts = 'SELECT count(DISTINCT segid) FROM report_text_idx';
const index = "SELECT count(*) FROM sqlite_schema WHERE name = 'reports_by_filter'";

describe('the end of a first load', () => {
  it('makes the index of filters, then one of the parts of the index of words; answers stay the same', async () => {
    const directory = temporaryDirectory();
    const path = join(directory.path, 'library.db');
    const store = openFile(path);
    const answers = () =>
      ['s', 'sust', 'ener', 'annual rep'].flatMap((text) => [
        store.reportIds({ text }),
        store.reportIds({ text, type: ['SR'] }),
        store.countReports({ type: ['SR'], fcyear: [2021, 2022] }),
      ]);
    try {
      for (let n = 0; n < 60; n++)
        bring(
          store,
          [1, 2, 3, 4].map((k) => report(n * 4 + k, {}, 12)),
        );
      const [before, scattered] = [answers(), Number(look(path, parts)[0]?.[0])];
      assert.ok(scattered > 1, 'a load leaves parts');
      assert.deepEqual([look(path, index), store.owesIndex], [[[0]], true]);
      let merged: unknown = null;
      await endLoad(path, () => {
        assert.deepEqual(look(path, index), [[1]]);
        merged = look(path, parts)[0]?.[0];
        // What waits for the index goes on while words are merged.
        bring(store, [report(1000)]);
      });
      assert.equal(merged, scattered, 'words are merged when nobody waits any more');
      assert.ok(Number(look(path, parts)[0]?.[0]) <= 2);
      assert.equal(store.owesIndex, false);
      assert.equal(store.totals().listed, 241);
      const added = report(1000).report_id;
      const after = answers().map((found) => (Array.isArray(found) ? found.filter((id) => id !== added) : found));
      for (const [at, found] of after.entries()) if (Array.isArray(found)) assert.deepEqual(found, before[at]);
    } finally {
      store.close();
      directory.remove();
    }
  });
});
