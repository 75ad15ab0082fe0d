import type { Library } from '../library.ts';
import type { WriteCounts } from '../store.ts';
import { fetchReports } from './pages.ts';
import type { SyncSource } from './source.ts';

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
    const incoming = await fetchReports(source, { company_key: companyKey }, cursor, {
      signal,
      priority: 'interactive',
    });
    const taken = await calls.takeReports({ incoming, chain: null, generation: null });
    for (const [name, count] of Object.entries(taken.counts)) sum[name] = (sum[name] ?? 0) + count;
    if (!taken.has_more || taken.next_cursor === null || taken.next_cursor === cursor) break;
    cursor = taken.next_cursor;
  }
  return sum as unknown as WriteCounts;
}
