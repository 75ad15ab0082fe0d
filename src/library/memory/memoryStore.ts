import type { LoggedChange, Unseen } from '../changeLog.ts';
import type { CompanyGroup, CompanyGroupBy, CompanyQuery, CompanyYear, LibraryCompany } from '../companyQuery.ts';
import type { CoverageMatrix } from '../coverage.ts';
import { FieldUseCount } from '../fieldUse.ts';
import { AnswerMemory, type KeptAnswer } from '../keptAnswers.ts';
import { type LibraryChange, noChange } from '../libraryChange.ts';
import { quarantinedId } from '../quarantinedId.ts';
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
import { summarise } from '../summarise.ts';
import type { Chain, SyncRecord } from '../sync/syncRecord.ts';
import { Writer } from '../writer.ts';
import { WrittenStore } from '../writtenStore.ts';
import { MemoryCompanies } from './memoryCompanies.ts';
import { memoryCoverage } from './memoryCoverage.ts';
import { MemoryReports } from './memoryReports.ts';
import { MemorySync } from './memorySync.ts';
import { MemoryTables } from './memoryTables.ts';

/** The library where SQLite is missing: everything works, nothing outlives the window. */
export class MemoryStore extends WrittenStore implements LibraryStore {
  readonly status: LibraryStatus;
  readonly #tables = new MemoryTables();
  readonly #reports = new MemoryReports(this.#tables);
  readonly #companies = new MemoryCompanies(this.#tables);
  readonly #sync: MemorySync;
  readonly #quarantined = new Map<string, QuarantineEntry>();
  protected readonly writer: Writer;
  protected readonly fields: FieldUseCount;
  readonly #answers = new AnswerMemory();
  #seen = 0;

  /** `notice` says why there is no file. */
  constructor(options: { readonly notice: string; readonly now: () => number }) {
    super();
    this.status = { storage: 'memory', notice: options.notice, readOnly: false, journal: null, setAside: null };
    const tables = this.#tables;
    this.fields = new FieldUseCount(tables.fieldSource());
    this.#sync = new MemorySync(options.now);
    const unconfirmed = new Set<string>();
    this.writer = new Writer({
      ingest: tables,
      quarantine: {
        add: (record, source, at) => {
          const raw = JSON.stringify(record.raw) ?? 'null';
          const report_id = quarantinedId(record.raw);
          const id = this.#quarantined.get(raw)?.id ?? this.#quarantined.size + 1;
          this.#quarantined.set(raw, { id, at, source, report_id, reason: record.reason, raw });
          return report_id;
        },
        release: (ids) => {
          for (const [raw, entry] of this.#quarantined) {
            if (entry.report_id !== null && ids.includes(entry.report_id)) this.#quarantined.delete(raw);
          }
        },
      },
      sync: this.#sync,
      watchlist: {
        begin: () => {
          for (const [key, company] of tables.companies) if (company.watched) unconfirmed.add(key);
        },
        keep: (company) => {
          unconfirmed.delete(company.company_key);
          return tables.watch(company);
        },
        end: () => {
          const dropped = [...unconfirmed];
          unconfirmed.clear();
          for (const key of dropped) {
            const company = tables.companies.get(key);
            if (company) company.watched = false;
          }
          return dropped;
        },
      },
      missing: () => this.#missing(),
      endWalk: () => {
        tables.marks.clear();
        this.#sync.end();
      },
      transaction: (work) => work(),
      beforeCommit() {},
      now: options.now,
    });
  }

  report(idOrKey: number | string): StoredReport | null {
    return this.#reports.one(idOrKey);
  }

  summaries(ids: readonly number[]): readonly ReportSummary[] {
    return ids.flatMap((id) => {
      const held = this.#tables.reports.get(id);
      return held ? summarise(held.report, held.fy, held.state) : [];
    });
  }

