import assert from 'node:assert/strict';
import type { Change } from '../../../src/api/schemas/report.ts';
import { type Favorite, type KnownNames, movedFavorites, movesOf } from '../../../src/favorites/favorites.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { bring, following, openInMemory } from '../library/support/stores.ts';
import { report } from '../library/support/wireReports.ts';

describe('favorites of what was merged, renamed or withdrawn', () => {
  const [a, b] = [report(1), report(2)];
  let store: LibraryStore;
  let generation: number;
  let known: KnownNames;

  beforeEach(() => {
    store = openInMemory();
    generation = following(store);
    bring(store, [a, b]);
    known = {
      summaries: async (ids) => store.summaries(ids),
      report: async (id) => store.report(id),
      company: async (key) => store.company(key),
    };
  });
  afterEach(() => store.close());

  const starred = ({ company_key, report_id, report_key }: typeof a): Favorite => ({
    company_key,
    report_id,
    report_key,
  });
  const company = (company_key: string): Favorite => ({ company_key, report_id: null, report_key: null });
  const feed = (change: Partial<Change> & Pick<Change, 'report_id'>) => {
    const { report_key, company_key, content_sha256 } = a;
    const base = {
      change: 'upsert',
      report_key,
      company_key,
      content_sha256,
      changed_at: null,
      report: null,
      other: {},
    };
    const changes = [{ ...base, ...change } as Change];
    store.applyFeedPage({ changes, quarantined: [], cursor: null, atEnd: false, generation });
  };
  const now = async (items: readonly Favorite[]) => movedFavorites(items, await movesOf(items, known));

  it('stay as they are while nothing happened, and cost no change', async () => {
    assert.equal((await movesOf([starred(a), starred(b)], known)).size, 0);
  });

  it('go to the survivor of a merge, once (RID-1)', async () => {
    feed({ report_id: a.report_id, report: b });
    assert.deepEqual(await now([starred(a)]), [starred(b)]);
    assert.deepEqual(await now([starred(a), starred(b)]), [starred(b)]);
  });

  it('take a report’s new key, and a company’s (RID-2, COM-1)', async () => {
    const renamed = { ...a, report_key: 'XTST_LATER_2020_SR' };
    bring(store, [renamed]);
    assert.deepEqual(await now([starred(a)]), [starred(renamed)]);
    const reports = store.reportIds({ company_key: [a.company_key], state: 'all' });
    bring(
      store,
      store.storedReports(reports).map(({ report: held }) => ({ ...held, company_key: 'XTST_MOVED' })),
    );
    assert.equal(store.company(a.company_key)?.company_key, 'XTST_MOVED');
    assert.deepEqual(await now([company(a.company_key)]), [company('XTST_MOVED')]);
  });

  it('stay when a report is withdrawn or not known here', async () => {
    feed({ report_id: a.report_id, change: 'withdrawn' });
    const foreign = { company_key: 'XTST_NONE', report_id: 4_711, report_key: 'K' };
    const items = [starred(a), foreign, company('XTST_NONE')];
    assert.equal((await movesOf(items, known)).size, 0);
    assert.equal(store.summaries([a.report_id])[0]?.state, 'withdrawn');
  });
});
