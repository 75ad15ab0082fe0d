import { isoTime } from './decisions.ts';
import { estimateFirstLoad, planFirstLoad } from './plan.ts';
import { inBackground, type Run, together } from './run.ts';
import { keepWatchlist, walkChains } from './walks.ts';

/** Without a server's clock, `since` lies this far before the local one, which may be off by as much (ms). */
const clockDoubt = 86_400_000;

/** Starts a first load: learns the licence, the distance to the service and the first companies, and plans. */
export async function beginLoad(run: Run): Promise<void> {
  run.report({ activity: 'preparing' });
  const asked = run.clock.monotonic();
  const entitlements = await run.source.entitlements(inBackground(run));
  const answered = run.clock.monotonic();
  const companies = keepWatchlist(run.library, run.source, inBackground(run));
  const { value: serverTime } = await companies.next();
  // Waiting for the rate lengthens either, so the shorter one is nearer the truth.
  const latency = Math.min(answered - asked, run.clock.monotonic() - answered);
  // The watchlist was answered before the first report was asked for, so nothing can fall between (CHG-2).
  const since = isoTime(serverTime ?? run.clock.now() - clockDoubt);
  const year = new Date(serverTime ?? run.clock.now()).getUTCFullYear();
  const licence = { entitlements, requestsPerSecond: run.requestsPerSecond(), year };
  const plan = planFirstLoad({ ...licence, latency });
  const expected = entitlements.watchlist_size === null ? null : estimateFirstLoad(licence).reports;
  const parts = plan.filters.length === 1 ? 'one part' : `${plan.filters.length} parts`;
  run.logger.info(`First load in ${parts}, ${Math.round(latency)} ms from the service.`);
  await run.library.beginWalk(
    {
      phase: 'loading',
      since,
      cursor: null,
      walk: {
        kind: 'first',
        startedAt: run.clock.now(),
        expected,
        proven: plan.proven,
        watchlist: false,
        unreadable: 0,
      },
    },
    plan.filters,
    run.generation,
  );
  await finishLoad(run, plan.concurrency, companies);
}

/** Goes on with a first load where it stopped. */
export async function resumeLoad(run: Run): Promise<void> {
  const open = (await run.library.chains()).filter((chain) => !chain.done).length;
  const { walk } = await run.library.syncRecord();
  const companies = walk?.watchlist ? null : keepWatchlist(run.library, run.source, inBackground(run));
  // How far away the service is was measured when the load was planned; several parts say it was far.
  await finishLoad(run, Math.min(8, Math.max(1, open)), companies);
}

/** The companies come with the reports: far from the service, reading them first would leave the rate unused. */
async function finishLoad(
  run: Run,
  concurrency: number,
  companies: AsyncGenerator<number | null, void, void> | null,
): Promise<void> {
  run.report({ activity: 'loading' });
  await together(run.signal, [
    async () => companies && finishWatchlist(run, companies),
    (signal) => walkChains({ ...run, signal }, concurrency),
  ]);
  const { walk } = await run.library.syncRecord();
  const proven = walk?.proven ?? false;
  await run.library.updateSync(
    {
      phase: 'following',
      walk: null,
      walkOwed: proven ? null : 'incomplete-load',
      walkedAt: proven ? (walk?.startedAt ?? null) : null,
    },
    run.generation,
  );
}

async function finishWatchlist(run: Run, companies: AsyncGenerator<number | null, void, void>): Promise<void> {
  while (!(await companies.next()).done) run.signal.throwIfAborted();
  const { walk } = await run.library.syncRecord();
  if (walk) await run.library.updateSync({ walk: { ...walk, watchlist: true } }, run.generation);
}
