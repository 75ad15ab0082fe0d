import type { Report } from '../../api/schemas/report.ts';
import { ChangeBuilder, type LibraryChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { ReportOrder, ReportQuery, RowPlace } from '../reportQuery.ts';
import type * as store from '../store.ts';
import type { SyncRecord, WalkFilter } from '../sync/syncRecord.ts';
import { loggedChanges, markAllSeen, unseenChanges } from './changeTable.ts';
import * as companies from './companyQueries.ts';
import { beginWatchlist, CompanyWrites } from './companyTable.ts';
import { coverage } from './coverageQueries.ts';
import { FieldUseCount } from './fieldUse.ts';
import { publishedInFiles, reportsOfHashes } from './hashQueries.ts';
import { remove, upsert, type Writing } from './ingest.ts';
import type { Database } from './openDatabase.ts';
import { type DatabaseOptions, type OpenedDatabase, openDatabase } from './openDatabase.ts';
import { changesAside, readItem, takePage, writeFeedPage, writeListPage, writeWatchlist } from './pages.ts';
import * as reports from './reportQueries.ts';
import { formerKeys, storedReport, storedReports } from './reportTable.ts';
import { ReportTextWrites } from './searchText.ts';
import * as sync from './syncTables.ts';

/** The library inside its worker: synchronous, one caller. Every call may throw a `LibraryError`. */
export type LibraryStore = ReturnType<typeof openSqliteStore>;

/** The store over a library's file, opened or made if it isn't open yet. Throws a `LibraryError`. */
export function openSqliteStore(options: DatabaseOptions, opened: OpenedDatabase = openDatabase(options)) {
  const { db, file, setAside } = opened;
  const notice = setAside === null ? null : libraryError('corrupt').message;
  const status: store.LibraryStatus = { notice, setAside };
  const { now } = options;
  const notices = new sync.NoticeTable(db);
  const fields = new FieldUseCount(db);
  const table = new reports.ReportTable(db);
  const totals = (): store.LibraryTotals => ({ ...companies.companyTotals(db), quarantined: sync.countAside(db) });

  const noted = (change: LibraryChange): void => {
    fields.note(change);
    table.note(change);
  };
  /** One transaction for rows, cursor, counts, log and notice together; a given generation must be the present one. */
  const write = (generation: number | null, work: (writing: Writing) => void): store.WriteResult => {
    const { result, notice } = db.transaction(() => {
      if (generation !== null) sync.checkGeneration(db, generation);
      const writing = beginWriting(db, now());
      work(writing);
      writing.companies.flush();
      writing.words.flush();
      const { counts, change } = writing.built;
      return { result: { counts, change }, notice: notices.add(change) };
    });
    notices.passed(notice);
    noted(result.change);
    return result;
  };
  const synced = (generation: number, work: () => void): store.WriteResult =>
    write(generation, ({ built }) => {
      work();
      built.sync = true;
    });

  const applyListPage = (page: store.ListPage) => write(page.generation, (writing) => writeListPage(writing, page));
  const applyFeedPage = (page: store.FeedPage) => write(page.generation, (writing) => writeFeedPage(writing, page));

  const ask =
    <A extends unknown[], R>(question: (db: Database, ...values: A) => R) =>
    (...values: A): R =>
      question(db, ...values);

  return {
    status,
    /** Tells this file from the next at the same path: see `fileAt`; null where nothing is kept. */
    file,
    report: ask(storedReport),
    storedReports: ask(storedReports),
    formerKeys: ask(formerKeys),
    summaries: ask(reports.summaries),
    reports: ask(reports.listReports),
    reportIds: ask(reports.listReportIds),
    countReports: ask(reports.countReports),
    groupReports: ask(reports.groupReports),
    reportsOfHashes: ask(reportsOfHashes),
    publishedElsewhere: (paths: readonly string[], sha256s: readonly string[]): store.PublishedElsewhere =>
      publishedInFiles(options.sqlite, paths, sha256s),
    reportsAt: (query: ReportQuery, order: ReportOrder, place: RowPlace) => table.rowsAt(query, order, place),
    idsBetween: (query: ReportQuery, order: ReportOrder, from: number, to: number) =>
      table.idsBetween(query, order, from, to),
    factCounts: ask(reports.factCounts),

    company: ask(companies.company),
    companies: ask(companies.listCompanies),
    companyLetters: ask(companies.companyLetters),
    companyYears: ask(companies.companyYears),
    findCompanies: ask(companies.searchCompanies),
    coverage: ask(coverage),
    totals,
    /** Goes on counting how the listed reports fill their columns; to be asked again until it has the result. */
    fieldUse: (max = Number.MAX_SAFE_INTEGER): store.FieldUseReading => fields.advance(max),

    changes: ask(loggedChanges),
    unseen: ask(unseenChanges),
    markSeen: () =>
      write(null, ({ built }) => {
        built.news = markAllSeen(db);
      }),
    recordsAside: ask(sync.recordsAside),

    syncRecord: ask(sync.syncRecord),
    chains: ask(sync.chainsOfWalk),
    /** Begins a run of the sync and returns its generation: earlier runs can no longer write. */
    beginRun: () => sync.beginRun(db),
    updateSync: (patch: Partial<SyncRecord>, generation: number) =>
      synced(generation, () => sync.updateRecord(db, patch)),
    /** Starts a walk: forgets the chains and marks of an earlier one. */
    beginWalk: (patch: Partial<SyncRecord>, filters: readonly WalkFilter[], generation: number) =>
      synced(generation, () => {
        sync.beginChains(db, filters);
        sync.updateRecord(db, patch);
      }),
    applyListPage,
    applyFeedPage,
    takeReports: ({ incoming, chain, generation }: store.TakeReports) =>
      takePage(incoming, chain?.cursor, readItem.report, ({ data, quarantined, serverTime, next_cursor, has_more }) =>
        applyListPage({
          ...{ reports: data, quarantined, asOf: serverTime, generation },
          chain: chain && { id: chain.id, cursor: next_cursor, done: !has_more },
        }),
      ),
    takeChanges: ({ incoming, cursor, generation }: store.TakeChanges) =>
      takePage(incoming, cursor, readItem.change, ({ data, quarantined, next_cursor, has_more }) =>
        applyFeedPage({ changes: data, quarantined, cursor: next_cursor, atEnd: !has_more, generation }),
      ),
    /** Reads what was set aside once more: a newer version may understand it. Null when nothing was. */
    replayQuarantine(generation: number): store.WriteResult | null {
      const changes = changesAside(sync.recordsAside(db), (reportId) => storedReport(db, reportId) !== null);
      if (changes.length === 0) return null;
      return applyFeedPage({ changes, quarantined: [], cursor: null, atEnd: false, generation });
    },
    /** Begins a reading of the watchlist and gives its number. */
    beginWatchlist: () => beginWatchlist(db),
    applyWatchlist: (page: store.WatchlistPage) => write(null, (writing) => writeWatchlist(writing, page)),
    /** Keeps one report that was asked for by an id. Where another report answers, a merge retired that id. */
    applyReport: (report: Report, askedId: number) =>
      write(null, (writing) => {
        writing.built.counts[upsert(writing, report, { from: 'list', asOf: null, askedId })]++;
        sync.releaseRecords(db, [report.report_id]);
      }),
    countMissing: () => ({ missing: sync.missingReports(db).length, held: totals().listed }),
    /** Flags as removed what the walk has not brought. */
    sweep: (patch: Partial<SyncRecord>, generation: number) =>
      write(generation, (writing) => {
        for (const id of sync.missingReports(db)) remove(writing, id);
        sync.endWalk(db);
        sync.updateRecord(db, patch);
        writing.built.sync = true;
      }),

    answers: ask(keptAnswers),
    keepAnswers: (answers: readonly store.KeptAnswer[], since: number): void =>
      db.transaction(() => keepAnswers(db, answers, since)),

    /** What other windows wrote since the last call. */
    poll(): LibraryChange {
      const change = notices.poll();
      noted(change);
      return change;
    },
    close: () => db.close(),
  };
}

function beginWriting(db: Database, now: number): Writing {
  const record = sync.syncRecord(db);
  return {
    ...{ db, record, now, built: new ChangeBuilder() },
    companies: new CompanyWrites(db),
    words: new ReportTextWrites(db),
    log: record.phase === 'following',
    mark: record.walk?.kind === 'full' || record.question !== null,
  };
}

/** Kept answers to these questions, given at `since` (local clock, ms) or later; in no particular order. */
function keptAnswers(db: Database, questions: readonly string[], since: number): store.KeptAnswer[] {
  const sql = `SELECT a.question, a.at, a.answer FROM json_each(?) q
    CROSS JOIN answers a ON a.question = q.value WHERE a.at >= ?`;
  const rows = db.all(sql, JSON.stringify(questions), since);
  return rows.map(([question, at, answer]) => ({ question: String(question), at: Number(at), answer: String(answer) }));
}

/** Keeps answers, and drops all that were given before `since`. */
function keepAnswers(db: Database, answers: readonly store.KeptAnswer[], since: number): void {
  db.run('DELETE FROM answers WHERE at < ?', since);
  const sql = 'INSERT OR REPLACE INTO answers(question, at, answer) VALUES (?, ?, ?)';
  for (const { question, at, answer } of answers) db.run(sql, question, at, answer);
}
