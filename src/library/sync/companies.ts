import type { Company } from '../../api/schemas/company.ts';
import type { Page } from '../../api/schemas/page.ts';
import type { Library } from '../library.ts';
import type { WriteCounts } from '../libraryChange.ts';
import { inBackground, type Run } from './run.ts';
import { reportsPageSize, type SyncSource } from './source.ts';

/** A watchlist of which the first page has been read and kept. */
export interface WatchlistReading {
  /** The server's clock when it was answered, ms; null when it did not say. */
  readonly serverTime: number | null;
  /** Time from the request to its answer, in ms; waiting for the rate only lengthens it. */
  readonly latency: number;
  /** Reads and keeps the rest. */
  rest(): Promise<void>;
}

/** Begins to read the watchlist into the library (WL-1). */
export async function beginWatchlist(run: Run): Promise<WatchlistReading> {
  const pages = run.source.watchlist({ ...inBackground(run), limit: 500 })[Symbol.asyncIterator]();
  const keep = (page: Page<Company>, first: boolean) =>
    run.library.applyWatchlist({ companies: page.data, first, last: !page.has_more });

  await run.mayGoOn();
  const asked = run.clock.monotonic();
  const first = await pages.next();
  const latency = run.clock.monotonic() - asked;
  if (first.done) return { serverTime: null, latency, rest: async () => {} };
  await keep(first.value, true);
  return {
    serverTime: first.value.serverTime,
    latency,
    async rest() {
      for (;;) {
        await run.mayGoOn();
        const next = await pages.next();
        if (next.done) return;
        await keep(next.value, false);
      }
    },
  };
}

/** Reads the whole watchlist; returns the server's clock when it began, ms, if the server said. */
export async function refreshWatchlist(run: Run): Promise<number | null> {
  const reading = await beginWatchlist(run);
  await reading.rest();
  return reading.serverTime;
}

/**
 * Fetches all reports of a company ahead of everything else. It moves no cursor of a load or feed, so any window may do
 * it; a load that meets the same reports later finds them unchanged.
 */
export async function loadCompany(
  library: Library,
  source: SyncSource,
  companyKey: string,
  signal: AbortSignal | undefined,
): Promise<WriteCounts> {
  const calls = library.withSignal(signal);
  const sum: Record<string, number> = {};
  let cursor: string | null = null;
  for (;;) {
    const asked = { signal, priority: 'interactive', limit: reportsPageSize, cursor: cursor ?? undefined } as const;
    const incoming = await source.reportsPage({ company_key: companyKey }, asked);
    const taken = await calls.takeReports({ incoming, chain: null, generation: null });
    for (const [name, count] of Object.entries(taken.counts)) sum[name] = (sum[name] ?? 0) + count;
    if (!taken.has_more || taken.next_cursor === null || taken.next_cursor === cursor) break;
    cursor = taken.next_cursor;
  }
  return sum as unknown as WriteCounts;
}
