import type { Clock } from '../base/clock.ts';
import { isObject } from '../base/json.ts';
import type { SharedState } from '../base/sharedState.ts';
import { isHolderGone, leaseHolder } from './leaseHolder.ts';

/** Runs work once nobody else on this machine does work of the same name. Throws the signal's reason while it waits. */
export type Turns = <T>(name: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Where it is stored who is at work. */
const stateName = 'turns';
/** A turn that is not renewed lasts so long, ms: its process may be suspended, or its number may be another's now. */
const turnLife = 30_000;
const renewAfter = 10_000;
/** Between two looks whether the other is through, ms. */
const shortestPause = 25;
const longestPause = 400;

interface HeldTurn {
  readonly holder: string;
  /** ms since the epoch. */
  readonly until: number;
}

/**
 * Turns that the processes of this machine take through shared state. A killed process keeps nobody waiting. Where the
 * others can't be seen, turns are taken within this process alone.
 */
export function machineTurns(state: SharedState, clock: Clock): Turns {
  /** Takes or renews the turn, or gives it back; false where it is another's. Forgets those that nobody holds. */
  const change = (name: string, holder: string, isWanted: boolean) =>
    state.update(stateName, (stored) => {
      const now = clock.now();
      const turns = new Map(turnsIn(stored).filter(([, turn]) => isHeld(turn, now)));
      const isOurs = (turns.get(name)?.holder ?? holder) === holder;
      if (isOurs && isWanted) turns.set(name, { holder, until: now + turnLife });
      else if (isOurs) turns.delete(name);
      return { store: turns.size > 0 ? Object.fromEntries(turns) : null, result: isOurs };
    });
  const renew = async (name: string, holder: string, signal: AbortSignal) => {
    for (;;) {
      await clock.sleep(renewAfter, signal);
      await change(name, holder, true);
    }
  };
  return async (name, work, signal) => {
    const holder = leaseHolder();
    for (let pause = shortestPause; !(await change(name, holder, true)); pause = Math.min(2 * pause, longestPause))
      await clock.sleep(pause, signal);
    const ended = new AbortController();
    // Ends with its signal alone.
    const renewing = renew(name, holder, ended.signal).catch(() => {});
    try {
      return await work();
    } finally {
      ended.abort();
      await renewing;
      await change(name, holder, false);
    }
  };
}

function isHeld({ holder, until }: HeldTurn, now: number): boolean {
  // A clock that was set back leaves one far in the future.
  return until > now && until <= now + turnLife && !isHolderGone(holder);
}

function turnsIn(stored: unknown): (readonly [string, HeldTurn])[] {
  return Object.entries(isObject(stored) ? stored : {}).flatMap(([name, turn]) => {
    const { holder, until } = isObject(turn) ? turn : {};
    return typeof holder === 'string' && typeof until === 'number' ? [[name, { holder, until }] as const] : [];
  });
}
