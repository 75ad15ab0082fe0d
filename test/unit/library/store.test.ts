import assert from 'node:assert/strict';
import type { Company } from '../../../src/api/schemas/company.ts';
import type { Change, Report } from '../../../src/api/schemas/report.ts';
import { LibraryError } from '../../../src/library/libraryError.ts';
import { companyOf } from '../../../src/library/sqlite/companyTable.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { bring, changeOf, feed, following, openInMemory, watch, withdrawalOf } from './support/stores.ts';
import { read, report, wireReport } from './support/wireReports.ts';

const base = Date.parse('2026-02-01T00:00:00Z');
const emptyCompany: Company = {
  ...{ company_key: '', company_name: null, isin: null, lei: null, figi: null, cik: null, fiscal_year_end_month: null },
  ...{ ticker: null, mic: null, exchange: null, country: null, sector: null, industry: null, other: {} },
};

const at = (seconds: number) => new Date(base + seconds * 1000).toISOString();
const upsert = (given: Report, seconds: number) => changeOf(given, { changed_at: at(seconds) });
const withdrawal = (report_id: number, seconds: number) => ({ ...withdrawalOf(report(1), at(seconds)), report_id });

describe(`the library`, function () {
  this.timeout(30_000);
  let store: LibraryStore;
  let generation: number;

  beforeEach(() => {
    store = openInMemory(() => base);
    generation = following(store);
  });
  afterEach(() => store.close());

  const bringChanges = (...changes: Change[]) => feed(store, generation, changes);
  const kinds = () => store.changes({ limit: 100 }).map((entry) => `${entry.kind} ${entry.report_id}`);

  it('gives reports back as they came, by id and by key', () => {
    const all = Array.from({ length: 60 }, (_, index) => report(index + 1));
    bring(store, all);
    for (const given of all) {
      assert.deepEqual(store.report(given.report_id)?.report, given);
      assert.ok(store.report(given.report_key));
    }
    const some = [all[40], all[3], all[17]].flatMap((given) => given ?? []);
    const ids = [999_999, ...some.map(({ report_id }) => report_id)];
    assert.deepEqual(
      store.storedReports(ids).map((held) => held.report),
      some,
    );
    assert.equal(store.report(999_999), null);
    assert.equal(store.report('no such key'), null);
    assert.equal(store.totals().listed, 60);
  });

  it('tells new, changed PDF, changed metadata and withdrawn apart', () => {
    const one = report(1);
    bringChanges(upsert(one, 1));
    bringChanges(upsert({ ...one, content_sha256: 'ab'.repeat(32) }, 2));
    bringChanges(upsert({ ...one, content_sha256: 'ab'.repeat(32), report_pages: 7 }, 3));
    bringChanges(withdrawal(one.report_id, 4));
    const id = one.report_id;
    assert.deepEqual(kinds(), [`withdrawn ${id}`, `metadata ${id}`, `pdf ${id}`, `new ${id}`]);
    const [, metadata] = store.changes({ limit: 2 });
    assert.deepEqual(metadata?.fields, ['report_pages']);
    assert.equal(metadata?.at, base + 3000);
  });

  it('takes a re-stamp as no news', () => {
    bringChanges(upsert(report(1), 1));
    const result = bringChanges(upsert({ ...report(1), updated_at: '2026-05-05T05:05:05Z' }, 2));
    assert.equal(result.change.news, false);
    assert.deepEqual([result.counts.changed, result.counts.unchanged], [0, 1]);
    assert.equal(store.changes({ limit: 10 }).length, 1);
    assert.equal(store.report(3)?.report.updated_at, '2026-05-05T05:05:05Z');
  });

  it('counts what nobody has seen, and forgets it once seen', () => {
    bringChanges(upsert(report(1), 1), upsert(report(2), 1));
    assert.deepEqual(store.unseen([3]), { all: 2, mine: 1 });
    assert.equal(store.markSeen().change.news, true);
    assert.deepEqual(store.unseen([3]), { all: 0, mine: 0 });
    assert.equal(store.markSeen().change.news, false);
  });

  it('keeps a withdrawn report readable and flagged', () => {
    bring(store, [report(1)]);
    bringChanges(withdrawal(3, 1));
    assert.equal(store.report(3)?.state, 'withdrawn');
    assert.deepEqual(store.report(3)?.report, report(1));
    assert.equal(store.countReports({}), 0);
    assert.equal(store.countReports({ state: 'gone' }), 1);
    const company = store.company(report(1).company_key);
    assert.equal(company?.listed, 0);
    assert.equal(company?.gone, 1);
  });

  it('finds by a key that two reports have the one that is listed', () => {
    const { report_key } = report(1);
    bring(store, [report(1), read({ ...wireReport(2), report_key })]);
    bringChanges(withdrawal(3, 1));
    assert.equal(store.report(report_key)?.report.report_id, 6);
    bring(store, [report(1)]);
    bringChanges(withdrawal(6, 2));
    assert.equal(store.report(report_key)?.report.report_id, 3);
  });

  it('ignores a withdrawal of a report it never held, and an older upsert that follows it', () => {
    bringChanges(withdrawal(3, 5));
    bringChanges(upsert(report(1), 4));
    assert.equal(store.report(3), null);
    bringChanges(upsert(report(1), 6));
    assert.equal(store.report(3)?.state, 'listed');
  });

  it('takes a page as it comes: a report twice, one withdrawn before it was known, one known already', () => {
    bringChanges(withdrawal(report(3).report_id, 100));
    bring(store, [report(2)]);
    const again = { ...report(1), report_pages: 1234 };
    const changed = { ...report(2), report_pages: 4321 };
    const { counts } = bring(store, [report(1), again, changed, report(3), report(4)], base + 50_000);
    assert.equal(counts.added, 2);
    assert.equal(counts.changed, 2);
    assert.equal(counts.unchanged, 1);
    assert.equal(store.report(report(1).report_id)?.report.report_pages, 1234);
    assert.equal(store.report(report(2).report_id)?.report.report_pages, 4321);
    assert.equal(store.report(report(3).report_id), null);
    // What one page was told of must not be taken for true in the next write.
    store.applyReport(again, again.report_id);
    assert.equal(store.totals().listed, 3);
    assert.equal(store.countReports({ text: report(1).company_lei ?? '' }), 3);
  });

  it('applies changes in the order they happened, however they arrive', () => {
    const older = { ...report(1), report_pages: 1 };
    const newer = { ...report(1), report_pages: 2 };
    bringChanges(upsert(newer, 5));
    bringChanges(upsert(older, 4));
    assert.equal(store.report(3)?.report.report_pages, 2);
    bringChanges(withdrawal(3, 6), upsert(newer, 5));
    assert.equal(store.report(3)?.state, 'withdrawn');
  });

  it('takes the same news again for later than what came in between, whenever that arrives (CHG-3)', () => {
    for (const [seconds, report_pages, held] of [
      [1, 11, 11],
      [3, 11, 11],
      [2, 22, 11],
      [4, 22, 22],
    ] as const) {
      bringChanges(upsert({ ...report(1), report_pages }, seconds));
      assert.equal(store.report(3)?.report.report_pages, held, `${seconds}`);
    }
  });

  it('does not repeat a withdrawal that a list has overtaken', () => {
    bringChanges(upsert(report(1), 1), withdrawal(3, 2));
    bring(store, [report(1)], base + 10_000);
    assert.equal(store.report(3)?.state, 'listed');
    bringChanges(withdrawal(3, 2));
    assert.equal(store.report(3)?.state, 'listed');
  });

  it('leaves a report alone that the feed changed after a list was made up', () => {
    bringChanges(upsert({ ...report(1), report_pages: 2 }, 10));
    bring(store, [{ ...report(1), report_pages: 1 }], base + 5000);
    assert.equal(store.report(3)?.report.report_pages, 2);
  });

  it('moves a renamed company with all its reports', () => {
    const all = [1, 2, 3].map((n) => report(n, {}, 100));
    bring(store, all);
    const [first] = all;
    assert.ok(first);
    watch(store, [companyOf(first)]);
    const key = 'XNEW_NAME';
    const renamed = read({ ...wireReport(1, 100), company_key: key, report_key: `${key}_1` });
    const result = bringChanges(upsert(renamed, 1));
    assert.deepEqual(result.change.renamed, [{ from: first.company_key, to: key }]);
    assert.equal(store.company(key)?.listed, 3);
    assert.equal(store.company(key)?.watched, true);
    assert.equal(store.company(first.company_key)?.company_key, key);
    assert.equal(store.totals().companies, 1);
    assert.equal(store.countReports({ company_key: [first.company_key] }), 3);
    assert.equal(store.report(first.report_key)?.askedFor, first.report_key);
  });

  it('moves a single misattributed report to another company', () => {
    bring(store, [report(1, {}, 100), report(2, {}, 100)]);
    const other = report(150, {}, 100);
    const moved: Report = { ...other, report_id: 3, metadata: { ...other.metadata } };
    const result = bringChanges(upsert(moved, 1));
    assert.deepEqual(result.change.renamed, []);
    assert.equal(store.company(report(1, {}, 100).company_key)?.listed, 1);
    assert.equal(store.company(other.company_key)?.listed, 1);
  });

  it('follows retired ids and keys to the survivor', () => {
    bring(store, [report(1), report(2)]);
    store.applyReport(
      { ...report(2), requested_legacy_report_id: 3, canonical_report_id: 6, requested_legacy_report_key: 'OLD_KEY' },
      3,
    );
    assert.deepEqual([store.summaries([3])[0]?.state, store.report(3)?.report.report_id], ['withdrawn', 6]);
    assert.equal(store.report('OLD_KEY')?.report.report_id, 6);
    assert.deepEqual(store.report(6)?.report, report(2));
  });

  it('keeps what it can not read, once, until it can', () => {
    const record = { raw: { report_id: 3, broken: true }, reason: 'no key' };
    for (let n = 0; n < 2; n++) {
      store.applyListPage({ reports: [], quarantined: [record], asOf: null, chain: null, generation: null });
    }
    assert.equal(store.totals().quarantined, 1);
    assert.deepEqual(store.recordsAside(), [record]);
    bring(store, [report(1)]);
    assert.equal(store.totals().quarantined, 0);
  });

  it('reads what was set aside once more', () => {
    assert.equal(store.replayQuarantine(generation), null);
    const wire = wireReport(1);
    const change = { change: 'upsert', report_id: 6, changed_at: null, report: wireReport(2) };
    const quarantined = [wire, change, { still: 'odd' }].map((raw) => ({ raw, reason: 'not understood then' }));
    store.applyListPage({ reports: [], quarantined, asOf: null, chain: null, generation: null });
    assert.equal(store.replayQuarantine(generation)?.counts.added, 2);
    assert.deepEqual(store.report(3)?.report, report(1));
    assert.deepEqual(store.report(6)?.report, report(2));
    assert.equal(store.totals().quarantined, 1);
  });

  it('refuses a record that is nested deeper than anything needs, with its page, and keeps one of a few levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : { inner: nested(levels - 1) });
    const take = (record: unknown) => {
      const page = { data: [wireReport(1), record], page_info: { has_more: false, next_cursor: null } };
      const incoming = { body: Buffer.from(JSON.stringify(page)), serverTime: null };
      return store.takeReports({ incoming, chain: null, generation: null });
    };
    for (const report_id of [wireReport(2).report_id, 'x'])
      assert.throws(() => take({ ...wireReport(2), report_id, own: nested(40) }), { problem: 'unreadable-page' });
    assert.equal(store.totals().listed, 0);
    assert.equal(take({ ...wireReport(2), own: nested(20) }).counts.added, 2);
    assert.deepEqual(store.report(6)?.report.other.own, nested(20));
  });

  it('sets aside changes of an unknown kind', () => {
    // And those that bring no report.
    const [archived, bare] = [changeOf(report(1), { change: 'archived' }), changeOf(report(2), { report: null })];
    assert.equal(bringChanges(archived, bare).counts.quarantined, 2);
    const reasons = store.recordsAside().map(({ raw, reason }) => [(raw as { change: string }).change, reason]);
    assert.deepEqual(Object.fromEntries(reasons), {
      upsert: 'The change brings no report.',
      archived: 'The change is of a kind not known yet.',
    });
    assert.equal(store.totals().listed, 0);
  });

  it('stores the cursor with its rows and keeps the old one when a page has none', () => {
    bringChanges(upsert(report(1), 7));
    assert.equal(store.syncRecord().cursor, 'c');
    assert.equal(store.syncRecord().lastChangedAt, new Date(base + 7000).toISOString());
    assert.equal(store.syncRecord().syncedAt, base);
    store.applyFeedPage({ changes: [], quarantined: [], cursor: null, atEnd: false, generation });
    assert.equal(store.syncRecord().cursor, 'c');
  });

  it('refuses a run that another one has replaced, and writes nothing', () => {
    assert.ok(store.beginRun() > generation);
    assert.throws(
      () => bringChanges(upsert(report(1), 1)),
      (error) => error instanceof LibraryError && error.problem === 'lease-lost',
    );
    assert.equal(store.report(3), null);
  });

  it('keeps the watchlist beside the companies of reports', () => {
    bring(store, [report(1)]);
    const key = report(1).company_key;
    const [named, bare] = [store.company(key), { ...emptyCompany, company_key: 'XBAR_E' }];
    assert.ok(named);
    const watched = { ...emptyCompany, company_key: key, company_name: 'Name by the Watchlist', cik: '0001' };
    watch(store, [watched, bare]);
    assert.equal(store.company(key)?.company_name, 'Name by the Watchlist');
    assert.equal(store.company(key)?.sector, named.sector);
    assert.equal(store.totals().companies, 2);
    watch(store, [watched]);
    assert.equal(store.company('XBAR_E')?.watched, false);
    assert.equal(store.totals().companies, 1);
  });

  it('keeps away what a full walk no longer found when the feed repeats its last change', () => {
    const [gone, here] = [report(1), report(2)];
    bringChanges(upsert(gone, 1), upsert(here, 1));
    const walk = { kind: 'full', startedAt: base, watchlist: true, unreadable: 0 } as const;
    store.beginWalk({ walk }, [{}], generation);
    const chain = { id: 1, cursor: null, done: true };
    store.applyListPage({ reports: [here], quarantined: [], asOf: null, chain, generation });
    store.sweep({ walk: null }, generation);
    bringChanges(upsert(gone, 1));
    assert.equal(store.report(gone.report_id)?.state, 'removed');
    bringChanges(upsert(gone, 2));
    assert.equal(store.report(gone.report_id)?.state, 'listed');
  });

  it('finds companies by the beginnings of their words, without accents', () => {
    const names = { company_key: 'XPAR_BRV', company_name: 'Bréval Énergie SA', lei: 'LEI0001' };
    const other = { ...emptyCompany, company_key: 'XLON_OTH', company_name: 'Other plc' };
    watch(store, [{ ...emptyCompany, ...names }, other]);
    for (const text of ['breval', 'BRÉ ener', 'lei0', 'xpar_br', 'brv']) {
      const found = store.findCompanies(text, 10).map(({ company_key }) => company_key);
      assert.deepEqual(found, ['XPAR_BRV'], text);
    }
    assert.deepEqual(store.findCompanies(' *"- ', 10), []);
  });
});

describe('kept answers', () => {
  it('take any text as a question, thousands at once; they give way to newer ones, and old ones are dropped', () => {
    const store = openInMemory(() => 0);
    store.keepAnswers([{ question: 'a', at: 1000, answer: 'old' }], 0);
    store.keepAnswers([{ question: 'c', at: 1000, answer: 'dropped' }], 0);
    store.keepAnswers([{ question: 'a', at: 5000, answer: 'new' }], 2000);
    assert.deepEqual(store.answers(['a', 'c'], 0), [{ question: 'a', at: 5000, answer: 'new' }]);
    const odd = ['"', "'", '\\', 'Ä\u202E', '', '[1,2]', ...Array.from({ length: 5000 }, (_, index) => `q${index}`)];
    const kept = odd.map((question, at) => ({ question, at, answer: question }));
    store.keepAnswers(kept, 0);
    assert.equal(store.answers(odd, 0).filter(({ question, answer }) => question === answer).length, odd.length);
    store.close();
  });
});
