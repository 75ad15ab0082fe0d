import type { Company } from '../api/schemas/company.ts';
import type { QuarantinedRecord } from '../api/schemas/page.ts';
import type { Change, Report } from '../api/schemas/report.ts';
import { ChangeBuilder, type Outcome } from './changeBuilder.ts';
import { stampOf } from './feedOrder.ts';
import type { LibraryChange } from './libraryChange.ts';
import type { FeedPage, ListPage, WatchlistPage, WriteResult } from './store.ts';
import type { SyncRecord } from './sync/syncRecord.ts';
import { laterTime } from './sync/times.ts';

/** Where a report comes from: the feed, with its place in the order of changes, or a list made up at a time (ms). */
export type Origin =
  | { readonly from: 'feed'; readonly stamp: number | null }
  | { readonly from: 'list'; readonly asOf: number | null };

/** How one write treats what it brings. */
export interface IngestOptions {
  /** Whether new and changed reports are news; not so while the library is first filled. */
  readonly log: boolean;
  /** Whether reports not held yet are news; not so for those that only the walk after an unproven first load finds. */
  readonly logNew: boolean;
  /** Whether what is seen is marked for the sweep of a full walk. */
  readonly mark: boolean;
  readonly now: number;
}

/** Brings reports and withdrawals into what is held, each in the order the service meant. */
export interface Ingesting {
  /** Tells which reports the transaction brings, where they are many; what was told in an earlier one is forgotten. */
  expect(ids: readonly number[]): void;
  upsert(report: Report, origin: Origin, options: IngestOptions, built: ChangeBuilder): Outcome;
  withdraw(id: number, stamp: number | null, options: IngestOptions, built: ChangeBuilder): Outcome;
  remove(id: number, options: IngestOptions, built: ChangeBuilder): void;
  retire(old: number, survivor: number, options: IngestOptions, built: ChangeBuilder): void;
  mark(id: number): void;
}

/** What the writes need of a store. */
export interface WriterParts {
  readonly ingest: Ingesting;
  readonly quarantine: {
    /** Keeps a record; returns the id of the report it seems to be about, or null. */
    add(record: QuarantinedRecord, source: string, at: number): number | null;
    release(reportIds: readonly number[]): void;
  };
  readonly sync: {
    record(): SyncRecord;
    update(patch: Partial<SyncRecord>): void;
    advance(chain: number, cursor: string | null, done: boolean, reports: number): void;
    /** Throws `lease-lost` unless the generation is the present one. */
    check(generation: number): void;
  };
  readonly watchlist: {
    begin(): void;
    /** True when the item changed something. */
    keep(company: Company): boolean;
    /** Keys of the companies that are no longer watched. */
    end(): readonly string[];
  };
  /** Listed reports that the present walk has not brought. */
  missing(): Iterable<number>;
  /** Forgets chains and marks. */
  endWalk(): void;
  /** All of the work is kept, or none. */
  transaction<T>(work: () => T): T;
  /** Called with the change before the transaction ends. */
  beforeCommit(change: LibraryChange): void;
  readonly now: () => number;
}

