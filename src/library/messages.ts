import * as z from 'zod/mini';
import { isObject } from '../base/json.ts';
import { type Channel, nothing, type Side, shape } from '../base/rpc.ts';
import type { LibraryCalls, LibraryMethods } from './library.ts';
import type { LibraryChange } from './libraryChange.ts';
import { groupings, type ReportOrder, type RowPlace, sortColumns } from './reportQuery.ts';
import type * as store from './store.ts';
import { emptySyncRecord } from './sync/syncRecord.ts';

const text = z.string();
const number = z.number();
const numberOrNull = z.nullable(number);
const textOrNull = z.nullable(text);
const object = z.custom<never>(isObject);
/** Looked at by its frame alone: both ends of 10,000 rows would spend 30 ms on what SQL has already given its type. */
const list = z.custom<never[]>(Array.isArray);

/**
 * A frame that is looked at. Both ends are one build and have their types from one interface, {@link LibraryMethods}.
 * Checked here is only that no end takes one thing for another, not each member.
 */
const framed = (frame: z.ZodMiniType) => z.custom<never>((value) => frame.safeParse(value).success);

const report = framed(z.object({ report_id: z.int(), metadata: object, other: object }));
/** These two become text of a statement. */
const order = shape<ReportOrder>({ column: z.enum(sortColumns), descending: z.boolean() });
const place = shape<RowPlace>({ offset: z.int().check(z.nonnegative()), limit: z.int().check(z.nonnegative()) });
const listing = framed(z.object({ items: list, next: textOrNull }));
const bytes = z.instanceof(Uint8Array);
const matrix = framed(
  z.object({
    keys: list,
    names: list,
    countries: list,
    years: list,
    counts: bytes,
    pdfs: bytes,
    marks: bytes,
  }),
);
const names = z.union([list, z.literal('many')]);
const change = shape<LibraryChange>({
  reports: names,
  companies: names,
  renamed: list,
  news: z.boolean(),
  sync: z.boolean(),
});
const status = shape<store.LibraryStatus>({
  isKept: z.boolean(),
  notice: textOrNull,
  setAside: textOrNull,
});
const written = framed(z.object({ counts: object, change }));
const taken = framed(
  z.object({
    counts: object,
    change,
    received: number,
    has_more: z.boolean(),
    next_cursor: textOrNull,
    total: numberOrNull,
  }),
);
const page = framed(z.looseObject({ incoming: z.object({ body: bytes, serverTime: numberOrNull }) }));

/** The calls of {@link LibraryMethods}: the compiler holds the schemas to the types of its parameters and answers. */
export interface LibrarySide extends Side {
  readonly calls: {
    readonly [N in keyof LibraryMethods]: {
      readonly params: z.ZodMiniType<Parameters<LibraryMethods[N]>>;
      readonly result: z.ZodMiniType<Answered<ReturnType<LibraryMethods[N]>>>;
    };
  } & { readonly close: { readonly params: z.ZodMiniType<[]>; readonly result: typeof nothing } };
  readonly events: Record<never, never>;
}
/** Of a method that answers nothing, null. */
type Answered<T> = undefined extends T ? null : T;

function call<P extends readonly z.ZodMiniType[], R extends z.ZodMiniType>(params: readonly [...P], result: R) {
  return { params: z.tuple(params as never) as z.ZodMiniType<Outputs<P>>, result };
}
type Outputs<P extends readonly z.ZodMiniType[]> = { [At in keyof P]: z.output<P[At]> };

/** A call that also a library which holds nothing answers, and what with. */
function read<P extends readonly z.ZodMiniType[], R extends z.ZodMiniType, T>(
  params: readonly [...P],
  result: R,
  empty: T,
) {
  return { ...call(params, result), empty };
}

const emptyMatrix: store.CoverageMatrix = {
  ...{ keys: [], names: [], countries: [], years: [] },
  ...{ counts: new Uint8Array(0), pdfs: new Uint8Array(0), marks: new Uint8Array(0) },
};

/** Calls that are answered before all writes that wait. */
export const reads = {
  report: read([z.union([number, text])], z.nullable(framed(z.object({ report }))), null),
  storedReports: read([list], list, []),
  formerKeys: read([list], list, []),
  summaries: read([list], list, []),
  reports: read([object, object], listing, { items: [], next: null }),
  reportIds: read([object], list, []),
  countReports: read([object], number, 0),
  groupReports: read([object, z.enum(groupings)], list, []),
  reportsOfHashes: read([list], list, []),
  publishedElsewhere: read([list, list], object, { published: [], complete: false }),
  reportsAt: read([object, order, place], list, []),
  idsBetween: read([object, order, number, number], object, { ids: [], whole: true }),
  factCounts: read([object], list, []),
  company: read([text], z.nullable(object), null),
  companies: read([object, object], listing, { items: [], next: null }),
  companyLetters: read([], list, []),
  companyYears: read([text], list, []),
  findCompanies: read([text, number], list, []),
  coverage: read([], matrix, emptyMatrix),
  coverageOf: read([object], matrix, emptyMatrix),
  totals: read([], object, { listed: 0, gone: 0, companies: 0, quarantined: 0 }),
  fieldUse: read([], object, { counted: 0, total: 0, fields: [] }),
  changes: read([object], list, []),
  unseen: read([list], object, { all: 0, mine: 0 }),
  syncRecord: read([], object, emptySyncRecord),
  chains: read([], list, []),
  answers: read([list, number], list, []),
  keepAnswers: read([list, number], nothing, undefined),
} satisfies { readonly [Name in keyof LibraryMethods]?: { readonly empty: ReturnType<LibraryMethods[Name]> } };

/** Calls that wait until all others are answered. A library that holds nothing refuses them. */
export const writes = {
  countMissing: call([], object),
  markSeen: call([], change),
  beginRun: call([], number),
  updateSync: call([object, number], change),
  beginWalk: call([object, list, number], change),
  beginWatchlist: call([], number),
  applyWatchlist: call([framed(z.object({ companies: list }))], written),
  sweep: call([object, number], written),
  applyReport: call([report, number], written),
  takeReports: call([page], taken),
  takeChanges: call([page], taken),
  replayQuarantine: call([number], z.nullable(written)),
};

const calls = { ...reads, ...writes };

export const libraryMethods = Object.keys(calls) as (keyof LibraryMethods)[];

/** Carries out one call, in whichever thread. */
export type CallLibrary = Channel<Side, LibrarySide>['call'];

/** Every method of a library as a call that a signal gives up. */
export function callsOf(call: CallLibrary, signal: AbortSignal | undefined): LibraryCalls {
  const calls: Record<string, unknown> = {};
  for (const name of libraryMethods) calls[name] = (...values: unknown[]) => call(name, values as never, signal);
  return calls as unknown as LibraryCalls;
}

/** What the library's thread is asked; `close` closes the file, and calls that wait are not begun. */
export const librarySide: LibrarySide = { calls: { ...calls, close: call([], nothing) }, events: {} };

/** What it says unasked: what a write changed, and how the file was opened. */
export const libraryEvents = { calls: {}, events: { change, opened: status } } satisfies Side;
