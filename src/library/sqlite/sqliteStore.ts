import type { Report } from '../../api/schemas/report.ts';
import type { LoggedChange, Unseen } from '../changeLog.ts';
import type { CompanyGroup, CompanyGroupBy, CompanyQuery, CompanyYear, LibraryCompany } from '../companyQuery.ts';
import type { CoverageMatrix } from '../coverage.ts';
import { FieldUseCount, type FieldUseReading } from '../fieldUse.ts';
import type { KeptAnswer } from '../keptAnswers.ts';
import { type LibraryChange, noChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { GroupBy, GroupCount, Listing, ReportQuery, ReportSummary } from '../reportQuery.ts';
import type {
  FeedPage,
  Lease,
  LibraryStatus,
  LibraryStore,
  LibraryTotals,
  ListPage,
  QuarantineEntry,
  StoredReport,
  WatchlistPage,
  WriteResult,
} from '../store.ts';
import type { Chain, SyncRecord } from '../sync/syncRecord.ts';
import { Writer } from '../writer.ts';
import { AnswerTable } from './answerTable.ts';
import { ChangeTable } from './changeTable.ts';
import { CompanyQueries } from './companyQueries.ts';
import { CompanyTable } from './companyTable.ts';
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
import { type HeldReport, ReportTable, reportStates } from './reportTable.ts';
import { SearchText } from './searchText.ts';
import { SyncTables } from './syncTables.ts';
import { Tokenizer } from './tokenizer.ts';
import { Vocabulary } from './vocabulary.ts';
import { WatchlistTable } from './watchlistTable.ts';
import { WordTable } from './wordTable.ts';
import { YearTally } from './yearTally.ts';

/** Listed reports that the present walk has not brought. */
const missingSql =
  'SELECT report_id FROM reports r WHERE state = 0 AND NOT EXISTS (SELECT 1 FROM marks m WHERE m.report_id = r.report_id)';

type Page<Position> = { readonly limit: number } & Position;

/** The library in a SQLite file. */
export class SqliteStore implements LibraryStore {
  readonly status: LibraryStatus;
  readonly #connection: Connection;
  readonly #reports: ReportTable;
  readonly #companyTable: CompanyTable;
  readonly #log: ChangeTable;
  readonly #quarantine: QuarantineTable;
  readonly #sync: SyncTables;
  readonly #notices: NoticeTable;
  readonly #writer: Writer;
  readonly #answers: AnswerTable;
  readonly #tokenizer: Tokenizer;
  readonly #reportQueries: ReportQueries;
  readonly #companyQueries: CompanyQueries;
  readonly #coverage: CoverageCache;
  readonly #fields: FieldUseCount;
  readonly #filters: FilterIndex;

  /** Opens the file, making or migrating it as needed. Throws a `LibraryError`. */
  constructor(options: { readonly path: string; readonly sqlite: SqliteModule; readonly now: () => number }) {
    const opened = openDatabase(options);
    const connection = opened.connection;
    this.status = {
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
    this.#tokenizer = new Tokenizer(new Connection(new options.sqlite.DatabaseSync(':memory:')));
    const vocabulary = new Vocabulary(connection, this.#tokenizer);
    const search = new SearchText(connection, vocabulary);
    const meta = new MetaTable(connection);
    const tally = new YearTally(connection);
    const reports = new ReportTable(connection, words);
    const companies = new CompanyTable(connection, search);
    const log = new ChangeTable(connection, meta, reports);
    this.#connection = connection;
    this.#reports = reports;
    this.#companyTable = companies;
    this.#log = log;
    this.#quarantine = new QuarantineTable(connection);
    this.#answers = new AnswerTable(connection);
    this.#sync = new SyncTables(connection, meta, options.now);
    this.#notices = new NoticeTable(connection);
    this.#writer = new Writer({
      ingest: new Ingest({ connection, reports, companies, search, tally, log }),
      quarantine: this.#quarantine,
      sync: this.#sync,
      watchlist: new WatchlistTable(connection, companies),
      missing: () => connection.all(missingSql).map(([id]) => Number(id)),
      endWalk: () => connection.exec('DELETE FROM marks; DELETE FROM chains'),
      transaction: (work) => connection.transaction(work),
      beforeCommit: (change) => {
        tally.flush();
        search.flush();
        this.#notices.add(change);
      },
      now: options.now,
    });
    this.#filters = new FilterIndex(connection);
    this.#reportQueries = new ReportQueries({
      connection,
      filters: this.#filters,
      reports,
      companies,
      words,
      vocabulary,
    });
    this.#companyQueries = new CompanyQueries({ connection, companies, vocabulary });
    this.#coverage = new CoverageCache({ connection, companies, words, reports: this.#reportQueries });
    this.#fields = new FieldUseCount({
      after: (id, limit) => reports.listedAfter(id, limit),
      total: () => this.totals().listed,
    });
  }

  report(idOrKey: number | string): StoredReport | null {
    const direct = typeof idOrKey === 'number' ? this.#stored(idOrKey) : this.#storedByKey(idOrKey);
    if (direct) return direct;
    const row =
      typeof idOrKey === 'number'
        ? this.#connection.get('SELECT survivor FROM id_aliases WHERE report_id = ?', idOrKey)
        : this.#connection.get('SELECT report_id FROM key_aliases WHERE report_key = ?', idOrKey);
    const held = row ? this.#stored(Number(row[0])) : null;
    return held ? { ...held, askedFor: idOrKey } : null;
  }

  summaries(reportIds: readonly number[]): readonly ReportSummary[] {
    return this.#reportQueries.summaries(reportIds);
  }

  storedReports(reportIds: readonly number[]): readonly StoredReport[] {
    return this.#reports.readAll(reportIds).map((held) => this.#given(held));
  }

  reports(query: ReportQuery, page: Page<{ readonly after?: string | undefined }>): Listing<ReportSummary> {
    return this.#reportQueries.list(query, page.after, page.limit);
  }

  reportIds(query: ReportQuery): readonly number[] {
    return this.#reportQueries.ids(query);
  }

  countReports(query: ReportQuery): number {
    return this.#reportQueries.count(query);
  }

  groupReports(query: ReportQuery, by: GroupBy): readonly GroupCount[] {
    return this.#reportQueries.groups(query, by);
  }

  company(companyKey: string): LibraryCompany | null {
    return this.#companyQueries.one(companyKey);
  }

  companies(query: CompanyQuery, page: Page<{ readonly after?: string | undefined }>): Listing<LibraryCompany> {
    return this.#companyQueries.list(query, page.after, page.limit);
  }

  companyGroups(by: CompanyGroupBy): readonly CompanyGroup[] {
    return this.#companyQueries.groups(by);
  }

  companyYears(companyKey: string): readonly CompanyYear[] {
    return this.#companyQueries.years(companyKey);
  }

  findCompanies(text: string, limit: number): readonly LibraryCompany[] {
    return this.#companyQueries.search(text, limit);
  }

  coverage(companyKeys?: readonly string[]): CoverageMatrix {
    return companyKeys ? this.#coverage.of(companyKeys) : this.#coverage.all();
  }

  coverageOf(query: ReportQuery): CoverageMatrix {
    return this.#coverage.found(query);
  }

  totals(): LibraryTotals {
    const row = this.#connection.get(
      'SELECT ifnull(sum(listed), 0), ifnull(sum(gone), 0), count(*) FROM companies WHERE watched > 0 OR listed > 0 OR gone > 0',
    );
    return {
      listed: Number(row?.[0]),
      gone: Number(row?.[1]),
      companies: Number(row?.[2]),
      quarantined: this.#quarantine.count(),
    };
  }

  fieldUse(): FieldUseReading {
    return this.#fields.advance();
  }

  changes(page: Page<{ readonly before?: number | undefined }>): readonly LoggedChange[] {
    return this.#log.list(page.before, page.limit);
  }

  unseen(reportIds: readonly number[]): Unseen {
    return this.#log.unseen(reportIds);
  }

  markSeen(): LibraryChange {
    return this.#write(() => (this.#log.markSeen() ? { ...noChange, news: true } : noChange));
  }

  quarantine(limit: number): readonly QuarantineEntry[] {
    return this.#quarantine.list(limit);
  }

  syncRecord(): SyncRecord {
    return this.#sync.record();
  }

  chains(): readonly Chain[] {
    return this.#sync.chains();
  }

  acquireLease(holder: string, ttl: number): Lease | null {
    this.#mustWrite();
    return this.#connection.transaction(() => this.#sync.acquire(holder, ttl));
  }

  renewLease(generation: number, ttl: number): Lease {
    this.#mustWrite();
    return this.#connection.transaction(() => this.#sync.renew(generation, ttl));
  }

  releaseLease(generation: number): void {
    this.#mustWrite();
    this.#connection.transaction(() => this.#sync.release(generation));
  }

  updateSync(patch: Partial<SyncRecord>, generation: number): LibraryChange {
    return this.#write(() => {
      this.#sync.check(generation);
      this.#sync.update(patch);
      // A first load has ended. Together with its end, so that what follows finds the index whatever happens.
      if (patch.phase === 'following') this.#filters.make();
      return { ...noChange, sync: true };
    });
  }

  beginWalk(patch: Partial<SyncRecord>, filters: readonly Chain['filter'][], generation: number): LibraryChange {
    return this.#write(() => {
      this.#sync.check(generation);
      this.#sync.begin(filters);
      this.#sync.update(patch);
      return { ...noChange, sync: true };
    });
  }

  applyListPage(page: ListPage): WriteResult {
    return this.#applied(() => this.#writer.listPage(page));
  }

  applyFeedPage(page: FeedPage): WriteResult {
    return this.#applied(() => this.#writer.feedPage(page));
  }

  applyWatchlist(page: WatchlistPage): WriteResult {
    return this.#applied(() => this.#writer.watchlist(page));
  }

  countMissing(): { readonly missing: number; readonly held: number } {
    return {
      missing: this.#connection.number(`SELECT count(*) FROM (${missingSql})`),
      held: this.totals().listed,
    };
  }

  sweep(patch: Partial<SyncRecord>, generation: number): WriteResult {
    return this.#applied(() => this.#writer.sweep(patch, generation));
  }

  applyReport(report: Report, asOf: number | null): WriteResult {
    return this.#applied(() => this.#writer.report(report, asOf));
  }

  answers(questions: readonly string[], since: number): readonly KeptAnswer[] {
    // A file of a newer version may keep its answers in another way.
    return this.status.readOnly ? [] : this.#answers.read(questions, since);
  }

  keepAnswers(answers: readonly KeptAnswer[], since: number): void {
    if (this.status.readOnly) return;
    this.#connection.transaction(() => this.#answers.keep(answers, since));
  }

  poll(): LibraryChange {
    const change = this.#notices.poll();
    if (change.renamed.length > 0 || change.companies === 'many') this.#companyTable.forget();
    this.#coverage.note(change);
    this.#fields.note(change);
    return change;
  }

  close(): void {
    this.#tokenizer.close();
    this.#connection.close();
  }

  #stored(id: number): StoredReport | null {
    const held = this.#reports.read(id);
    return held && this.#given(held);
  }

  #given(held: HeldReport): StoredReport {
    return {
      report: this.#reports.unpack(held),
      state: reportStates[held.state] ?? 'listed',
      fiscal_year: held.fy === 0 ? null : held.fy,
      askedFor: null,
    };
  }

  /** Keys have no index of their own: their words are in the index of words, and few reports share them all. */
  #storedByKey(key: string): StoredReport | null {
    if (key.trim() === '') return null;
    for (const id of this.#reportQueries.ids({ text: key, state: 'all' })) {
      const held = this.#stored(id);
      if (held?.report.report_key === key) return held;
    }
    return null;
  }

  #applied(work: () => WriteResult): WriteResult {
    this.#mustWrite();
    const result = work();
    this.#coverage.note(result.change);
    this.#fields.note(result.change);
    return result;
  }

  #write(work: () => LibraryChange): LibraryChange {
    this.#mustWrite();
    return this.#connection.transaction(() => {
      const change = work();
      this.#notices.add(change);
      return change;
    });
  }

  #mustWrite(): void {
    if (this.status.readOnly) throw libraryError('read-only');
  }
}
