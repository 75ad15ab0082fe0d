import { LibraryError } from '../libraryError.ts';
import { decideSweep, isoTime } from './decisions.ts';
import type { Run } from './run.ts';
import type { SweepQuestion, SyncRecord } from './syncRecord.ts';
import { walkChains } from './walkChains.ts';
import { refreshWatchlist } from './watchlistRefresh.ts';

/**
 * Starts a full walk: one unfiltered chain, because only that shows what no filter would (ST-3). A library that has
 * lost its place in the feed takes the moment before the walk as its new one.
 */
export async function beginWalk(run: Run): Promise<void> {
  run.report({ activity: 'walking' });
  const serverTime = await refreshWatchlist(run);
  const record = await run.library.syncRecord();
  const adrift = record.cursor === null && record.since === null;
  const place: Partial<SyncRecord> = adrift ? { since: isoTime(serverTime ?? run.clock.now() - 86_400_000) } : {};
  await run.library.beginWalk(
    {
      ...place,
      question: null,
      walk: { kind: 'full', startedAt: run.clock.now(), proven: true, watchlist: true, unreadable: 0 },
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
  const finding = { ...(await run.library.countMissing()), unreadable: walk?.unreadable ?? 0 };
  const decision = decideSweep(finding);
  if (decision !== 'remove') {
    await ask(run, decision);
    return;
  }
  const result = await run.library.sweep(
    { walk: null, walkOwed: null, question: null, walkedAt: walk?.startedAt ?? run.clock.now() },
    run.generation,
  );
  run.count(result.counts);
}

async function ask(run: Run, kind: SweepQuestion['kind']): Promise<void> {
  const { missing, held } = await run.library.countMissing();
  const question: SweepQuestion = { kind, missing, held, askedAt: run.clock.now() };
  await run.library.updateSync({ walk: null, question }, run.generation);
}
