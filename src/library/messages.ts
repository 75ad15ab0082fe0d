import * as z from 'zod/mini';
import type { RawPage } from '../api/schemas/page.ts';
import { isObject } from '../base/json.ts';
import { type Call, nothing, type Side, shape } from '../base/rpc.ts';
import type { CompanyQuery } from './companyQuery.ts';
import type { CallLibrary, LibraryCalls, LibraryMethods, TakeChanges, TakenPage, TakeReports } from './library.ts';
import type { LibraryChange, WriteCounts } from './libraryChange.ts';
import {
  groupings,
  type PageOptions,
  type ReportOrder,
  type ReportQuery,
  type RowPlace,
  type RowRange,
  sortColumns,
} from './reportQuery.ts';
import type * as store from './store.ts';
import type { CoverageMatrix } from './store.ts';
import * as sync from './sync/syncRecord.ts';

const text = z.string();
const textOrNull = z.nullable(text);
const number = z.number();
const numberOrNull = z.nullable(number);
const numbers = z.array(number);
const flag = z.boolean();

/**
 * Lists of records go over with their frame looked at alone: both ends of 10,000 rows would spend 30 ms on what the
 * table of fields and the columns in SQL have already given its type.
 */
const rows = z.custom<never[]>(Array.isArray);
const record = z.custom<never>(isObject);
const report = z.custom<never>(
  (value: unknown) =>
    isObject(value) && Number.isSafeInteger(value.report_id) && isObject(value.metadata) && isObject(value.other),
);
const bytes = z.instanceof(Uint8Array) as unknown as z.ZodMiniType<Uint8Array<ArrayBuffer>>;

const someTexts = z.optional(z.array(text));
const textsOrNone = z.optional(z.array(textOrNull));

const reportQuery = shape<ReportQuery>({
  text: z.optional(text),
  ...{ type: textsOrNone, class: textsOrNone, language: textsOrNone, assurance_level: textsOrNone },
  ...{ country: textsOrNone, sector: textsOrNone, industry: textsOrNone, published: textsOrNone },
  ...{ company_key: someTexts, isin: someTexts },
  fcyear: z.optional(z.array(numberOrNull)),
  fcyear_split: z.optional(numbers),
  facts: z.optional(z.record(text, z.optional(z.nullable(flag)))),
  among: z.optional(z.array(z.object({ ids: numbers, company_key: someTexts, is: flag }))),
  sort: z.optional(z.literal('published')),
  state: z.optional(z.enum(['listed', 'gone', 'all'])),
});
const companyQuery = shape<CompanyQuery>({
  ...{ country: textsOrNone, sector: textsOrNone, industry: textsOrNone, letter: someTexts },
  sort: z.optional(z.enum(['name', 'newest'])),
});
const order = shape<ReportOrder>({ column: z.enum(sortColumns), descending: flag });
const place = shape<RowPlace>({ offset: z.int().check(z.nonnegative()), limit: z.int().check(z.nonnegative()) });
const range = shape<RowRange>({ ids: rows, whole: flag });
const part = shape<PageOptions>({ after: z.optional(text), limit: number });
const listing = z.object({ items: rows, next: textOrNull });
const storedReport = shape<store.StoredReport>({
  report,
  state: z.enum(['listed', 'withdrawn', 'removed']),
  fiscal_year: numberOrNull,
  askedFor: z.nullable(z.union([number, text])),
});
const matrix = shape<CoverageMatrix>({
  keys: rows,
  names: rows,
  countries: rows,
  years: numbers,
  counts: bytes,
  pdfs: bytes,
  marks: bytes,
});

const walkFilter = shape<sync.WalkFilter>({
  company_key: z.optional(text),
  type: someTexts,
  fcyear: z.optional(numbers),
});
const chain = shape<sync.Chain>({
  ...{ id: number, filter: walkFilter, cursor: textOrNull, done: flag, pages: number, reports: number },
});
const walk = shape<sync.WalkRecord>({
  ...{ kind: z.enum(['first', 'full']), startedAt: number, expected: z.optional(numberOrNull) },
  ...{ proven: flag, watchlist: flag, unreadable: number },
});
const question = shape<sync.SweepQuestion>({
  kind: z.enum(['many-missing', 'walk-cut', 'unreadable-records']),
  ...{ missing: number, held: number, askedAt: number },
});
const syncRecord = shape<sync.SyncRecord>({
  phase: z.enum(['empty', 'loading', 'following']),
  ...{
    since: textOrNull,
    cursor: textOrNull,
    lastChangedAt: textOrNull,
    syncedAt: numberOrNull,
    walkedAt: numberOrNull,
  },
  ...{ walk: z.nullable(walk), question: z.nullable(question) },
  // A newer version may have reasons of its own.
  walkOwed: z.nullable(z.custom<sync.WalkReason>((value) => typeof value === 'string')),
});
const patch = z.partial(syncRecord);

