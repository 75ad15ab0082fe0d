import { objectItem, type Page, type RawPage, readPage } from '../api/schemas/page.ts';
import type { Reading } from '../api/schemas/record.ts';
import { type Change, type Report, readChange, readReport } from '../api/schemas/report.ts';
import { nesting } from '../base/json.ts';
import type { LibraryMethods, TakeChanges, TakenPage, TakeReports } from './library.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { WriteResult } from './store.ts';

/** A store with what can be asked of it in pages as they come from the service. */
export function methodsOf(store: LibraryStore): LibraryStore & LibraryMethods {
  return {
    ...store,
    takeReports: (page) => takeReports(store, page),
    takeChanges: (page) => takeChanges(store, page),
    replayQuarantine: (generation) => replayQuarantine(store, generation),
  };
}

function takeReports(store: LibraryStore, { incoming, chain, generation }: TakeReports): TakenPage {
  const page = readRawPage(incoming, readItem.report);
  if (chain && page.has_more && page.next_cursor === chain.cursor) throw libraryError('unreadable-page');
  const written = store.applyListPage({
    reports: page.data,
    quarantined: page.quarantined,
    asOf: page.serverTime,
    chain: chain && { id: chain.id, cursor: page.next_cursor, done: !page.has_more },
    generation,
  });
  return taken(page, written);
}

function takeChanges(store: LibraryStore, { incoming, cursor, generation }: TakeChanges): TakenPage {
  const page = readRawPage(incoming, readItem.change);
  // A feed that announces more at the very place that was asked for would never end.
  const stuck = page.has_more && page.next_cursor === cursor;
  if (stuck) throw libraryError('unreadable-page');
  const written = store.applyFeedPage({
    changes: page.data,
    quarantined: page.quarantined,
    cursor: page.next_cursor,
    atEnd: !page.has_more,
    generation,
  });
  return taken(page, written);
}

function replayQuarantine(store: LibraryStore, generation: number): WriteResult | null {
  const changes: Change[] = [];
  for (const { raw } of store.recordsAside()) {
    const asChange = readItem.change(raw);
    const asReport = asChange.ok ? null : readItem.report(raw);
    if (asChange.ok && asChange.value.report) changes.push(asChange.value);
    // A list says nothing of when a report changed, so what has come since, by a list or the feed, goes first.
    else if (asReport?.ok && !store.report(asReport.value.report_id)) changes.push(asUpsert(asReport.value));
  }
  if (changes.length === 0) return null;
  return store.applyFeedPage({ changes, quarantined: [], cursor: null, atEnd: false, generation });
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
