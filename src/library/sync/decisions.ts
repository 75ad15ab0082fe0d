import { utcTime } from '../../base/clock.ts';
import type { Chain, SweepQuestion, SyncRecord } from './syncRecord.ts';

export type Task = 'begin-load' | 'resume-load' | 'follow' | 'begin-walk' | 'resume-walk' | 'done';

export interface Situation {
  /** Local clock, ms. */
  readonly now: number;
  /** Days between full walks; 0 for none. */
  readonly fullWalkDays: number;
  /** Whether the feed has been read to its end in this run. */
  readonly followed: boolean;
  /** Whether a full walk has been made in this run; a second one would tell nothing new. */
  readonly walked: boolean;
  /** Whether a person asked for a full walk in this run. */
  readonly walkAsked: boolean;
}

const day = 86_400_000;

/** The next task of a run: loads, then the feed, then walks. An open question stops walks, unless a person asks. */
export function nextTask(record: SyncRecord, situation: Situation): Task {
  if (record.phase === 'empty') return 'begin-load';
  if (record.phase === 'loading') return record.walk?.kind === 'first' ? 'resume-load' : 'begin-load';
  // Without a place in the feed only a walk tells what is there; it also finds the new place.
  const adrift = record.cursor === null && record.since === null;
  if (!situation.followed && !adrift) return 'follow';
  if (situation.walked) return 'done';
  if (record.walk?.kind === 'full') return 'resume-walk';
  if (situation.walkAsked) return 'begin-walk';
  if (record.question) return 'done';
  const isOwed = adrift || record.walkOwed || isWalkDue(record.walkedAt, situation);
  return isOwed ? 'begin-walk' : 'done';
}

/** A first load counts as a walk; a time in the future is a clock that was set back, and counts as never. */
function isWalkDue(walkedAt: number | null, { now, fullWalkDays }: Situation): boolean {
  if (fullWalkDays <= 0) return false;
  return walkedAt === null || walkedAt > now + day || now - walkedAt >= fullWalkDays * day;
}

const hour = 3_600_000;

/** Where to resume after a refused cursor: an hour before the last change, which covers late ones. */
export function startAfterRefusal(record: Pick<SyncRecord, 'lastChangedAt' | 'since'>): string | null {
  if (record.lastChangedAt === null) return record.since;
  const time = utcTime(record.lastChangedAt);
  return Number.isNaN(time) ? record.since : isoTime(time - hour);
}

/** A time as the interface writes it: ISO 8601, UTC, to the second. */
export function isoTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** More missing than this share of what is held is likelier a fault than the truth. */
const maxMissing = 0.1;

/**
 * Whether what a walk did not find is removed, or a person is asked (ST-3).
 * @param unreadable records whose report could not be told
 */
export function decideSweep(
  { missing, held }: Pick<SweepQuestion, 'missing' | 'held'>,
  unreadable: number,
): 'remove' | SweepQuestion['kind'] {
  if (missing === 0) return 'remove';
  if (unreadable > 0) return 'unreadable-records';
  return missing > held * maxMissing ? 'many-missing' : 'remove';
}

/** The open chain with the fewest pages: chains advance side by side and fill the rate to the end. */
export function nextChain<C extends Chain>(chains: readonly C[], waiting: ReadonlySet<number>): C | null {
  const open = chains.filter(({ id, done }) => !done && !waiting.has(id));
  return open.reduce<C | null>((next, chain) => (next && next.pages <= chain.pages ? next : chain), null);
}
