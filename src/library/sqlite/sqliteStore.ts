import { l10n } from '../../base/l10n.ts';
import { ChangeBuilder, type LibraryChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { LibraryStatus, LibraryStore, WriteResult } from '../store.ts';
import { loggedChanges, markAllSeen, unseenChanges } from './changeTable.ts';
import {
  company,
  companyGroups,
  companyTotals,
  companyYears,
  listCompanies,
  searchCompanies,
} from './companyQueries.ts';
import { CompanyWrites } from './companyTable.ts';
import type { Connection } from './connection.ts';
import { coverage, coverageOf } from './coverageQueries.ts';
import { FieldUseCount } from './fieldUse.ts';
import { remove, upsert, type Writing } from './ingest.ts';
import { NoticeTable } from './noticeTable.ts';
import { type OpenedDatabase, type OpenOptions, openDatabase } from './openDatabase.ts';
import { countAside, recordsAside, releaseRecords } from './quarantineTable.ts';
import { countReports, groupReports, listReports, reportIds, summaries } from './reportQueries.ts';
import { storedReport, storedReports } from './reportTable.ts';
import { ReportTextWrites } from './searchText.ts';
import {
  acquireLease,
  beginChains,
  chainsOfWalk,
  checkLease,
  countMissing,
  endWalk,
  missingReports,
  renewLease,
  syncRecord,
  updateRecord,
} from './syncTables.ts';
import { writeFeedPage, writeListPage, writeWatchlist } from './writer.ts';

/** The library in a SQLite file. Opens it, making or migrating it as needed. Throws a `LibraryError`. */
export function openSqliteStore(options: OpenOptions): LibraryStore {
  const opened = openDatabase(options);
  const { connection: db } = opened;
  const { now } = options;
  const status = statusOf(opened);
  const notices = new NoticeTable(db);
  const fields = new FieldUseCount(db);
  const totals = () => ({ ...companyTotals(db), quarantined: countAside(db) });

  const transaction = <T>(work: () => T): T => {
    if (status.readOnly) throw libraryError('read-only');
    return db.transaction(work);
  };
  /** One transaction that holds rows, cursor, counts, log and notice together; under a lease, if a generation is given. */
  const write = (generation: number | null, work: (writing: Writing) => void): WriteResult => {
    const { result, notice } = transaction(() => {
      if (generation !== null) checkLease(db, generation);
      const writing = beginWriting(db, now());
      work(writing);
      writing.companies.flush();
      writing.words.flush();
      const { counts, change } = writing.built;
      return { result: { counts, change }, notice: notices.add(change) };
    });
    notices.passed(notice);
    fields.note(result.change);
    return result;
  };
  const synced = (generation: number, work: () => void): LibraryChange =>
    write(generation, ({ built }) => {
      work();
      built.sync = true;
    }).change;

  return {
    status,
    file: opened.file,
    report: (idOrKey) => storedReport(db, idOrKey),
    storedReports: (ids) => storedReports(db, ids),
    summaries: (ids) => summaries(db, ids),
    reports: (query, page) => listReports(db, query, page),
    reportIds: (query) => reportIds(db, query),
    countReports: (query) => countReports(db, query),
    groupReports: (query, by) => groupReports(db, query, by),

    company: (key) => company(db, key),
    companies: (query, page) => listCompanies(db, query, page),
    companyGroups: (by) => companyGroups(db, by),
    companyYears: (key) => companyYears(db, key),
    findCompanies: (text, limit) => searchCompanies(db, text, limit),
    coverage: (keys) => coverage(db, keys),
    coverageOf: (query) => coverageOf(db, query),
    totals,
    fieldUse: () => fields.advance(),

    changes: ({ before, limit }) => loggedChanges(db, before, limit),
    unseen: (ids) => unseenChanges(db, ids),
    markSeen: () =>
      write(null, ({ built }) => {
        built.news = markAllSeen(db);
      }).change,
    quarantine: (limit) => recordsAside(db, limit),

    syncRecord: () => syncRecord(db),
    chains: () => chainsOfWalk(db),
    acquireLease: (holder, ttl) => transaction(() => acquireLease(db, holder, ttl, now())),
    renewLease: (generation, ttl) => transaction(() => renewLease(db, generation, ttl, now())),
    releaseLease: (generation) =>
      transaction(() => void db.run('UPDATE lease SET expires = 0 WHERE generation = ?', generation)),
    updateSync: (patch, generation) => synced(generation, () => updateRecord(db, patch)),
    beginWalk: (patch, filters, generation) =>
      synced(generation, () => {
        beginChains(db, filters);
        updateRecord(db, patch);
      }),
    applyListPage: (page) => write(page.generation, (writing) => writeListPage(writing, page)),
    applyFeedPage: (page) => write(page.generation, (writing) => writeFeedPage(writing, page)),
    applyWatchlist: (page) => write(null, (writing) => writeWatchlist(writing, page)),
    applyReport: (report, asOf) =>
      write(null, (writing) => {
        writing.built.count(upsert(writing, report, { from: 'list', asOf }));
        releaseRecords(db, [report.report_id]);
      }),
    countMissing: () => ({ missing: countMissing(db), held: totals().listed }),
    sweep: (patch, generation) =>
      write(generation, (writing) => {
        for (const id of missingReports(db)) remove(writing, id);
        endWalk(db);
        updateRecord(db, patch);
        writing.built.sync = true;
      }),

    answers(questions, since) {
      // A file of a newer version may keep its answers in another way.
      if (status.readOnly) return [];
      const rows = db.all(answersSql, JSON.stringify(questions), since);
      return rows.map(([question, at, answer]) => ({
        question: String(question),
        at: Number(at),
        answer: String(answer),
      }));
    },
    keepAnswers(given, since) {
      if (status.readOnly) return;
      transaction(() => {
        db.run('DELETE FROM answers WHERE at < ?', since);
        for (const { question, at, answer } of given) db.run(keepAnswerSql, question, at, answer);
      });
    },

    poll() {
      const change = notices.poll();
      fields.note(change);
      return change;
    },
    close: () => db.close(),
  };
}

function beginWriting(db: Connection, now: number): Writing {
  const record = syncRecord(db);
  return {
    ...{ db, record, now, built: new ChangeBuilder() },
    companies: new CompanyWrites(db),
    words: new ReportTextWrites(db),
    log: record.phase === 'following',
    mark: record.walk?.kind === 'full' || record.question !== null,
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
