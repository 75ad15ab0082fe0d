import type { ListOptions } from '../../api/schemas/page.ts';
import { l10n } from '../../base/l10n.ts';
import type { LibraryCalls } from '../library.ts';
import { addCounts, noCounts, type WriteCounts } from '../libraryChange.ts';
import { LibraryError } from '../libraryError.ts';
import { decideSweep, isoTime, nextChain } from './decisions.ts';
import { estimateFirstLoad, planFirstLoad } from './plan.ts';
import { inBackground, type Run, reportsPageSize, type SyncProgress, type SyncSource, together } from './run.ts';
import type { Chain, SweepQuestion } from './syncRecord.ts';

/** Without the server's clock, the feed starts this far (ms) before the local one, which may be off by as much. */
const clockDoubt = 86_400_000;

/**
 * Starts a first load: reads the license, measures the distance and plans.
 * @param read the start of a watchlist that was read to its end
 */
export async function beginLoad(run: Run, read: WatchlistPosition | null): Promise<void> {
  run.report({ activity: 'preparing' });
  const companies = read ? null : keepWatchlist(run.library, run.source, inBackground(run));
  const [entitlements, first] = await Promise.all([run.source.entitlements(inBackground(run)), companies?.next()]);
  const { serverTime, latency } = read ?? first?.value ?? nowhere;
  // The watchlist was answered before the first report was requested, so nothing can fall between (CHG-2).
  const since = isoTime(serverTime ?? run.clock.now() - clockDoubt);
  const year = new Date(serverTime ?? run.clock.now()).getUTCFullYear();
  const license = { entitlements, requestsPerSecond: run.requestsPerSecond(), year };
  const { filters, concurrency } = planFirstLoad({ ...license, latency });
  const expected = entitlements.watchlist_size === null ? null : estimateFirstLoad(license).reports;
  const distance = latency === null ? 'distance unknown' : `${Math.round(latency)} ms from the service`;
  run.logger.info(`First load in ${filters.length === 1 ? 'one part' : `${filters.length} parts`}, ${distance}.`);
  const walk = {
    kind: 'first',
    startedAt: run.clock.now(),
    expected,
    watchlist: read !== null,
    unreadable: 0,
  } as const;
  await run.library.beginWalk({ phase: 'loading', since, cursor: null, walk }, filters, run.generation);
  await finishLoad(run, concurrency, companies);
}

export async function resumeLoad(run: Run): Promise<void> {
  const open = (await run.library.chains()).filter((chain) => !chain.done).length;
  const { walk } = await run.library.syncRecord();
  const companies = walk?.watchlist ? null : keepWatchlist(run.library, run.source, inBackground(run));
  // The distance was measured when the load was planned; several parts mean that it was far.
  await finishLoad(run, Math.min(8, Math.max(1, open)), companies);
}

/** The companies come with the reports: far from the service, reading them first would leave the rate unused. */
async function finishLoad(run: Run, concurrency: number, companies: Watchlist | null): Promise<void> {
  run.report({ activity: 'loading' });
  await together(run.signal, [
    async () => companies && finishWatchlist(run, companies),
    (signal) => walkChains({ ...run, signal }, concurrency),
  ]);
  const { walk } = await run.library.syncRecord();
  const walkedAt = walk?.startedAt ?? null;
  await run.library.updateSync({ phase: 'following', walk: null, walkOwed: false, walkedAt }, run.generation);
}

async function finishWatchlist(run: Run, companies: Watchlist): Promise<void> {
  while (!(await companies.next()).done) run.signal.throwIfAborted();
  const { walk } = await run.library.syncRecord();
  if (walk) await run.library.updateSync({ walk: { ...walk, watchlist: true } }, run.generation);
}

/** Starts a full walk: one unfiltered chain, since a filter would hide reports (ST-3). */
export async function beginWalk(run: Run): Promise<void> {
  run.report({ activity: 'walking' });
  const { serverTime } = await refreshWatchlist(run.library, run.source, inBackground(run));
  const { cursor, since } = await run.library.syncRecord();
  const position = cursor === null && since === null && { since: isoTime(serverTime ?? run.clock.now() - clockDoubt) };
  const { listed: expected } = await run.library.totals();
  const walk = { kind: 'full', startedAt: run.clock.now(), expected, watchlist: true, unreadable: 0 } as const;
  await run.library.beginWalk({ ...position, question: null, walk }, [{}], run.generation);
  await finishWalk(run);
}

/** Walks to the end, then removes what was not found, or asks. A walk that was cut short removes nothing. */
export async function finishWalk(run: Run): Promise<void> {
  run.report({ activity: 'walking' });
  const wasCut = await walkChains(run, 1).then(
    () => false,
    (error: unknown) => {
      if (error instanceof LibraryError && error.problem === 'unreadable-page') return true;
      throw error;
    },
  );
  const { walk } = await run.library.syncRecord();
  const missing = await run.library.countMissing();
  const decision: 'remove' | SweepQuestion['kind'] = wasCut ? 'walk-cut' : decideSweep(missing, walk?.unreadable ?? 0);
  if (decision !== 'remove') {
    const question: SweepQuestion = { kind: decision, ...missing, askedAt: run.clock.now() };
    await run.library.updateSync({ walk: null, question }, run.generation);
    return;
  }
  const walkedAt = walk?.startedAt ?? run.clock.now();
  const { counts } = await run.library.sweep({ walk: null, walkOwed: false, question: null, walkedAt }, run.generation);
  run.count(counts);
}

