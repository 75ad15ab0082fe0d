import type { Report } from '../api/schemas/report.ts';
import type { FieldUseCount, FieldUseReading } from './fieldUse.ts';
import type { FeedPage, ListPage, WatchlistPage, WriteResult } from './store.ts';
import type { SyncRecord } from './sync/syncRecord.ts';
import type { Writer } from './writer.ts';

/** What both kinds of store do alike: writes go through the one writer, and whoever keeps count hears of them. */
export abstract class WrittenStore {
  protected abstract readonly writer: Writer;
  protected abstract readonly fields: FieldUseCount;

  /** Does a write and tells what it changed to those who keep something of what is held. */
  protected abstract applied(work: () => WriteResult): WriteResult;

  fieldUse(): FieldUseReading {
    return this.fields.advance();
  }

  applyListPage(page: ListPage): WriteResult {
    return this.applied(() => this.writer.listPage(page));
  }

  applyFeedPage(page: FeedPage): WriteResult {
    return this.applied(() => this.writer.feedPage(page));
  }

  applyWatchlist(page: WatchlistPage): WriteResult {
    return this.applied(() => this.writer.watchlist(page));
  }

  applyReport(report: Report, asOf: number | null): WriteResult {
    return this.applied(() => this.writer.report(report, asOf));
  }

  sweep(patch: Partial<SyncRecord>, generation: number): WriteResult {
    return this.applied(() => this.writer.sweep(patch, generation));
  }
}
