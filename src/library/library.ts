import * as z from 'zod/mini';
import type { RawPage } from '../api/schemas/page.ts';
import type { Event } from '../base/disposable.ts';
import type { Call, Side } from '../base/rpc.ts';
import type { LibraryChange } from './libraryChange.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { LibraryStatus, WriteResult } from './store.ts';
import { emptySyncRecord } from './sync/syncRecord.ts';

/** What became of a page, and where its list goes on. */
export interface TakenPage extends WriteResult {
  readonly received: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** What the page says of the list's length, if it can mean that; null otherwise. */
  readonly total: number | null;
}

/** A page of `GET /reports` on its way to the library. */
export interface TakeReports {
  readonly incoming: RawPage;
  /** The chain it belongs to and the cursor it was asked for with; null for a page fetched out of turn. */
  readonly chain: { readonly id: number; readonly cursor: string | null } | null;
  readonly generation: number | null;
}

/** A page of the change feed on its way to the library. */
export interface TakeChanges {
  readonly incoming: RawPage;
  /** The cursor it was asked for with, or null. */
  readonly cursor: string | null;
  readonly generation: number;
}

/** What a store does for its own thread alone. */
type Hidden = 'status' | 'file' | 'close' | 'poll' | 'recordsAside' | 'applyListPage' | 'applyFeedPage';

/** Everything that can be asked of a library, whichever thread it lives in. */
export type LibraryMethods = Omit<LibraryStore, Hidden> & {
  takeReports(page: TakeReports): TakenPage;
  takeChanges(page: TakeChanges): TakenPage;
  /** Reads what was set aside once more: a newer version may understand it. Null when nothing was. */
  replayQuarantine(generation: number): WriteResult | null;
};

const emptyMatrix = {
  ...{ keys: [], names: [], countries: [], years: [] },
  ...{ counts: new Uint8Array(0), marks: new Uint8Array(0) },
};

/** Calls that wait until all others are answered. A library that holds nothing refuses them. */
export const writeMethods = [
  ...(['countMissing', 'markSeen', 'acquireLease', 'renewLease', 'releaseLease', 'updateSync', 'beginWalk'] as const),
  ...(['applyWatchlist', 'sweep', 'applyReport', 'takeReports', 'takeChanges', 'replayQuarantine'] as const),
] satisfies readonly (keyof LibraryMethods)[];

/** All other calls, with what a library that holds nothing answers. */
export const emptyAnswers: {
  readonly [Name in Exclude<keyof LibraryMethods, (typeof writeMethods)[number]>]: ReturnType<LibraryMethods[Name]>;
} = {
  report: null,
  storedReports: [],
  summaries: [],
  reports: { items: [], next: null },
  reportIds: [],
  countReports: 0,
  groupReports: [],
  company: null,
  companies: { items: [], next: null },
  companyGroups: [],
  companyYears: [],
  findCompanies: [],
  coverage: emptyMatrix,
  coverageOf: emptyMatrix,
  totals: { listed: 0, gone: 0, companies: 0, quarantined: 0 },
  fieldUse: { counted: 0, total: 0, fields: [] },
  changes: [],
  unseen: { all: 0, mine: 0 },
  syncRecord: emptySyncRecord,
  chains: [],
  answers: [],
  keepAnswers: undefined,
};

/** The names of all methods. */
export const libraryMethods = [...Object.keys(emptyAnswers), ...writeMethods] as (keyof LibraryMethods)[];

/** Every method of a library as a promise. */
export type LibraryCalls = {
  readonly [Name in keyof LibraryMethods]: (
    ...values: Parameters<LibraryMethods[Name]>
  ) => Promise<ReturnType<LibraryMethods[Name]>>;
};

/**
 * The library on this machine, as the rest of the product sees it. Nothing is opened before the first call. Calls
 * reject with a `LibraryError`, or with the signal's reason once it aborts.
 */
export interface Library extends LibraryCalls {
  /** The same calls, given up when the signal aborts. What has begun is finished; its result is dropped. */
  withSignal(signal: AbortSignal | undefined): LibraryCalls;
  /** What changed, whichever window changed it. */
  readonly onDidChange: Event<LibraryChange>;
  /** Fires when it has been opened, and again when a damaged file made it begin anew. */
  readonly onDidOpen: Event<LibraryStatus>;
  /** Closes it. Calls under way reject. */
  dispose(): Promise<void>;
}

/** Carries out one call, in whichever thread. */
export type CallLibrary = (
  method: keyof LibraryMethods,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/** Every method of a library as a call that a signal gives up. */
export function callsOf(call: CallLibrary, signal: AbortSignal | undefined): LibraryCalls {
  const calls: Record<string, unknown> = {};
  for (const name of libraryMethods) calls[name] = (...values: unknown[]) => call(name, values, signal);
  return calls as unknown as LibraryCalls;
}

const call: Call = { params: z.array(z.unknown()), result: z.unknown() };

/** What the library's thread is asked. Both ends are this product's own code, so only the envelope is looked at. */
export const librarySide: Side = {
  calls: {
    ...Object.fromEntries(libraryMethods.map((name) => [name, call])),
    /** Closes the file. Calls that wait are not begun. */
    close: call,
  },
  events: {},
};

/** What it says unasked: what a write changed, and how the file was opened. */
export const libraryEvents = {
  calls: {},
  events: {
    change: z.custom<LibraryChange>((value) => typeof value === 'object' && value !== null),
    opened: z.custom<LibraryStatus>((value) => typeof value === 'object' && value !== null),
  },
} as const satisfies Side;

/** How the thread is started. */
export interface WorkerOptions {
  readonly path: string;
  /** How often other windows' writes are looked for, in ms; 0 for never. */
  readonly pollInterval: number;
}
