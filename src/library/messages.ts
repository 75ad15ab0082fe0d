import * as z from 'zod/mini';
import { type Channel, type Side, type ThreadSide, threadSide } from '../base/rpc.ts';
import type { LibraryCalls, LibraryMethods } from './library.ts';
import type { LibraryChange } from './libraryChange.ts';
import type * as store from './store.ts';
import { emptySyncRecord } from './sync/syncRecord.ts';

const noBytes = new Uint8Array(0);
const emptyMatrix: store.CoverageMatrix = {
  ...{ keys: [], names: [], countries: [], years: [] },
  ...{ counts: noBytes, pdfs: noBytes, marks: noBytes },
};

/** What a library that holds nothing answers. These calls are answered before all writes that wait. */
export const emptyAnswers = {
  ...{ report: null, storedReports: [], formerKeys: [], summaries: [] },
  ...{ reports: { items: [], next: null }, reportIds: [], countReports: 0, groupReports: [] },
  ...{ reportsOfHashes: [], publishedElsewhere: { published: [], complete: false } },
  ...{ reportsAt: [], idsBetween: { ids: [], whole: true }, factCounts: [] },
  ...{ company: null, companies: { items: [], next: null }, companyLetters: [], companyYears: [], findCompanies: [] },
  ...{ coverage: emptyMatrix, fieldUse: { counted: 0, total: 0, fields: [] } },
  totals: { listed: 0, gone: 0, companies: 0, quarantined: 0 },
  ...{ changes: [], unseen: { all: 0, mine: 0 }, syncRecord: emptySyncRecord, chains: [] },
  ...{ answers: [], keepAnswers: undefined },
} satisfies { readonly [Name in keyof LibraryMethods]?: ReturnType<LibraryMethods[Name]> };

/** Calls that wait until all others are answered. A library that holds nothing refuses them. */
export const writes = [
  ...['countMissing', 'markSeen', 'beginRun', 'updateSync', 'beginWalk', 'beginWatchlist', 'applyWatchlist'],
  ...['sweep', 'applyReport', 'takeReports', 'takeChanges', 'replayQuarantine'],
] as readonly Exclude<keyof LibraryMethods, keyof typeof emptyAnswers>[];

const libraryMethods = [...Object.keys(emptyAnswers), ...writes] as (keyof LibraryMethods)[];

/** What the library's thread is asked; `close` closes the file, and calls that wait are not begun. */
export const librarySide = threadSide<LibraryMethods & { close(): void }>([...libraryMethods, 'close']);

/** What it says unasked: what a write changed, and how the file was opened. */
export const libraryEvents = {
  calls: {},
  events: { change: z.custom<LibraryChange>(), opened: z.custom<store.LibraryStatus>() },
} satisfies Side;

/** Carries out one call, in whichever thread. */
export type CallLibrary = Channel<Side, ThreadSide<LibraryMethods>>['call'];

/** Every method of a library as a call that a signal gives up. */
export function callsOf(call: CallLibrary, signal: AbortSignal | undefined): LibraryCalls {
  const calls = libraryMethods.map((name) => [name, (...values: unknown[]) => call(name, values as never, signal)]);
  return Object.fromEntries(calls) as LibraryCalls;
}
