import { utcTime } from '../../base/clock.ts';

/** The filters of `GET /reports` that a walk uses (REP-1): different ones AND, repeated values OR. */
export interface WalkFilter {
  readonly company_key?: string | undefined;
  readonly fcyear?: readonly number[] | undefined;
}

/** What the library remembers of its sync between runs. Stored in the same transaction as the rows it belongs to. */
export interface SyncRecord {
  /** `empty`: nothing requested. `loading`: a first load is unfinished. `following`: the feed keeps it true. */
  readonly phase: 'empty' | 'loading' | 'following';
  /** The server's clock before the first request of the first load; the feed starts there (CHG-2). */
  readonly since: string | null;
  /** The feed's last cursor; opaque (PAG-1). */
  readonly cursor: string | null;
  /** The latest `changed_at` seen in the feed; what a refused cursor falls back to. */
  readonly lastChangedAt: string | null;
  /** Local clock, ms since the epoch: when the feed was last read to its end. */
  readonly syncedAt: number | null;
  /** When a full walk last ran to its end. */
  readonly walkedAt: number | null;
  /** A walk that is under way or was interrupted. */
  readonly walk: WalkRecord | null;
  /** True when the feed's cursor was refused, so changes may have been missed that only a full walk finds. */
  readonly walkOwed: boolean;
  /** Waits for a person's answer; nothing is removed meanwhile. */
  readonly question: SweepQuestion | null;
}

export interface WalkRecord {
  readonly kind: 'first' | 'full';
  /** Local clock, ms since the epoch. */
  readonly startedAt: number;
  /** About how many reports it will bring; null when that can't be told. */
  readonly expected?: number | null | undefined;
  /** Whether the watchlist was read to its end along with it. */
  readonly watchlist: boolean;
  /** Records without a readable id: what they are can't be told, so their absence proves nothing. */
  readonly unreadable: number;
}

/** Asked when a full walk would remove so much that a fault is likelier. */
export interface SweepQuestion {
  readonly kind: 'many-missing' | 'walk-cut' | 'unreadable-records';
  /** Reports held as listed that the walk did not bring. */
  readonly missing: number;
  readonly held: number;
  /** Local clock, ms since the epoch. */
  readonly askedAt: number;
}

/** One cursor chain of a walk (PAG-1). */
export interface Chain {
  readonly id: number;
  readonly filter: WalkFilter;
  /** Where to go on; null before the first page. */
  readonly cursor: string | null;
  readonly done: boolean;
  readonly pages: number;
  readonly reports: number;
}

export const emptySyncRecord: SyncRecord = {
  ...{ phase: 'empty', since: null, cursor: null, lastChangedAt: null, syncedAt: null },
  ...{ walkedAt: null, walk: null, walkOwed: false, question: null },
};

/** Reads a stored record; members that are missing or unknown to this version take their first value. */
export function readSyncRecord(stored: unknown): SyncRecord {
  return typeof stored === 'object' && stored !== null ? { ...emptySyncRecord, ...stored } : emptySyncRecord;
}

/** The later of two ISO 8601 timestamps as it was written; what is no time never counts. */
export function laterTime(a: string | null, b: string | null): string | null {
  if (a === null || Number.isNaN(utcTime(a))) return b !== null && !Number.isNaN(utcTime(b)) ? b : null;
  if (b === null || Number.isNaN(utcTime(b))) return a;
  return utcTime(b) > utcTime(a) ? b : a;
}
