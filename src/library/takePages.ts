import { objectItem, type Page, type QuarantinedRecord, type RawPage, readPage } from '../api/schemas/page.ts';
import type { Reading } from '../api/schemas/record.ts';
import { type Change, type Report, readChange, readReport } from '../api/schemas/report.ts';
import { nesting } from '../base/json.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import type { FeedPage, ListPage, TakeChanges, TakenPage, TakeReports, WriteResult } from './store.ts';

/** Reads a page of reports, and has it stored. Throws `unreadable-page` for one that leads back to itself. */
export function takeReports(
  { incoming, chain, generation }: TakeReports,
  store: (page: ListPage) => WriteResult,
): TakenPage {
  const page = readRawPage(incoming, readItem.report);
  if (chain && page.has_more && page.next_cursor === chain.cursor) throw libraryError('unreadable-page');
  const written = store({
    reports: page.data,
    quarantined: page.quarantined,
    asOf: page.serverTime,
    chain: chain && { id: chain.id, cursor: page.next_cursor, done: !page.has_more },
    generation,
  });
  return taken(page, written);
}

/** The same for a page of the change feed. */
export function takeChanges(
  { incoming, cursor, generation }: TakeChanges,
  store: (page: FeedPage) => WriteResult,
): TakenPage {
  const page = readRawPage(incoming, readItem.change);
  // A feed that announces more at the very place that was asked for would never end.
  if (page.has_more && page.next_cursor === cursor) throw libraryError('unreadable-page');
  const written = store({
    changes: page.data,
    quarantined: page.quarantined,
    cursor: page.next_cursor,
    atEnd: !page.has_more,
    generation,
  });
  return taken(page, written);
}

/** The changes in what was set aside, as far as they can be read now. */
export function changesAside(
  aside: readonly QuarantinedRecord[],
  isHeld: (reportId: number) => boolean,
): readonly Change[] {
  return aside.flatMap(({ raw }) => {
    const asChange = readItem.change(raw);
    if (asChange.ok && asChange.value.report) return [asChange.value];
    const asReport = asChange.ok ? null : readItem.report(raw);
    // A list says nothing of when a report changed, so what has come since, by a list or the feed, goes first.
    return asReport?.ok && !isHeld(asReport.value.report_id) ? [asUpsert(asReport.value)] : [];
  });
}

const readItem = { change: objectItem(readChange), report: objectItem(readReport) };

function asUpsert(report: Report): Change {
  const { report_id, report_key, company_key, content_sha256 } = report;
  return { change: 'upsert', report_id, report_key, company_key, content_sha256, changed_at: null, report, other: {} };
}

function taken(page: Page<Report> | Page<Change>, written: WriteResult): TakenPage {
  const received = page.data.length + page.quarantined.length;
  return {
    ...written,
    received,
    has_more: page.has_more,
    next_cursor: page.next_cursor,
    // `count` may be the length of the page or of the list; only one larger than the page can be the list's.
    total: page.count !== null && page.count > received ? page.count : null,
  };
}

const largest = 32 * 1024 * 1024;

/** Reads a page. Throws `unreadable-page`; the bytes are looked at before anything is made of them. */
function readRawPage<T>({ body: bytes, serverTime }: RawPage, read: (raw: unknown) => Reading<T>): Page<T> {
  if (bytes.byteLength > largest || nesting(bytes) !== 'closed') throw libraryError('unreadable-page');
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The parser's message quotes the body, which nobody should have to read.
    throw libraryError('unreadable-page');
  }
  const reading = readPage(body, serverTime, read);
  if (reading.ok) return reading.value;
  throw new LibraryError('unreadable-page', `${reading.reason} It was discarded; sync again later.`);
}
