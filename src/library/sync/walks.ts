import type { ListOptions } from '../../api/schemas/page.ts';
import { l10n } from '../../base/l10n.ts';
import type { LibraryCalls } from '../library.ts';
import { addCounts, noCounts, type WriteCounts } from '../libraryChange.ts';
import { LibraryError } from '../libraryError.ts';
import { decideSweep, isoTime, nextChain } from './decisions.ts';
import { inBackground, type Run, reportsPageSize, type SyncProgress, type SyncSource, together } from './run.ts';
import type { Chain, SweepQuestion, SyncRecord } from './syncRecord.ts';

/**
 * Walks the chains of a load or walk to their ends, `concurrency` of them at a time. Each page is stored together with
 * the cursor that leads on from it, so that whatever stops this, it goes on from there. Throws what a request or the
 * library throws, and `unreadable-page` for a chain that leads back into itself.
 */
export async function walkChains(run: Run, concurrency: number): Promise<void> {
  const chains = new Map((await run.library.chains()).map((chain) => [chain.id, chain]));
  const waiting = new Set<number>();
  const seen = new Map([...chains.keys()].map((id) => [id, new Set<string>()]));
  const totals = new Map<number, number>();
  const expected = (await run.library.syncRecord()).walk?.expected ?? null;
  const startedAt = run.clock.monotonic();
  const reportsIn = () => [...chains.values()].reduce((sum, chain) => sum + chain.reports, 0);
  const before = reportsIn();

  const tell = () => {
    const all = [...chains.values()];
    const reports = reportsIn();
    const known = totals.size === all.length;
    const total = known ? [...totals.values()].reduce((sum, count) => sum + count, 0) : null;
    const left = (total ?? expected ?? 0) - reports;
    const pace = (reports - before) / (run.clock.monotonic() - startedAt);
    run.report({
      ...{ reports, total, ...yearsOf(all, new Date(run.clock.now()).getUTCFullYear() + 1) },
      secondsLeft: left > 0 && pace > 0 && Number.isFinite(pace) ? Math.ceil(left / pace / 1000) : null,
    });
  };

  const step = async (chain: Chain, signal: AbortSignal): Promise<Chain> => {
    signal.throwIfAborted();
    const incoming = await run.source.reportsPage(chain.filter, {
      ...inBackground(run),
      ...{ signal, limit: reportsPageSize, cursor: chain.cursor ?? undefined },
    });
    const taken = await run.library.takeReports({
      incoming,
      chain: { id: chain.id, cursor: chain.cursor },
      generation: run.generation,
    });
    run.count(taken.counts);
    const { next_cursor: cursor, has_more, total } = taken;
    if (has_more && cursor !== null) {
      if (seen.get(chain.id)?.has(cursor))
        throw new LibraryError('unreadable-page', l10n.t('The list repeats an earlier page. Sync again later.'));
      seen.get(chain.id)?.add(cursor);
    }
    const reports = chain.reports + taken.received;
    if (total !== null) totals.set(chain.id, total);
    else if (!has_more && !totals.has(chain.id)) totals.set(chain.id, reports);
    return { ...chain, cursor, done: !has_more, pages: chain.pages + 1, reports };
  };

  const walker = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const chain = nextChain([...chains.values()], waiting);
      if (!chain) return;
      waiting.add(chain.id);
      try {
        chains.set(chain.id, await step(chain, signal));
      } catch (error) {
        // A cursor of an earlier run that the service no longer takes: this chain begins anew, once.
        const stale = run.source.isRefusal(error) && chain.cursor !== null && !seen.get(chain.id)?.has(chain.cursor);
        if (!stale) throw error;
        run.logger.info('A cursor of an interrupted load was refused; its part begins anew.');
        chains.set(chain.id, { ...chain, cursor: null, pages: 0, reports: 0 });
      } finally {
        waiting.delete(chain.id);
      }
      tell();
    }
  };

  tell();
  await together(
    run.signal,
    Array.from({ length: concurrency }, () => walker),
  );
}

/** How many fiscal years up to the coming one chains walk, and how many of these are through. */
function yearsOf(chains: readonly Chain[], coming: number): Pick<SyncProgress, 'years' | 'yearsDone'> {
  const yearsIn = (some: readonly Chain[]) =>
    new Set(some.flatMap(({ filter }) => filter.fcyear ?? []).filter((year) => year <= coming));
  const years = yearsIn(chains);
  const open = yearsIn(chains.filter(({ done }) => !done));
  return { years: years.size, yearsDone: years.size - open.size };
}

/**
 * Starts a full walk: one unfiltered chain, because only that shows what no filter would (ST-3). A library that has
 * lost its place in the feed takes the moment before the walk as its new one.
 */
export async function beginWalk(run: Run): Promise<void> {
  run.report({ activity: 'walking' });
  const { serverTime } = await refreshWatchlist(run.library, run.source, inBackground(run));
  const record = await run.library.syncRecord();
  const adrift = record.cursor === null && record.since === null;
  const place: Partial<SyncRecord> = adrift ? { since: isoTime(serverTime ?? run.clock.now() - 86_400_000) } : {};
  const { listed: expected } = await run.library.totals();
  await run.library.beginWalk(
    {
      ...place,
      question: null,
      walk: { kind: 'full', startedAt: run.clock.now(), expected, watchlist: true, unreadable: 0 },
    },
    [{}],
    run.generation,
  );
  await finishWalk(run);
}

/** Walks to the end, then removes what was not found, or asks. A walk that was cut removes nothing. */
export async function finishWalk(run: Run): Promise<void> {
  run.report({ activity: 'walking' });
  try {
    await walkChains(run, 1);
  } catch (error) {
    if (!(error instanceof LibraryError) || error.problem !== 'unreadable-page') throw error;
    await ask(run, 'walk-cut');
    return;
  }
  const { walk } = await run.library.syncRecord();
  const decision = decideSweep(await run.library.countMissing(), walk?.unreadable ?? 0);
  if (decision !== 'remove') {
    await ask(run, decision);
    return;
  }
  const result = await run.library.sweep(
    { walk: null, walkOwed: false, question: null, walkedAt: walk?.startedAt ?? run.clock.now() },
    run.generation,
  );
  run.count(result.counts);
}

async function ask(run: Run, kind: SweepQuestion['kind']): Promise<void> {
  const { missing, held } = await run.library.countMissing();
  const question: SweepQuestion = { kind, missing, held, askedAt: run.clock.now() };
  await run.library.updateSync({ walk: null, question }, run.generation);
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

/** What the answer to a page of the watchlist says of the service. */
export interface WatchlistPosition {
  /** The server's clock, ms. */
  readonly serverTime: number | null;
  /** From the writing of the request to the head of its answer, ms. */
  readonly latency: number | null;
}

export const nowhere: WatchlistPosition = { serverTime: null, latency: null };

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
  return first ?? nowhere;
}
