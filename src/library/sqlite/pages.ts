import { objectItem, type Page, type QuarantinedRecord, type RawPage, readPage } from '../../api/schemas/page.ts';
import type { Reading } from '../../api/schemas/record.ts';
import { type Change, type Report, readChange, readReport } from '../../api/schemas/report.ts';
import { nesting } from '../../base/json.ts';
import type { Outcome } from '../libraryChange.ts';
import { LibraryError, libraryError } from '../libraryError.ts';
import type { FeedPage, ListPage, TakenPage, WatchlistPage, WriteResult } from '../store.ts';
import { laterTime } from '../sync/syncRecord.ts';
import { endWatchlist } from './companyTable.ts';
import { retire, stampOf, upsert, type Writing, withdraw } from './ingest.ts';
import { markReport } from './reportTable.ts';
import { advanceChain, releaseRecords, setRecordAside, updateRecord } from './syncTables.ts';

export const readItem = { change: objectItem(readChange), report: objectItem(readReport) };

/**
 * Reads and stores a page. Throws `unreadable-page`, also for a page that leads back to itself.
 * @param cursor what the page was requested with
 */
export function takePage<T extends Report | Change>(
  incoming: RawPage,
  cursor: string | null | undefined,
  read: (raw: unknown) => Reading<T>,
  store: (page: Page<T>) => WriteResult,
): TakenPage {
  const page = readRawPage(incoming, read);
  const { has_more, next_cursor, count } = page;
  if (has_more && next_cursor === cursor) throw libraryError('unreadable-page');
  const received = page.data.length + page.quarantined.length;
  // `count` may be the length of the page or of the list; only one larger than the page can be the list's.
  const total = count !== null && count > received ? count : null;
  return { ...store(page), received, has_more, next_cursor, total };
}

const maxBytes = 32 * 1024 * 1024;

/** Checks size and nesting before anything is parsed. */
function readRawPage<T>({ body: bytes, serverTime }: RawPage, read: (raw: unknown) => Reading<T>): Page<T> {
  if (bytes.byteLength > maxBytes || nesting(bytes) !== 'closed') throw libraryError('unreadable-page');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The parser's message quotes the body, so it isn't shown.
    throw libraryError('unreadable-page');
  }
  const reading = readPage(body, serverTime, read);
  if (reading.ok) return reading.value;
  throw new LibraryError('unreadable-page', `${reading.reason} It was discarded; sync again later.`);
}

/** The changes in records that were set aside, as far as they can be read now. */
export function changesAside(
  aside: readonly QuarantinedRecord[],
  isHeld: (reportId: number) => boolean,
): readonly Change[] {
  return aside.flatMap(({ raw }) => {
    const change = readItem.change(raw);
    if (change.ok) return change.value.report ? [change.value] : [];
    const report = readItem.report(raw);
    // A list says nothing of when a report changed, so a version that came since is newer.
    if (!report.ok || isHeld(report.value.report_id)) return [];
    const { report_id, report_key, company_key, content_sha256 } = report.value;
    const ids = { report_id, report_key, company_key, content_sha256 };
    return [{ ...ids, change: 'upsert', changed_at: null, report: report.value, other: {} }];
  });
}

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

/** Stores a page of the change feed, with the cursor that belongs to it (CHG-2). */
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

/** Returns how many of the records name no report that could be marked. */
function setAside(writing: Writing, records: readonly QuarantinedRecord[], source: string): number {
  let unreadable = 0;
  for (const record of records) {
    const id = setRecordAside(writing.db, record, source, writing.now);
    // The service still has an unreadable record, so what is held of it must not be swept.
    if (id !== null && writing.mark) markReport(writing.db, id);
    if (id === null) unreadable++;
    writing.built.counts.quarantined++;
  }
  return unreadable;
}
