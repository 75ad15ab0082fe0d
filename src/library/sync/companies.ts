import type { Company } from '../../api/schemas/company.ts';
import type { Page } from '../../api/schemas/page.ts';
import type { Library } from '../library.ts';
import { addCounts, noCounts, type WriteCounts } from '../libraryChange.ts';
import { inBackground, type Run, reportsPageSize, type SyncSource } from './run.ts';

/**
 * Begins to read the watchlist into the library (WL-1): its first page is kept, `rest` reads and keeps the others. Tells
 * the server's clock when it answered, null when it did not say, and the time from the request to its answer, which
 * waiting for the rate only lengthens; both in ms.
 */
export async function beginWatchlist(run: Run) {
  const pages = run.source.watchlist({ ...inBackground(run), limit: 500 })[Symbol.asyncIterator]();
  const keep = (page: Page<Company>, first: boolean) =>
    run.library.applyWatchlist({ companies: page.data, first, last: !page.has_more });

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
