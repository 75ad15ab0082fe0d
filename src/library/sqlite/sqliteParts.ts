import { libraryError } from '../libraryError.ts';
import type { LibraryStatus } from '../store.ts';
import { Writer } from '../writer.ts';
import { AnswerTable } from './answerTable.ts';
import { ChangeTable } from './changeTable.ts';
import { CompanyQueries } from './companyQueries.ts';
import { CompanyTable } from './companyTable.ts';
import { CompanyTallies } from './companyTallies.ts';
import { Connection } from './connection.ts';
import { CoverageCache } from './coverageCache.ts';
import { FilterIndex } from './filterIndex.ts';
import { Ingest } from './ingest.ts';
import type { SqliteModule } from './loadSqlite.ts';
import { MetaTable } from './metaTable.ts';
import { NoticeTable } from './noticeTable.ts';
import { openDatabase } from './openDatabase.ts';
import { QuarantineTable } from './quarantineTable.ts';
import { ReportQueries } from './reportQueries.ts';
import { ReportTable } from './reportTable.ts';
import { SearchText } from './searchText.ts';
import { StoredReports } from './storedReports.ts';
import { SyncTables } from './syncTables.ts';
import { Tokenizer } from './tokenizer.ts';
import { Vocabulary } from './vocabulary.ts';
import { WatchlistTable } from './watchlistTable.ts';
import { WordTable } from './wordTable.ts';
import { YearTally } from './yearTally.ts';

/** Listed reports that the present walk has not brought. */
export const missingSql =
  'SELECT report_id FROM reports r WHERE state = 0 AND NOT EXISTS (SELECT 1 FROM marks m WHERE m.report_id = r.report_id)';

/** Where a library's file is, and what opens it. */
export interface SqliteOptions {
  readonly path: string;
  readonly sqlite: SqliteModule;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** Opens the file, making or migrating it as needed, and puts together what works on it. Throws a `LibraryError`. */
export function sqliteParts(options: SqliteOptions) {
  const opened = openDatabase(options);
  const connection = opened.connection;
  const status: LibraryStatus = {
    storage: 'file',
    notice: opened.readOnly
      ? libraryError('read-only').message
      : opened.setAside
        ? libraryError('corrupt').message
        : null,
    readOnly: opened.readOnly,
    journal: opened.journal,
    setAside: opened.setAside,
  };
  const words = new WordTable(connection);
  const tokenizer = new Tokenizer(new Connection(new options.sqlite.DatabaseSync(':memory:')));
  const vocabulary = new Vocabulary(connection, tokenizer);
  const search = new SearchText(connection, vocabulary);
  const meta = new MetaTable(connection);
  const tally = new YearTally(connection);
  const reports = new ReportTable(connection, words);
  const companies = new CompanyTable(connection, search);
  const log = new ChangeTable(connection, meta, reports);
  const quarantine = new QuarantineTable(connection);
  const answers = new AnswerTable(connection);
  const sync = new SyncTables(connection, meta, options.now);
  const notices = new NoticeTable(connection);
  const writer = new Writer({
    ingest: new Ingest({ connection, reports, companies, search, tally, log }),
    quarantine,
    sync,
    watchlist: new WatchlistTable(connection, companies),
    missing: () => connection.all(missingSql).map(([id]) => Number(id)),
    endWalk: () => connection.exec('DELETE FROM marks; DELETE FROM chains'),
    transaction: (work) => connection.transaction(work),
    beforeCommit: (change) => {
      tally.flush();
      search.flush();
      notices.add(change);
    },
    now: options.now,
  });
  const filters = new FilterIndex(connection);
  const reportQueries = new ReportQueries({
    connection,
    filters,
    reports,
    companies,
    words,
    vocabulary,
  });
  const companyQueries = new CompanyQueries({ connection, companies, vocabulary });
  const companyTallies = new CompanyTallies({ connection, companies });
  const coverage = new CoverageCache({ connection, companies, words, reports: reportQueries });
  const stored = new StoredReports({ connection, reports, queries: reportQueries });
  return {
    ...{ status, connection, tokenizer, reports, companies, log, quarantine, answers, sync, notices, writer, filters },
    ...{ reportQueries, companyQueries, companyTallies, coverage, stored },
  };
}
