import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
import { StateFile } from './stateFile.ts';

export interface MachineStateOptions {
  /** Where the file is kept: one folder for all windows of this user. Made if it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads the database module; only tests give another. */
  readonly loadSqlite?: () => Promise<typeof import('node:sqlite')>;
}

/** What this window allows itself while it can't see the others: at most 4 such windows stay within the limits. */
const blindShare = 0.25;
/** How long it works blindly before it looks for the shared file again, ms. */
const blindFor = 60_000;
/** How long a lock is waited for before its holder counts as suspended, ms; locks are held for less than one. */
const stuckAfter = 3000;
const longestPoll = 8;

/**
 * State shared by all windows of the editor on this machine (LIM-1): a small file that is locked for well under a
 * millisecond at a time and never blocks the event loop. A holder that crashes or is suspended keeps nobody out. Where
 * the file can't be used, each window takes a conservative share of every limit instead.
 */
export function machineState(options: MachineStateOptions): SharedState {
  const { directory, clock, logger, loadSqlite = () => import('node:sqlite') } = options;
  const blind = memoryState(blindShare);
  let opened: Promise<StateFile> | undefined;
  let blindUntil = Number.NEGATIVE_INFINITY;

  const file = () => {
    opened ??= loadSqlite().then((sqlite) => new StateFile(directory, sqlite));
    return opened;
  };

  const shared = async <T>(name: string, change: Change<T>): Promise<T> => {
    const state = await file();
    const started = clock.monotonic();
    for (let poll = 1; ; poll = Math.min(poll * 2, longestPoll)) {
      const outcome = state.tryUpdate(name, change);
      if (outcome) return outcome.result;
      if (clock.monotonic() - started > stuckAfter) {
        logger.info('Another window holds the shared request budget and does not move; starting it anew.');
        state.replace();
      }
      await clock.sleep(poll * (0.5 + Math.random()));
    }
  };

  return {
    get share() {
      return clock.monotonic() < blindUntil ? blindShare : 1;
    },
    async update(name, change) {
      if (clock.monotonic() >= blindUntil) {
        try {
          return await shared(name, change);
        } catch (error) {
          const words = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
          logger.warn(`The request budget can't be shared with other windows${words}; this one slows down.`);
          opened?.then((state) => state.close()).catch(() => {});
          opened = undefined;
          blindUntil = clock.monotonic() + blindFor;
        }
      }
      return blind.update(name, change);
    },
    dispose() {
      opened?.then((state) => state.close()).catch(() => {});
      opened = undefined;
      blind.dispose();
    },
  };
}

type Change<T> = (stored: unknown) => { readonly store?: unknown; readonly result: T };
