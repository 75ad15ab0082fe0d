import { objectItem } from '../api/schemas/page.ts';
import { type Change, type Report, readChange, readReport } from '../api/schemas/report.ts';
import { libraryError } from './libraryError.ts';
import { type IncomingPage, readChangesPage, readReportsPage } from './pageReading.ts';
import type { LibraryStatus, LibraryStore, WriteResult } from './store.ts';

/** What became of a page, and where its list goes on. */
export interface TakenPage extends WriteResult {
  readonly received: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** What the page says of the list's length, if it can mean that; null otherwise. */
  readonly total: number | null;
  readonly serverTime: number | null;
}

/** A page of `GET /reports` on its way to the library. */
export interface TakeReports {
  readonly incoming: IncomingPage<Report>;
  /** The chain it belongs to and the cursor it was asked for with; null for a page fetched out of turn. */
  readonly chain: { readonly id: number; readonly cursor: string | null } | null;
  readonly generation: number | null;
}

/** A page of the change feed on its way to the library. */
export interface TakeChanges {
  readonly incoming: IncomingPage<Change>;
  /** The cursor it was asked for with, or null. */
  readonly cursor: string | null;
  readonly generation: number;
}

/** What a store does for its own thread alone. */
type Hidden = 'status' | 'close' | 'poll' | 'shrink' | 'owesIndex' | 'applyListPage' | 'applyFeedPage';

/** Everything that can be asked of a library, whichever thread it lives in. */
export type LibraryMethods = Omit<LibraryStore, Hidden> & {
  status(): LibraryStatus;
  takeReports(page: TakeReports): TakenPage;
  takeChanges(page: TakeChanges): TakenPage;
  /** Reads what was set aside once more: a newer version may understand it. Null when nothing was. */
  replayQuarantine(generation: number): WriteResult | null;
};

/** Names of the methods: `read` ones go before `write` ones that are waiting. */
export const libraryMethods: Readonly<Record<keyof LibraryMethods, 'read' | 'write'>> = {
  status: 'read',
  report: 'read',
  storedReports: 'read',
  summaries: 'read',
  reports: 'read',
  reportIds: 'read',
  countReports: 'read',
  groupReports: 'read',
  company: 'read',
  companies: 'read',
  companyGroups: 'read',
  companyYears: 'read',
  findCompanies: 'read',
  coverage: 'read',
  coverageOf: 'read',
  totals: 'read',
  fieldUse: 'read',
  changes: 'read',
  unseen: 'read',
  quarantine: 'read',
  syncRecord: 'read',
  chains: 'read',
  answers: 'read',
  countMissing: 'write',
  markSeen: 'write',
  acquireLease: 'write',
  renewLease: 'write',
  releaseLease: 'write',
  updateSync: 'write',
  beginWalk: 'write',
  applyWatchlist: 'write',
  sweep: 'write',
  applyReport: 'write',
  keepAnswers: 'write',
  takeReports: 'write',
  takeChanges: 'write',
  replayQuarantine: 'write',
};

/** The methods of a store, with the reading of pages in front. */
export function methodsOf(store: LibraryStore): LibraryMethods {
  const methods: Record<string, unknown> = {
    status: () => store.status,
    takeReports: (page: TakeReports) => takeReports(store, page),
    takeChanges: (page: TakeChanges) => takeChanges(store, page),
    replayQuarantine: (generation: number) => replayQuarantine(store, generation),
  };
  for (const name in libraryMethods) {
    if (name in methods) continue;
    const method = store[name as keyof LibraryStore] as (...values: unknown[]) => unknown;
    methods[name] = method.bind(store);
  }
  return methods as unknown as LibraryMethods;
}

function takeReports(store: LibraryStore, { incoming, chain, generation }: TakeReports): TakenPage {
  const page = readReportsPage(incoming);
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
  const page = readChangesPage(incoming);
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
  for (const entry of store.quarantine(mostReplayed)) {
    const raw: unknown = JSON.parse(entry.raw);
    const asChange = readAside.change(raw);
    const asReport = asChange.ok ? null : readAside.report(raw);
    if (asChange.ok && asChange.value.report) changes.push(asChange.value);
    // A list says nothing of when a report changed, so what has come since, by a list or the feed, goes first.
    else if (asReport?.ok && !store.report(asReport.value.report_id)) changes.push(asUpsert(asReport.value));
  }
  if (changes.length === 0) return null;
  return store.applyFeedPage({ changes, quarantined: [], cursor: null, atEnd: false, generation });
}

const mostReplayed = 10_000;
const readAside = { change: objectItem(readChange), report: objectItem(readReport) };

function asUpsert(report: Report): Change {
  const { report_id, report_key, company_key, content_sha256 } = report;
  return { change: 'upsert', report_id, report_key, company_key, content_sha256, changed_at: null, report, other: {} };
}

function taken(
  page: ReturnType<typeof readReportsPage> | ReturnType<typeof readChangesPage>,
  written: WriteResult,
): TakenPage {
  const received = page.data.length + page.quarantined.length;
  return {
    ...written,
    received,
    has_more: page.has_more,
    next_cursor: page.next_cursor,
    // `count` may be the length of the page or of the list; only one larger than the page can be the list's.
    total: page.count !== null && page.count > received ? page.count : null,
    serverTime: page.serverTime,
  };
}
