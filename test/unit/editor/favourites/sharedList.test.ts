import assert from 'node:assert/strict';
import { otherwiseNamed } from '../../../../src/editor/favourites/sharedList.ts';
import { favourite } from '../../../../src/favourites/list.ts';
import { bring, following, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

describe('a list that a team shares', () => {
  const plain = { note: '', tags: [] };

  it('has entries of another service where an id is another report here, and no others', async () => {
    const store = openInMemory();
    following(store);
    const [a, b, c] = [report(1), report(2), report(3)];
    bring(store, [a, b, c]);
    const renamed = { ...c, report_key: 'XTST_LATER_2020_SR' };
    bring(store, [renamed]);
    const library = {
      summaries: async (ids: readonly number[]) => store.summaries(ids),
      report: async (idOrKey: number | string) => store.report(idOrKey),
    };
    const same = favourite(a, plain, a.report_key);
    const swapped = favourite(b, plain, a.report_key);
    const foreign = favourite({ ...b, report_id: a.report_id }, plain, 'XOTH_ELSE_2020_SR');
    const items = [
      ...[same, swapped, foreign],
      // Renamed since, without a key, not known here, a company.
      ...[favourite(c, plain, c.report_key), favourite(a, plain), favourite({ ...a, report_id: 99 }, plain, 'X_Y')],
      favourite({ company_key: a.company_key }, plain),
    ];
    assert.deepEqual([...(await otherwiseNamed(library, items))], [swapped, foreign]);
    store.close();
  });
});