interface OpenChain extends Chain {
  /** Cursors that this run received. */
  readonly seen: Set<string>;
  /** The length of its list; null when unknown. */
  readonly total: number | null;
}

/** Walks `concurrency` chains at a time. Each page is stored with its next cursor, where a later run resumes. */
async function walkChains(run: Run, concurrency: number): Promise<void> {
  const chains = new Map<number, OpenChain>();
  for (const chain of await run.library.chains()) chains.set(chain.id, { ...chain, seen: new Set(), total: null });
  const waiting = new Set<number>();
  const expected = (await run.library.syncRecord()).walk?.expected ?? null;
  const startedAt = run.clock.monotonic();
  const before = sumOf(chains, ({ reports }) => reports) ?? 0;

  const report = () => {
    const reports = sumOf(chains, (chain) => chain.reports) ?? 0;
    const total = sumOf(chains, (chain) => chain.total);
    const left = (total ?? expected ?? 0) - reports;
    const pace = (reports - before) / (run.clock.monotonic() - startedAt);
    const secondsLeft = left > 0 && pace > 0 && Number.isFinite(pace) ? Math.ceil(left / pace / 1000) : null;
    run.report({ reports, total, secondsLeft, ...yearsOf(chains, new Date(run.clock.now()).getUTCFullYear() + 1) });
  };

  const step = async (chain: OpenChain, signal: AbortSignal): Promise<OpenChain> => {
    signal.throwIfAborted();
    const options = { ...inBackground(run), signal, limit: reportsPageSize, cursor: chain.cursor ?? undefined };
    const incoming = await run.source.reportsPage(chain.filter, options);
    const position = { id: chain.id, cursor: chain.cursor };
    const taken = await run.library.takeReports({ incoming, chain: position, generation: run.generation });
    run.count(taken.counts);
    const { next_cursor: cursor, has_more } = taken;
    if (has_more && cursor !== null) {
      if (chain.seen.has(cursor))
        throw new LibraryError('unreadable-page', l10n.t('The list repeated an earlier page. Sync again later.'));
      chain.seen.add(cursor);
    }
    const reports = chain.reports + taken.received;
    const total = taken.total ?? chain.total ?? (has_more ? null : reports);
    return { ...chain, cursor, done: !has_more, pages: chain.pages + 1, reports, total };
  };

  const walker = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const chain = nextChain([...chains.values()], waiting);
      if (!chain) return;
      waiting.add(chain.id);
      try {
        chains.set(chain.id, await step(chain, signal));
      } catch (error) {
        // A cursor of an earlier run that the service no longer accepts: this chain restarts, once.
        const isStale = run.source.isRefusal(error) && chain.cursor !== null && !chain.seen.has(chain.cursor);
        if (!isStale) throw error;
        run.logger.info('A cursor of an interrupted load was refused; its part begins anew.');
        chains.set(chain.id, { ...chain, cursor: null, pages: 0, reports: 0 });
      } finally {
        waiting.delete(chain.id);
      }
      report();
    }
  };

  report();
  await together(
    run.signal,
    Array.from({ length: concurrency }, () => walker),
  );
}

/** Null when one of the chains has none. */
function sumOf(chains: ReadonlyMap<number, OpenChain>, count: (chain: OpenChain) => number | null): number | null {
  return [...chains.values()].map(count).reduce((sum, more) => (sum === null || more === null ? null : sum + more), 0);
}

/** How many fiscal years up to the coming one the chains walk, and how many of these are done. */
function yearsOf(chains: ReadonlyMap<number, OpenChain>, coming: number): Pick<SyncProgress, 'years' | 'yearsDone'> {
  const yearsIn = (some: readonly Chain[]) =>
    new Set(some.flatMap(({ filter }) => filter.fcyear ?? []).filter((year) => year <= coming)).size;
  const all = [...chains.values()];
  const years = yearsIn(all);
  return { years, yearsDone: years - yearsIn(all.filter(({ done }) => !done)) };
}

/** Fetches a company's reports first. It moves no cursor, so any window may do it. */
export async function loadCompany(
  calls: LibraryCalls,
  source: SyncSource,
  companyKey: string,
  signal: AbortSignal | undefined,
): Promise<WriteCounts> {
  const sum = { ...noCounts };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const options = { signal, priority: 'interactive', limit: reportsPageSize, cursor } as const;
    const incoming = await source.reportsPage({ company_key: companyKey }, options);
    const taken = await calls.takeReports({ incoming, chain: null, generation: null });
    addCounts(sum, taken.counts);
    cursor = taken.has_more && taken.next_cursor !== cursor ? taken.next_cursor : null;
  }
  return sum;
}

/** What the answer to a page of the watchlist says of the service. */
export interface WatchlistPosition {
  readonly serverTime: number | null;
  /** From the writing of the request to the head of its answer, ms. */
  readonly latency: number | null;
}

type Watchlist = AsyncGenerator<WatchlistPosition, void, void>;

const nowhere: WatchlistPosition = { serverTime: null, latency: null };

/** Reads the watchlist into the library (WL-1), page by page. */
async function* keepWatchlist(library: LibraryCalls, source: SyncSource, options: ListOptions): Watchlist {
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