  storedReports(ids: readonly number[]): readonly StoredReport[] {
    return ids.flatMap((id) => this.#reports.held(id) ?? []);
  }

  reports(
    query: ReportQuery,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Listing<ReportSummary> {
    return this.#reports.list(query, page.after, page.limit);
  }

  reportIds(query: ReportQuery): readonly number[] {
    return this.#reports.matching(query).map(({ report }) => report.report_id);
  }

  countReports(query: ReportQuery): number {
    return this.#reports.matching(query).length;
  }

  groupReports(query: ReportQuery, by: GroupBy): readonly GroupCount[] {
    return this.#reports.groups(query, by);
  }

  company(key: string): LibraryCompany | null {
    return this.#companies.one(key);
  }

  companies(
    query: CompanyQuery,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Listing<LibraryCompany> {
    return this.#companies.list(query, page.after, page.limit);
  }

  companyGroups(by: CompanyGroupBy): readonly CompanyGroup[] {
    return this.#companies.groups(by);
  }

  companyYears(key: string): readonly CompanyYear[] {
    return this.#companies.years(key);
  }

  findCompanies(text: string, limit: number): readonly LibraryCompany[] {
    return this.#companies.search(text, limit);
  }

  coverage(keys?: readonly string[]): CoverageMatrix {
    const keysOfAll = () => this.#companies.all().map(({ company_key }) => company_key);
    return memoryCoverage(this.#tables, [...this.#tables.reports.values()], keys ?? keysOfAll());
  }

  coverageOf(query: ReportQuery): CoverageMatrix {
    return memoryCoverage(this.#tables, this.#reports.matching({ ...query, state: query.state ?? 'all' }));
  }

  totals(): LibraryTotals {
    const all = this.#companies.all();
    const sum = (pick: (company: LibraryCompany) => number) => all.reduce((total, company) => total + pick(company), 0);
    return {
      listed: sum((company) => company.listed),
      gone: sum((company) => company.gone),
      companies: all.length,
      quarantined: this.#quarantined.size,
    };
  }

  changes(page: { readonly before?: number | undefined; readonly limit: number }): readonly LoggedChange[] {
    const before = page.before ?? Number.MAX_SAFE_INTEGER;
    const entries = this.#tables.changes.filter(({ seq }) => seq < before).reverse();
    return entries.slice(0, page.limit).flatMap((entry) => {
      const held = this.#tables.reports.get(entry.report_id);
      if (!held) return [];
      const { report_key, company_key, company_name, report_title, report_type } = held.report;
      const fiscal_year = held.fy === 0 ? null : held.fy;
      return { ...entry, report_key, company_key, company_name, title: report_title, fiscal_year, type: report_type };
    });
  }

  unseen(reportIds: readonly number[]): Unseen {
    const mine = new Set(reportIds);
    const fresh = this.#tables.changes.filter(({ seq }) => seq > this.#seen);
    return { all: fresh.length, mine: fresh.filter(({ report_id }) => mine.has(report_id)).length };
  }

  markSeen(): LibraryChange {
    const last = this.#tables.changes.at(-1)?.seq ?? 0;
    if (last <= this.#seen) return noChange;
    this.#seen = last;
    return { ...noChange, news: true };
  }

  quarantine(limit: number): readonly QuarantineEntry[] {
    return [...this.#quarantined.values()].reverse().slice(0, limit);
  }

  syncRecord(): SyncRecord {
    return this.#sync.record();
  }

  chains(): readonly Chain[] {
    return this.#sync.chains();
  }

  acquireLease(holder: string, ttl: number): Lease | null {
    return this.#sync.acquire(holder, ttl);
  }

  renewLease(generation: number, ttl: number): Lease {
    return this.#sync.renew(generation, ttl);
  }

  releaseLease(generation: number): void {
    this.#sync.release(generation);
  }

  updateSync(patch: Partial<SyncRecord>, generation: number): LibraryChange {
    this.#sync.check(generation);
    this.#sync.update(patch);
    return { ...noChange, sync: true };
  }

  beginWalk(patch: Partial<SyncRecord>, filters: readonly Chain['filter'][], generation: number): LibraryChange {
    this.#sync.check(generation);
    this.#tables.marks.clear();
    this.#sync.begin(filters);
    this.#sync.update(patch);
    return { ...noChange, sync: true };
  }

  countMissing(): { readonly missing: number; readonly held: number } {
    return { missing: this.#missing().length, held: this.totals().listed };
  }

  answers(questions: readonly string[], since: number): readonly KeptAnswer[] {
    return this.#answers.read(questions, since);
  }

  keepAnswers(answers: readonly KeptAnswer[], since: number): void {
    this.#answers.keep(answers, since);
  }

  poll(): LibraryChange {
    return noChange;
  }

  readonly owesIndex = false;

  shrink(): void {}

  close(): void {}

  protected applied(work: () => WriteResult): WriteResult {
    const result = work();
    this.fields.note(result.change);
    return result;
  }

  #missing(): number[] {
    const missing: number[] = [];
    for (const [id, held] of this.#tables.reports) {
      if (held.state === 'listed' && !this.#tables.marks.has(id)) missing.push(id);
    }
    return missing;
  }
}
