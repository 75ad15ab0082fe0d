import type { QuarantinedRecord } from '../../api/schemas/page.ts';
import type { Change, Report } from '../../api/schemas/report.ts';
import { stampOf } from '../arrivals.ts';
import { ChangeBuilder, type Outcome } from '../libraryChange.ts';
import type { FeedPage, ListPage, WatchlistPage, WriteResult } from '../store.ts';
import { laterTime, type SyncRecord } from '../sync/syncRecord.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection } from './connection.ts';
import type { Ingest, IngestOptions } from './ingest.ts';
import type { NoticeTable } from './noticeTable.ts';
import type { QuarantineTable } from './quarantineTable.ts';
import type { SyncTables } from './syncTables.ts';

/** What the writes work on. */
interface Tables {
  readonly connection: Connection;
  readonly ingest: Ingest;
  readonly companies: CompanyTable;
  readonly quarantine: QuarantineTable;
  readonly sync: SyncTables;
  readonly notices: NoticeTable;
  readonly now: () => number;
}

/** The writes of the sync: each is one transaction that holds rows, cursor, counts, log and notice together. */
export class Writer {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  listPage(page: ListPage): WriteResult {
    return this.#write(page.generation, (built, record, given) => {
      const options = { ...given, logNew: given.log && record.walkOwed !== 'incomplete-load' };
      for (const report of page.reports) {
        built.count(this.#tables.ingest.upsert(report, { from: 'list', asOf: page.asOf }, options, built));
      }
      this.#tables.quarantine.release(page.reports.map((report) => report.report_id));
      this.#setAside(page.quarantined, 'GET /reports', page.chain ? record : null, options, built);
      if (page.chain) {
        const { id, cursor, done } = page.chain;
        this.#tables.sync.advance(id, cursor, done, page.reports.length);
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
      this.#tables.sync.update({ cursor, lastChangedAt, syncedAt });
      built.sync = true;
    });
  }

  watchlist(page: WatchlistPage): WriteResult {
    const { companies } = this.#tables;
    return this.#write(null, (built) => {
      if (page.first) companies.beginWatchlist();
      for (const company of page.companies) if (companies.watch(company)) built.company(company.company_key);
      if (page.last) for (const key of companies.endWatchlist()) built.company(key);
    });
  }

  sweep(patch: Partial<SyncRecord>, generation: number): WriteResult {
    return this.#write(generation, (built, _record, options) => {
      const { ingest, sync } = this.#tables;
      for (const id of sync.missing()) ingest.remove(id, options, built);
      sync.end();
      sync.update(patch);
      built.sync = true;
    });
  }

  report(report: Report, asOf: number | null): WriteResult {
    return this.#write(null, (built, _record, options) => {
      built.count(this.#tables.ingest.upsert(report, { from: 'list', asOf }, options, built));
      this.#tables.quarantine.release([report.report_id]);
    });
  }

  #change(change: Change, options: IngestOptions, built: ChangeBuilder): Outcome {
    const { ingest, quarantine } = this.#tables;
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
      const id = this.#tables.quarantine.add(record, source, options.now);
      // An unreadable record is still there, so what is held of it must not be swept.
      if (id !== null && options.mark) this.#tables.ingest.mark(id);
      if (id === null) unreadable++;
      built.count('quarantined');
    }
    if (unreadable > 0 && walking?.walk) {
      const walk = { ...walking.walk, unreadable: walking.walk.unreadable + unreadable };
      this.#tables.sync.update({ walk });
    }
  }

  #write(
    generation: number | null,
    work: (built: ChangeBuilder, record: SyncRecord, options: IngestOptions) => void,
  ): WriteResult {
    const { connection, sync, ingest, companies, notices, now } = this.#tables;
    return connection.transaction(() => {
      companies.forget();
      if (generation !== null) sync.check(generation);
      const record = sync.record();
      const built = new ChangeBuilder();
      const log = record.phase === 'following';
      work(built, record, {
        log,
        logNew: log,
        mark: record.walk?.kind === 'full' || record.question !== null,
        now: now(),
      });
      ingest.flush();
      notices.add(built.change);
      return { counts: built.counts, change: built.change };
    });
  }
}