const counts = shape<WriteCounts>({
  ...{ added: number, changed: number, unchanged: number, withdrawn: number, removed: number, quarantined: number },
});
const change = shape<LibraryChange>({
  reports: z.union([numbers, z.literal('many')]),
  companies: z.union([z.array(text), z.literal('many')]),
  renamed: z.array(z.object({ from: text, to: text })),
  ...{ news: flag, sync: flag },
});
const status = shape<store.LibraryStatus>({ isKept: flag, notice: textOrNull, readOnly: flag, setAside: textOrNull });
const written = shape<store.WriteResult>({ counts, change });
const taken = shape<TakenPage>({
  ...{ counts, change, received: number, has_more: flag, next_cursor: textOrNull, total: numberOrNull },
});
const totals = shape<store.LibraryTotals>({ listed: number, gone: number, companies: number, quarantined: number });
const fieldUse = shape<store.FieldUseReading>({ counted: number, total: number, fields: z.nullable(rows) });
const elsewhere = shape<store.PublishedElsewhere>({ published: rows, complete: flag });
const keptAnswer = shape<store.KeptAnswer>({ question: text, at: number, answer: text });
const chainPlace = z.nullable(z.object({ id: number, cursor: textOrNull }));
const incoming = shape<RawPage>({ body: bytes, serverTime: numberOrNull });

function call(params: readonly z.ZodMiniType[], result: z.ZodMiniType): Call {
  return { params: z.tuple(params as [z.ZodMiniType]), result };
}

/** A call that also a library which holds nothing answers, and what with. */
function read<T>(params: readonly z.ZodMiniType[], result: z.ZodMiniType, empty: T): Call & { readonly empty: T } {
  return { ...call(params, result), empty };
}

const emptyMatrix: CoverageMatrix = {
  ...{ keys: [], names: [], countries: [], years: [] },
  ...{ counts: new Uint8Array(0), pdfs: new Uint8Array(0), marks: new Uint8Array(0) },
};

/** Calls that are answered before all writes that wait. */
export const reads = {
  report: read([z.union([number, text])], z.nullable(storedReport), null),
  storedReports: read([numbers], rows, []),
  summaries: read([numbers], rows, []),
  reports: read([reportQuery, part], listing, { items: [], next: null }),
  reportIds: read([reportQuery], rows, []),
  countReports: read([reportQuery], number, 0),
  groupReports: read([reportQuery, z.enum(groupings)], rows, []),
  reportsOfHashes: read([z.array(text)], rows, []),
  publishedElsewhere: read([z.array(text), z.array(text)], elsewhere, { published: [], complete: false }),
  reportsAt: read([reportQuery, order, place], rows, []),
  idsBetween: read([reportQuery, order, number, number], range, { ids: [], whole: true }),
  factCounts: read([reportQuery], rows, []),
  company: read([text], z.nullable(record), null),
  companies: read([companyQuery, part], listing, { items: [], next: null }),
  companyGroups: read([z.enum(['country', 'sector', 'industry', 'letter'])], rows, []),
  companyYears: read([text], rows, []),
  findCompanies: read([text, number], rows, []),
  coverage: read([someTexts], matrix, emptyMatrix),
  coverageOf: read([reportQuery], matrix, emptyMatrix),
  totals: read([], totals, { listed: 0, gone: 0, companies: 0, quarantined: 0 }),
  fieldUse: read([], fieldUse, { counted: 0, total: 0, fields: [] }),
  changes: read([z.object({ before: z.optional(number), limit: number })], rows, []),
  unseen: read([numbers], shape<store.Unseen>({ all: number, mine: number }), { all: 0, mine: 0 }),
  syncRecord: read([], syncRecord, sync.emptySyncRecord),
  chains: read([], z.array(chain), []),
  answers: read([z.array(text), number], rows, []),
  keepAnswers: read([z.array(keptAnswer), number], nothing, undefined),
} satisfies { readonly [Name in keyof LibraryMethods]?: { readonly empty: ReturnType<LibraryMethods[Name]> } };

/** Calls that wait until all others are answered. A library that holds nothing refuses them. */
export const writes = {
  countMissing: call([], z.object({ missing: number, held: number })),
  markSeen: call([], change),
  acquireLease: call([text, number], z.nullable(z.object({ generation: number }))),
  renewLease: call([number, number], nothing),
  releaseLease: call([number], nothing),
  updateSync: call([patch, number], change),
  beginWalk: call([patch, z.array(walkFilter), number], change),
  applyWatchlist: call([shape<store.WatchlistPage>({ companies: rows, first: flag, last: flag })], written),
  sweep: call([patch, number], written),
  applyReport: call([report, numberOrNull], written),
  takeReports: call([shape<TakeReports>({ incoming, chain: chainPlace, generation: numberOrNull })], taken),
  takeChanges: call([shape<TakeChanges>({ incoming, cursor: textOrNull, generation: number })], taken),
  replayQuarantine: call([number], z.nullable(written)),
} satisfies Readonly<Record<Exclude<keyof LibraryMethods, keyof typeof reads>, Call>>;

const calls = { ...reads, ...writes };

export const libraryMethods = Object.keys(calls) as (keyof LibraryMethods)[];

/** Every method of a library as a call that a signal gives up. */
export function callsOf(call: CallLibrary, signal: AbortSignal | undefined): LibraryCalls {
  const calls: Record<string, unknown> = {};
  for (const name of libraryMethods) calls[name] = (...values: unknown[]) => call(name, values, signal);
  return calls as unknown as LibraryCalls;
}

/** What the library's thread is asked; `close` closes the file, and calls that wait are not begun. */
export const librarySide: Side = { calls: { ...calls, close: call([], nothing) }, events: {} };

/** What it says unasked: what a write changed, and how the file was opened. */
export const libraryEvents = { calls: {}, events: { change, opened: status } } satisfies Side;
