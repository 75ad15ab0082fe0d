import { l10n } from '../../base/l10n.ts';
import { FieldUseCount } from '../fieldUse.ts';
import { type LibraryChange, noChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { LibraryStatus, LibraryStore, WriteResult } from '../store.ts';
import { ChangeTable } from './changeTable.ts';
import { CompanyQueries } from './companyQueries.ts';
import { CompanyTable } from './companyTable.ts';
import { CoverageQueries } from './coverageQueries.ts';
import { Ingest } from './ingest.ts';
import { NoticeTable } from './noticeTable.ts';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './openDatabase.ts';
import { QuarantineTable } from './quarantineTable.ts';
import { ReportQueries } from './reportQueries.ts';
import { decodeMetadata } from './reportRow.ts';
import { ReportTable, storedReport } from './reportTable.ts';
import { SearchText } from './searchText.ts';
import { SyncTables } from './syncTables.ts';
import { Writer } from './writer.ts';

/** The library in a SQLite file. Opens it, making or migrating it as needed. Throws a `LibraryError`. */
export function openSqliteStore(options: OpenOptions): LibraryStore {
  const opened = openDatabase(options);
  const { connection } = opened;
  const { now } = options;
  const status = statusOf(opened);
  const search = new SearchText(connection);
  const companies = new CompanyTable(connection, search);
  const reports = new ReportTable(connection, search);
  const reportQueries = new ReportQueries(connection, companies, search);
  const companyQueries = new CompanyQueries(connection, companies, search);
  const coverage = new CoverageQueries(connection, companies, reportQueries);
  const log = new ChangeTable(connection);
  const quarantine = new QuarantineTable(connection);
  const sync = new SyncTables(connection, now);
  const notices = new NoticeTable(connection);
  const ingest = new Ingest({ reports, companies, search, log });
  const writer = new Writer({ connection, ingest, companies, quarantine, sync, notices, now });
  const totals = () => ({ ...companyQueries.totals(), quarantined: quarantine.count() });
  const fields = new FieldUseCount({
    after: (id, limit) =>
      reports.listedAfter(id, limit).map(({ report_id, body }) => ({ report_id, metadata: decodeMetadata(body) })),
    total: () => totals().listed,
  });

  const mustWrite = () => {
    if (status.readOnly) throw libraryError('read-only');
  };
  const transaction = <T>(work: () => T): T => {
    mustWrite();
    return connection.transaction(work);
  };
  const applied = (work: () => WriteResult): WriteResult => {
    mustWrite();
    const result = work();
    fields.note(result.change);
    return result;
  };
  const noticed = (work: () => LibraryChange): LibraryChange =>
    transaction(() => {
      const change = work();
      notices.add(change);
      return change;
    });

  const synced = (generation: number, work: () => void): LibraryChange =>
    noticed(() => {
      sync.check(generation);
      work();
      return { ...noChange, sync: true };
    });

  return {
    status,
    report: (idOrKey) => reports.stored(idOrKey),
    storedReports: (reportIds) => reports.readAll(reportIds).map(storedReport),
    summaries: (reportIds) => reportQueries.summaries(reportIds),
    reports: (query, page) => reportQueries.list(query, page.after, page.limit),
    reportIds: (query) => reportQueries.ids(query),
    countReports: (query) => reportQueries.count(query),
    groupReports: (query, by) => reportQueries.groups(query, by),

    company: (key) => companyQueries.one(key),
    companies: (query, page) => companyQueries.list(query, page.after, page.limit),
    companyGroups: (by) => companyQueries.groups(by),
    companyYears: (key) => companyQueries.years(key),
    findCompanies: (text, limit) => companyQueries.search(text, limit),
    coverage: (keys) => (keys ? coverage.of(keys) : coverage.all()),
    coverageOf: (query) => coverage.found(query),
    totals,
    fieldUse: () => fields.advance(),

    changes: (page) => log.list(page.before, page.limit),
    unseen: (reportIds) => log.unseen(reportIds),
    markSeen: () => noticed(() => (log.markSeen() ? { ...noChange, news: true } : noChange)),
    quarantine: (limit) => quarantine.list(limit),

    syncRecord: () => sync.record(),
    chains: () => sync.chains(),
    acquireLease: (holder, ttl) => transaction(() => sync.acquire(holder, ttl)),
    renewLease: (generation, ttl) => transaction(() => sync.renew(generation, ttl)),
    releaseLease: (generation) => transaction(() => sync.release(generation)),
    updateSync: (patch, generation) => synced(generation, () => sync.update(patch)),
    beginWalk: (patch, filters, generation) =>
      synced(generation, () => {
        sync.begin(filters);
        sync.update(patch);
      }),
    applyListPage: (page) => applied(() => writer.listPage(page)),
    applyFeedPage: (page) => applied(() => writer.feedPage(page)),
    applyWatchlist: (page) => applied(() => writer.watchlist(page)),
    applyReport: (report, asOf) => applied(() => writer.report(report, asOf)),
    countMissing: () => ({ missing: sync.countMissing(), held: totals().listed }),
    sweep: (patch, generation) => applied(() => writer.sweep(patch, generation)),

    answers(questions, since) {
      // A file of a newer version may keep its answers in another way.
      if (status.readOnly) return [];
      const rows = connection.all(answersSql, JSON.stringify(questions), since);
      return rows.map(([question, at, answer]) => ({
        question: String(question),
        at: Number(at),
        answer: String(answer),
      }));
    },
    keepAnswers(given, since) {
      if (status.readOnly) return;
      transaction(() => {
        connection.run('DELETE FROM answers WHERE at < ?', since);
        for (const { question, at, answer } of given) connection.run(keepAnswerSql, question, at, answer);
      });
    },

    poll() {
      const change = notices.poll();
      fields.note(change);
      return change;
    },
    close: () => connection.close(),
  };
}

const answersSql = `SELECT a.question, a.at, a.answer FROM json_each(?) q
  CROSS JOIN answers a ON a.question = q.value WHERE a.at >= ?`;
const keepAnswerSql = 'INSERT OR REPLACE INTO answers(question, at, answer) VALUES (?, ?, ?)';

const rebuiltNotice = l10n.later(
  'The library on this machine was written by an earlier version and is made anew: the next sync loads the metadata again. Downloaded PDFs and What’s New are kept.',
);

function statusOf({ readOnly, rebuilt, setAside, journal }: OpenedDatabase): LibraryStatus {
  const problem = readOnly ? 'read-only' : setAside ? 'corrupt' : null;
  const notice = problem ? libraryError(problem).message : rebuilt ? l10n.word(rebuiltNotice) : null;
  return { isKept: true, notice, readOnly, journal, setAside };
}
