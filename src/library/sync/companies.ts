import type { ListOptions } from '../../api/schemas/page.ts';
import type { LibraryCalls } from '../library.ts';
import { addCounts, noCounts, type WriteCounts } from '../libraryChange.ts';
import { reportsPageSize, type SyncSource } from './run.ts';

/** Reads the watchlist into the library (WL-1). Gives the server's clock at each page, ms, if the server said. */
export async function* keepWatchlist(
  library: LibraryCalls,
  source: SyncSource,
  options: ListOptions,
): AsyncGenerator<number | null, void, void> {
  let first = true;
  for await (const page of source.watchlist({ ...options, limit: 500 })) {
    await library.applyWatchlist({ companies: page.data, first, last: !page.has_more });
    first = false;
    yield page.serverTime;
  }
}

/** Reads all of it; returns the server's clock when it began. */
export async function refreshWatchlist(...from: Parameters<typeof keepWatchlist>): Promise<number | null> {
  let began: number | null | undefined;
  for await (const serverTime of keepWatchlist(...from)) began ??= serverTime;
  return began ?? null;
}

/**
 * Fetches all reports of a company ahead of everything else. It moves no cursor of a load or feed, so any window may do
 * it; a load that meets the same reports later finds them unchanged.
 */
export async function loadCompany(
  calls: LibraryCalls,
  source: SyncSource,
  companyKey: string,
  signal: AbortSignal | undefined,
): Promise<WriteCounts> {
  const sum = { ...noCounts };
  let cursor: string | null = null;
  for (;;) {
    const asked = { signal, priority: 'interactive', limit: reportsPageSize, cursor: cursor ?? undefined } as const;
    const incoming = await source.reportsPage({ company_key: companyKey }, asked);
    const taken = await calls.takeReports({ incoming, chain: null, generation: null });
    addCounts(sum, taken.counts);
    if (!taken.has_more || taken.next_cursor === null || taken.next_cursor === cursor) break;
    cursor = taken.next_cursor;
  }
  return sum;
}