/** The writes of the sync: each is one transaction that holds rows, cursor, counts, log and notice together. */
export class Writer {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  listPage(page: ListPage): WriteResult {
    return this.#write(page.generation, (built, record, given) => {
      const options = { ...given, logNew: given.log && record.walkOwed !== 'incomplete-load' };
      const ids = page.reports.map((report) => report.report_id);
      this.#parts.ingest.expect(ids);
      for (const report of page.reports) {
        built.count(this.#parts.ingest.upsert(report, { from: 'list', asOf: page.asOf }, options, built));
      }
      this.#parts.quarantine.release(ids);
      this.#setAside(page.quarantined, 'GET /reports', page.chain ? record : null, options, built);
      if (page.chain) {
        const { id, cursor, done } = page.chain;
        this.#parts.sync.advance(id, cursor, done, page.reports.length);
        built.sync = true;
      }
    });
  }

  feedPage(page: FeedPage): WriteResult {
    return this.#write(page.generation, (built, record, options) => {
      let lastChangedAt = record.lastChangedAt;
      for (const change of page.changes) {
        built.count(this.#change(change, options, built));
        lastChangedAt = laterTime(lastChangedAt, change.changed_at);
      }
      this.#setAside(page.quarantined, 'GET /reports/changes', null, options, built);
      const cursor = page.cursor ?? record.cursor;
      const syncedAt = page.atEnd ? options.now : record.syncedAt;
      this.#parts.sync.update({ cursor, lastChangedAt, syncedAt });
      built.sync = true;
    });
  }

  watchlist(page: WatchlistPage): WriteResult {
    const { watchlist } = this.#parts;
    return this.#write(null, (built) => {
      if (page.first) watchlist.begin();
      for (const company of page.companies) if (watchlist.keep(company)) built.company(company.company_key);
      if (page.last) for (const key of watchlist.end()) built.company(key);
    });
  }

  sweep(patch: Partial<SyncRecord>, generation: number): WriteResult {
    return this.#write(generation, (built, _record, options) => {
      for (const id of this.#parts.missing()) this.#parts.ingest.remove(id, options, built);
      this.#parts.endWalk();
      this.#parts.sync.update(patch);
      built.sync = true;
    });
  }

  report(report: Report, asOf: number | null): WriteResult {
    return this.#write(null, (built, _record, options) => {
      built.count(this.#parts.ingest.upsert(report, { from: 'list', asOf }, options, built));
      this.#parts.quarantine.release([report.report_id]);
    });
  }

  #change(change: Change, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { ingest, quarantine } = this.#parts;
    if (change.change === 'withdrawn') {
      return ingest.withdraw(change.report_id, stampOf(change.changed_at, true), options, built);
    }
    if (change.change !== 'upsert' || !change.report) {
      const reason =
        change.change === 'upsert' ? 'The change brings no report.' : 'The change is of a kind not known yet.';
      quarantine.add({ raw: change, reason }, 'GET /reports/changes', options.now);
      return 'quarantined';
    }
    const { report } = change;
    if (report.report_id !== change.report_id) ingest.retire(change.report_id, report.report_id, options, built);
    quarantine.release([report.report_id]);
    return ingest.upsert(report, { from: 'feed', stamp: stampOf(change.changed_at, false) }, options, built);
  }

  #setAside(
    records: readonly QuarantinedRecord[],
    source: string,
    walking: SyncRecord | null,
    options: IngestOptions,
    built: ChangeBuilder,
  ): void {
    let unreadable = 0;
    for (const record of records) {
      const id = this.#parts.quarantine.add(record, source, options.now);
      // An unreadable record is still there, so what is held of it must not be swept.
      if (id !== null && options.mark) this.#parts.ingest.mark(id);
      if (id === null) unreadable++;
      built.count('quarantined');
    }
    if (unreadable > 0 && walking?.walk) {
      const walk = { ...walking.walk, unreadable: walking.walk.unreadable + unreadable };
      this.#parts.sync.update({ walk });
    }
  }

  #write(
    generation: number | null,
    work: (built: ChangeBuilder, record: SyncRecord, options: IngestOptions) => void,
  ): WriteResult {
    const { sync } = this.#parts;
    return this.#parts.transaction(() => {
      if (generation !== null) sync.check(generation);
      const record = sync.record();
      const built = new ChangeBuilder();
      this.#parts.ingest.expect([]);
      const log = record.phase === 'following';
      work(built, record, {
        log,
        logNew: log,
        mark: record.walk?.kind === 'full' || record.question !== null,
        now: this.#parts.now(),
      });
      this.#parts.beforeCommit(built.change);
      return { counts: built.counts, change: built.change };
    });
  }
}
