import * as z from 'zod/mini';
import { l10n } from '../base/l10n.ts';
import { nothing } from '../base/rpc.ts';
import { conversation, filterText, fromEditor, keptState, plainCall } from './page.ts';

/** What became of an identifier, told apart so that no two look alike (RES-2). */
export const resolveStatuses = ['entitled', 'not-licensed', 'ambiguous', 'unmatched', 'malformed'] as const;
export type ResolveStatus = (typeof resolveStatuses)[number];

/** What became of a report key (LKP-1). */
export const lookupStatuses = ['found', 'renamed', 'not-found', 'malformed'] as const;
export type LookupStatus = (typeof lookupStatuses)[number];

interface StatusLook {
  readonly icon: string;
  readonly label: string;
  /** What a row says, where that is more. */
  readonly words?: string;
}

export const statusLooks: Readonly<Record<ResolveStatus | LookupStatus, StatusLook>> = {
  entitled: { icon: 'pass-filled', label: l10n.later('Matched') },
  'not-licensed': { icon: 'lock', label: l10n.later('Not in your licence') },
  ambiguous: {
    icon: 'question',
    label: l10n.later('Ambiguous'),
    words: l10n.later('Ambiguous: several companies match'),
  },
  unmatched: { icon: 'circle-slash', label: l10n.later('No match') },
  malformed: { icon: 'error', label: l10n.later('Malformed') },
  found: { icon: 'pass-filled', label: l10n.later('Found') },
  renamed: { icon: 'arrow-swap', label: l10n.later('Renamed') },
  'not-found': {
    icon: 'circle-slash',
    label: l10n.later('Not found'),
    words: l10n.later('Not in your licence, or no such key'),
  },
};

export interface ResolveRow {
  /** Position in the input, from 1. */
  readonly number: number;
  readonly query: string;
  readonly kind: string | null;
  readonly status: ResolveStatus;
  /** The status in words, with the reason where there is one. */
  readonly words: string;
  /** What was asked in its place, after a person refined it; that can be undone. */
  readonly refined: string | null;
  /** Companies on this machine that may be meant, where the service named none; chosen by their place. */
  readonly candidates: readonly { readonly name: string; readonly text: string }[];
  readonly company: {
    readonly name: string;
    readonly key: string;
    readonly country: string | null;
    /** A note stands where the service withholds the value. */
    readonly identifiers: readonly { readonly name: string; readonly value: string; readonly isNote: boolean }[];
  } | null;
}

export interface LookupRow {
  readonly number: number;
  readonly query: string;
  readonly status: LookupStatus;
  readonly words: string;
  readonly report: {
    /** The key it goes by now; differs from the query after a rename. */
    readonly key: string;
    /** The title, or what stands for it while the report is not on this machine. */
    readonly title: string;
    readonly isKnown: boolean;
    readonly company: string | null;
    /** `Fiscal year 2024`, `Undated`; null while the report is not on this machine. */
    readonly year: string | null;
    readonly type: string | null;
    readonly hasFile: boolean;
  } | null;
}

export interface ResultsAbout {
  /** Where the input came from and what asking cost, in words. */
  readonly words: string;
  /** Since when the oldest kept answer is kept, in words; null when all are new. */
  readonly kept: string | null;
  /** The document that the results can be written back to, by name. */
  readonly writeBack: string | null;
  /** Whether there is anything to download. */
  readonly canDownload: boolean;
}

/** What became of identifiers or report keys, in input order. */
export type ResultsView =
  | { readonly subject: 'companies'; readonly rows: readonly ResolveRow[]; readonly about: ResultsAbout }
  | { readonly subject: 'reports'; readonly rows: readonly LookupRow[]; readonly about: ResultsAbout };
export type ResultsSubject = ResultsView['subject'];

/** Of longer lists only the rows near the screen are in the page. */
export const longList = 500;

const ofRow = z.strictObject({ row: z.int() });

/** Longer inputs are not kept across a reload of the window. */
export const maxKeptQueries = 20_000;

const queries = z.array(z.string().check(z.maxLength(500))).check(z.maxLength(maxKeptQueries));

export const resolveProtocol = conversation({
  view: fromEditor<ResultsView>(),
  kept: keptState(
    {
      queries,
      filter: filterText,
      status: z.nullable(z.enum([...resolveStatuses, ...lookupStatuses])),
    },
    { queries: [], filter: '', status: null },
  ),
  calls: {
    /** By row, so that the page can only name what it was given. */
    openCompany: { params: ofRow, result: nothing },
    openReport: { params: ofRow, result: nothing },
    /** Asks for another identifier in place of one that led to no company: a candidate's, or what the person says. */
    refine: { params: z.strictObject({ row: z.int(), candidate: z.nullable(z.int()) }), result: nothing },
    undoRefine: { params: ofRow, result: nothing },
    writeBack: plainCall,
    download: plainCall,
    /** Asks the service again, whatever is kept. */
    askAgain: plainCall,
    copyAs: { params: z.strictObject({ format: z.enum(['markdown', 'csv']) }), result: nothing },
    viewAsText: plainCall,
  },
  hears: {
    /** For the page's state. */
    input: fromEditor<{ readonly queries: string[] }>(),
  },
  tells: {
    /** What this page showed before the window was reloaded; nothing for a new page. */
    restore: z.strictObject({ queries }),
  },
});
