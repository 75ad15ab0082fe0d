import type { LoggedChange, Unseen } from '../changeLog.ts';
import type { CompanyGroup, CompanyGroupBy, CompanyQuery, CompanyYear, LibraryCompany } from '../companyQuery.ts';
import type { CoverageMatrix } from '../coverage.ts';
import { FieldUseCount } from '../fieldUse.ts';
import type { KeptAnswer } from '../keptAnswers.ts';
import { isNoChange, joinChanges, type LibraryChange, noChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import type { GroupBy, GroupCount, Listing, ReportQuery, ReportSummary } from '../reportQuery.ts';
import type {
  Lease,
  LibraryStatus,
  LibraryStore,
  LibraryTotals,
  QuarantineEntry,
  StoredReport,
  WriteResult,
} from '../store.ts';
import type { Chain, SyncRecord } from '../sync/syncRecord.ts';
import type { Writer } from '../writer.ts';
import { WrittenStore } from '../writtenStore.ts';
import { missingSql, type SqliteOptions, sqliteParts } from './sqliteParts.ts';

type Page<Position> = { readonly limit: number } & Position;

/** The library in a SQLite file. */
export class SqliteStore extends WrittenStore implements LibraryStore {
  readonly status: LibraryStatus;
  readonly #parts: ReturnType<typeof sqliteParts>;
  protected readonly writer: Writer;
  protected readonly fields: FieldUseCount;
  /** What others wrote that has been taken in but not told by {@link poll}. */
  #untold: LibraryChange = noChange;

  /** Opens the file, making or migrating it as needed. Throws a `LibraryError`. */
  constructor(options: SqliteOptions) {
    super();
    this.#parts = sqliteParts(options);
    const { status, writer, reports } = this.#parts;
    this.status = status;
    this.writer = writer;
    this.fields = new FieldUseCount({
      after: (id, limit) => reports.listedAfter(id, limit),
      total: () => this.totals().listed,
    });
  }

  report(idOrKey: number | string): StoredReport | null {
    return this.#parts.stored.one(idOrKey);
  }

  summaries(reportIds: readonly number[]): readonly ReportSummary[] {
    return this.#parts.reportQueries.summaries(reportIds);
  }

  storedReports(reportIds: readonly number[]): readonly StoredReport[] {
    return this.#parts.stored.all(reportIds);
  }

  reports(query: ReportQuery, page: Page<{ readonly after?: string | undefined }>): Listing<ReportSummary> {
    return this.#parts.reportQueries.list(query, page.after, page.limit);
  }

  reportIds(query: ReportQuery): readonly number[] {
    return this.#parts.reportQueries.ids(query);
  }

  countReports(query: ReportQuery): number {
    return this.#parts.reportQueries.count(query);
  }

  groupReports(query: ReportQuery, by: GroupBy): readonly GroupCount[] {
    return this.#parts.reportQueries.groups(query, by);
  }

  company(companyKey: string): LibraryCompany | null {
    return this.#parts.companyQueries.one(companyKey);
  }

  companies(query: CompanyQuery, page: Page<{ readonly after?: string | undefined }>): Listing<LibraryCompany> {
    return this.#parts.companyQueries.list(query, page.after, page.limit);
  }

  companyGroups(by: CompanyGroupBy): readonly CompanyGroup[] {
    this.#takeIn();
    return this.#parts.companyTallies.groups(by);
  }

  companyYears(companyKey: string): readonly CompanyYear[] {
    return this.#parts.companyQueries.years(companyKey);
  }

  findCompanies(text: string, limit: number): readonly LibraryCompany[] {
    return this.#parts.companyQueries.search(text, limit);
  }

  coverage(companyKeys?: readonly string[]): CoverageMatrix {
    this.#takeIn();
    return companyKeys ? this.#parts.coverage.of(companyKeys) : this.#parts.coverage.all();
  }

  coverageOf(query: ReportQuery): CoverageMatrix {
    return this.#parts.coverage.found(query);
  }

  totals(): LibraryTotals {
    this.#takeIn();
    return { ...this.#parts.companyTallies.totals(), quarantined: this.#parts.quarantine.count() };
  }

  changes(page: Page<{ readonly before?: number | undefined }>): readonly LoggedChange[] {
    return this.#parts.log.list(page.before, page.limit);
  }

  unseen(reportIds: readonly number[]): Unseen {
    return this.#parts.log.unseen(reportIds);
  }

  markSeen(): LibraryChange {
    return this.#write(() => (this.#parts.log.markSeen() ? { ...noChange, news: true } : noChange));
  }

  quarantine(limit: number): readonly QuarantineEntry[] {
    return this.#parts.quarantine.list(limit);
  }

  syncRecord(): SyncRecord {
    return this.#parts.sync.record();
  }

  chains(): readonly Chain[] {
    return this.#parts.sync.chains();
  }

  acquireLease(holder: string, ttl: number): Lease | null {
    this.#mustWrite();
    return this.#parts.connection.transaction(() => this.#parts.sync.acquire(holder, ttl));
  }

  renewLease(generation: number, ttl: number): Lease {
    this.#mustWrite();
    return this.#parts.connection.transaction(() => this.#parts.sync.renew(generation, ttl));
  }

  releaseLease(generation: number): void {
    this.#mustWrite();
    this.#parts.connection.transaction(() => this.#parts.sync.release(generation));
  }

  updateSync(patch: Partial<SyncRecord>, generation: number): LibraryChange {
    return this.#write(() => {
      this.#parts.sync.check(generation);
      this.#parts.sync.update(patch);
      // A first load has ended. Together with its end, so that what follows finds the index whatever happens.
      if (patch.phase === 'following') this.#parts.filters.make();
      return { ...noChange, sync: true };
    });
  }

  beginWalk(patch: Partial<SyncRecord>, filters: readonly Chain['filter'][], generation: number): LibraryChange {
    return this.#write(() => {
      this.#parts.sync.check(generation);
      this.#parts.sync.begin(filters);
      this.#parts.sync.update(patch);
      return { ...noChange, sync: true };
    });
  }

  countMissing(): { readonly missing: number; readonly held: number } {
    return {
      missing: this.#parts.connection.number(`SELECT count(*) FROM (${missingSql})`),
      held: this.totals().listed,
    };
  }

  answers(questions: readonly string[], since: number): readonly KeptAnswer[] {
    // A file of a newer version may keep its answers in another way.
    return this.status.readOnly ? [] : this.#parts.answers.read(questions, since);
  }

  keepAnswers(answers: readonly KeptAnswer[], since: number): void {
    if (this.status.readOnly) return;
    this.#parts.connection.transaction(() => this.#parts.answers.keep(answers, since));
  }

  poll(): LibraryChange {
    this.#takeIn();
    const untold = this.#untold;
    this.#untold = noChange;
    return untold;
  }

  get owesIndex(): boolean {
    // Without a write-ahead log nobody could read meanwhile.
    return this.status.journal === 'wal' && !this.status.readOnly && !this.#parts.filters.isMade;
  }

  shrink(): void {
    this.#parts.connection.exec('PRAGMA shrink_memory');
  }

  close(): void {
    this.#parts.tokenizer.close();
    this.#parts.connection.close();
  }

  protected applied(work: () => WriteResult): WriteResult {
    this.#mustWrite();
    const result = work();
    this.#note(result.change);
    return result;
  }

  /** What other windows wrote, so that an answer from what is kept is as fresh as one from the file. */
  #takeIn(): void {
    const change = this.#parts.notices.poll();
    if (isNoChange(change)) return;
    if (change.companies.length > 0) this.#parts.companies.forget();
    this.#note(change);
    this.#untold = joinChanges([this.#untold, change]);
  }

  #note(change: LibraryChange): void {
    this.#parts.coverage.note(change);
    this.#parts.companyTallies.note(change);
    this.fields.note(change);
  }

  #write(work: () => LibraryChange): LibraryChange {
    this.#mustWrite();
    return this.#parts.connection.transaction(() => {
      const change = work();
      this.#parts.notices.add(change);
      return change;
    });
  }

  #mustWrite(): void {
    if (this.status.readOnly) throw libraryError('read-only');
  }
}
