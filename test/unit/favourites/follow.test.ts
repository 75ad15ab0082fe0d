import assert from 'node:assert/strict';
import type { Change } from '../../../src/api/schemas/report.ts';
import { type Favourite, favourite, type KnownNames, movedFavourites, movesOf } from '../../../src/favourites/list.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { bring, following, openInMemory } from '../library/support/stores.ts';
import { report } from '../library/support/wireReports.ts';

describe('favourites of what was merged, renamed or withdrawn', () => {
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

  const starred = (given: typeof a, note = '', ...tags: string[]) => favourite(given, { note, tags }, given.report_key);
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
  const now = async (items: readonly Favourite[]) => movedFavourites(items, await movesOf(items, known));

  it('stay as they are while nothing happened, and cost no change', async () => {
    const items = [starred(a, 'n', 't'), favourite(b, { note: '', tags: [] }, b.report_key)];
    assert.equal((await movesOf(items, known)).size, 0);
  });

  it('go to the survivor of a merge, with the notes and tags of both (RID-1)', async () => {
    feed({ report_id: a.report_id, report: b });
    assert.deepEqual(await now([starred(a, 'mine', 'x')]), [starred(b, 'mine', 'x')]);
    assert.deepEqual(await now([starred(a, 'mine', 'x'), starred(b, 'other', 'y')]), [
      starred(b, 'mine · other', 'x', 'y'),
    ]);
  });

  it('tell when two notes that became one were too long together', async () => {
    feed({ report_id: a.report_id, report: b });
    const cutOf = async (...items: Favourite[]) => {
      let cut = 0;
      const [one] = movedFavourites(items, await movesOf(items, known), () => cut++);
      return [cut, one?.note.length];
    };
    assert.deepEqual(await cutOf(starred(a, 'x'.repeat(300)), starred(b, 'y'.repeat(197))), [0, 500]);
    assert.deepEqual(await cutOf(starred(a, 'x'.repeat(300)), starred(b, 'y'.repeat(198))), [1, 500]);
  });

  it('take a report’s new key, and a company’s (RID-2, COM-1)', async () => {
    const renamed = { ...a, report_key: 'XTST_LATER_2020_SR' };
    bring(store, [renamed]);
    assert.deepEqual(await now([starred(a, 'n')]), [starred(renamed, 'n')]);
    const company = favourite({ company_key: a.company_key }, { note: 'c', tags: [] });
    const reports = store.reportIds({ company_key: [a.company_key], state: 'all' });
    bring(
      store,
      store.storedReports(reports).map(({ report: held }) => ({ ...held, company_key: 'XTST_MOVED' })),
    );
    assert.equal(store.company(a.company_key)?.company_key, 'XTST_MOVED');
    assert.deepEqual(await now([company]), [{ ...company, company_key: 'XTST_MOVED' }]);
  });

  it('stay when a report is withdrawn or not known here', async () => {
    feed({ report_id: a.report_id, change: 'withdrawn' });
    const foreign = favourite({ company_key: 'XTST_NONE', report_id: 4_711 }, { note: 'n', tags: [] }, 'K');
    const company = favourite({ company_key: 'XTST_NONE' }, { note: '', tags: ['t'] });
    const items = [starred(a, 'n'), foreign, company];
    assert.equal((await movesOf(items, known)).size, 0);
    assert.equal(store.summaries([a.report_id])[0]?.state, 'withdrawn');
  });
});
