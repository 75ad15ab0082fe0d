import type { QuarantinedRecord } from '../../api/schemas/page.ts';
import type { Change } from '../../api/schemas/report.ts';
import { stampOf } from '../arrivals.ts';
import type { Outcome } from '../libraryChange.ts';
import type { FeedPage, ListPage, WatchlistPage } from '../store.ts';
import { laterTime } from '../sync/syncRecord.ts';
import { endWatchlist } from './companyTable.ts';
import { retire, upsert, type Writing, withdraw } from './ingest.ts';
import { markReport } from './reportTable.ts';
import { advanceChain, releaseRecords, setRecordAside, updateRecord } from './syncTables.ts';

export function writeListPage(writing: Writing, { reports, asOf, chain, quarantined }: ListPage): void {
  const { db, built } = writing;
  for (const report of reports) built.counts[upsert(writing, report, { from: 'list', asOf })]++;
  const ids = reports.map(({ report_id }) => report_id);
  releaseRecords(db, ids);
  const unreadable = setAside(writing, quarantined, 'GET /reports');
  if (!chain) return;
  const { walk } = writing.record;
  if (walk && unreadable > 0) updateRecord(db, { walk: { ...walk, unreadable: walk.unreadable + unreadable } });
  advanceChain(db, chain.id, chain.cursor, chain.done, reports.length);
  built.sync = true;
}

/** Keeps a page of the change feed, with the cursor that belongs to it (CHG-2). */
export function writeFeedPage(writing: Writing, page: FeedPage): void {
  const { db, built, record } = writing;
  let { lastChangedAt } = record;
  for (const change of page.changes) {
    built.counts[writeChange(writing, change)]++;
    lastChangedAt = laterTime(lastChangedAt, change.changed_at);
  }
  setAside(writing, page.quarantined, 'GET /reports/changes');
  const syncedAt = page.atEnd ? writing.now : record.syncedAt;
  updateRecord(db, { cursor: page.cursor ?? record.cursor, lastChangedAt, syncedAt });
  built.sync = true;
}

export function writeWatchlist({ db, companies, built }: Writing, page: WatchlistPage): void {
  const { reading } = page;
  for (const company of page.companies) if (companies.watch(company, reading)) built.company(company.company_key);
  if (page.last) for (const key of endWatchlist(db, reading)) built.company(key);
}

function writeChange(writing: Writing, change: Change): Outcome {
  const { db } = writing;
  if (change.change === 'withdrawn') return withdraw(writing, change.report_id, stampOf(change.changed_at, true));
  if (change.change !== 'upsert' || !change.report) {
    const reason =
      change.change === 'upsert' ? 'The change brings no report.' : 'The change is of a kind not known yet.';
    setRecordAside(db, { raw: change, reason }, 'GET /reports/changes', writing.now);
    return 'quarantined';
  }
  const { report } = change;
  if (report.report_id !== change.report_id) retire(writing, change.report_id, report.report_id);
  releaseRecords(db, [report.report_id]);
  return upsert(writing, report, { from: 'feed', stamp: stampOf(change.changed_at, false) });
}

/** Tells how many of the records name no report that could be marked. */
function setAside(writing: Writing, records: readonly QuarantinedRecord[], source: string): number {
  let unreadable = 0;
  for (const record of records) {
    const id = setRecordAside(writing.db, record, source, writing.now);
    // An unreadable record is still there, so what is held of it must not be swept.
    if (id !== null && writing.mark) markReport(writing.db, id);
    if (id === null) unreadable++;
    writing.built.counts.quarantined++;
  }
  return unreadable;
}
