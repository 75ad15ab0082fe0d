import type { ListOptions } from '../../api/schemas/page.ts';
import type { LibraryCalls } from '../library.ts';
import type { SyncSource } from './run.ts';

/** What the answer to a page of the watchlist says of the service. */
export interface WatchlistPosition {
  /** The server's clock, ms. */
  readonly serverTime: number | null;
  /** From the writing of the request to the head of its answer, ms. */
  readonly latency: number | null;
}

/** Reads the watchlist into the library (WL-1), page by page. */
export async function* keepWatchlist(
  library: LibraryCalls,
  source: SyncSource,
  options: ListOptions,
): AsyncGenerator<WatchlistPosition, void, void> {
  const reading = await library.beginWatchlist();
  for await (const { data, has_more, serverTime, latency = null } of source.watchlist({ ...options, limit: 500 })) {
    await library.applyWatchlist({ reading, companies: data, last: !has_more });
    yield { serverTime, latency };
  }
}

/** Reads all of it; returns the position at its beginning. */
export async function refreshWatchlist(...from: Parameters<typeof keepWatchlist>): Promise<WatchlistPosition> {
  let first: WatchlistPosition | undefined;
  for await (const position of keepWatchlist(...from)) first ??= position;
  return first ?? { serverTime: null, latency: null };
}
