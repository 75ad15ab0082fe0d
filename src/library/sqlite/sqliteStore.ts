import type { Report } from '../../api/schemas/report.ts';
import { l10n } from '../../base/l10n.ts';
import type { LoggedChange, Unseen } from '../changeLog.ts';
import type { CompanyGroup, CompanyGroupBy, CompanyQuery, CompanyYear, LibraryCompany } from '../companyQuery.ts';
import type { CoverageMatrix } from '../coverage.ts';
import { FieldUseCount, type FieldUseReading } from '../fieldUse.ts';
import { type LibraryChange, noChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { GroupBy, GroupCount, Listing, PageOptions, ReportQuery, ReportSummary } from '../reportQuery.ts';
import type {
  FeedPage,
  KeptAnswer,
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
import { AnswerTable } from './answerTable.ts';
import { ChangeTable } from './changeTable.ts';
import { CompanyQueries } from './companyQueries.ts';
import { CompanyTable } from './companyTable.ts';
import type { Connection } from './connection.ts';
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

/** The library in a SQLite file. */
export class SqliteStore implements LibraryStore {
  readonly status: LibraryStatus;
  readonly #connection: Connection;
  readonly #reports: ReportTable;
  readonly #reportQueries: ReportQueries;
  readonly #companyQueries: CompanyQueries;
  readonly #coverage: CoverageQueries;
  readonly #log: ChangeTable;
  readonly #quarantine: QuarantineTable;
  readonly #answers: AnswerTable;
  readonly #sync: SyncTables;
  readonly #notices: NoticeTable;
  readonly #fields: FieldUseCount;
  readonly #writer: Writer;

  /** Opens the file, making or migrating it as needed. Throws a `LibraryError`. */
  constructor(options: OpenOptions) {
    const opened = openDatabase(options);
    const { connection } = opened;
    const { now } = options;
    const search = new SearchText(connection);
    const companies = new CompanyTable(connection, search);
    this.status = statusOf(opened);
    this.#connection = connection;
    this.#reports = new ReportTable(connection);
    this.#reportQueries = new ReportQueries(connection, companies);
    this.#companyQueries = new CompanyQueries(connection, companies);
    this.#coverage = new CoverageQueries(connection, companies, this.#reportQueries);
    this.#log = new ChangeTable(connection);
    this.#quarantine = new QuarantineTable(connection);
    this.#answers = new AnswerTable(connection);
    this.#sync = new SyncTables(connection, now);
    this.#notices = new NoticeTable(connection);
    this.#fields = new FieldUseCount({
      after: (id, limit) =>
        this.#reports
          .listedAfter(id, limit)
          .map(({ report_id, body }) => ({ report_id, metadata: decodeMetadata(body) })),
      total: () => this.totals().listed,
    });
    const ingest = new Ingest({ reports: this.#reports, companies, search, log: this.#log });
    this.#writer = new Writer({
      ...{ connection, ingest, companies, now },
      ...{ quarantine: this.#quarantine, sync: this.#sync, notices: this.#notices },
    });
  }

  report(idOrKey: number | string): StoredReport | null {
    return this.#reports.stored(idOrKey);
  }

  summaries(reportIds: readonly number[]): readonly ReportSummary[] {
    return this.#reportQueries.summaries(reportIds);
  }

  storedReports(reportIds: readonly number[]): readonly StoredReport[] {
    return this.#reports.readAll(reportIds).map(storedReport);
  }

  reports(query: ReportQuery, page: PageOptions): Listing<ReportSummary> {
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

  companies(query: CompanyQuery, page: PageOptions): Listing<LibraryCompany> {
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
    return { ...this.#companyQueries.totals(), quarantined: this.#quarantine.count() };
  }

  fieldUse(): FieldUseReading {
    return this.#fields.advance();
  }

  changes(page: { readonly before?: number | undefined; readonly limit: number }): readonly LoggedChange[] {
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
    return this.#transaction(() => this.#sync.acquire(holder, ttl));
  }

  renewLease(generation: number, ttl: number): Lease {
    return this.#transaction(() => this.#sync.renew(generation, ttl));
  }

  releaseLease(generation: number): void {
    this.#transaction(() => this.#sync.release(generation));
  }

  updateSync(patch: Partial<SyncRecord>, generation: number): LibraryChange {
    return this.#write(() => {
      this.#sync.check(generation);
      this.#sync.update(patch);
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

  applyReport(report: Report, asOf: number | null): WriteResult {
    return this.#applied(() => this.#writer.report(report, asOf));
  }

  countMissing(): { readonly missing: number; readonly held: number } {
    return { missing: this.#sync.countMissing(), held: this.totals().listed };
  }

  sweep(patch: Partial<SyncRecord>, generation: number): WriteResult {
    return this.#applied(() => this.#writer.sweep(patch, generation));
  }

  answers(questions: readonly string[], since: number): readonly KeptAnswer[] {
    // A file of a newer version may keep its answers in another way.
    return this.status.readOnly ? [] : this.#answers.read(questions, since);
  }

  keepAnswers(answers: readonly KeptAnswer[], since: number): void {
    if (!this.status.readOnly) this.#transaction(() => this.#answers.keep(answers, since));
  }

  poll(): LibraryChange {
    const change = this.#notices.poll();
    this.#fields.note(change);
    return change;
  }

  close(): void {
    this.#connection.close();
  }

  #applied(work: () => WriteResult): WriteResult {
    this.#mustWrite();
    const result = work();
    this.#fields.note(result.change);
    return result;
  }

  #write(work: () => LibraryChange): LibraryChange {
    return this.#transaction(() => {
      const change = work();
      this.#notices.add(change);
      return change;
    });
  }

  #transaction<T>(work: () => T): T {
    this.#mustWrite();
    return this.#connection.transaction(work);
  }

  #mustWrite(): void {
    if (this.status.readOnly) throw libraryError('read-only');
  }
}

const rebuiltNotice = l10n.later(
  'The library on this machine was written by an earlier version and is made anew: the next sync loads the metadata again. Downloaded PDFs and What’s New are kept.',
);

function statusOf({ readOnly, rebuilt, setAside, journal }: OpenedDatabase): LibraryStatus {
  const problem = readOnly ? 'read-only' : setAside ? 'corrupt' : null;
  const notice = problem ? libraryError(problem).message : rebuilt ? l10n.word(rebuiltNotice) : null;
  return { isKept: true, notice, readOnly, journal, setAside };
}
