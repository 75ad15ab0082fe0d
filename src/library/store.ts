import type { Company } from '../api/schemas/company.ts';
import type { ColumnName } from '../api/schemas/fields.ts';
import type { QuarantinedRecord, RawPage } from '../api/schemas/page.ts';
import type { Change, Report } from '../api/schemas/report.ts';
import type { LibraryChange, WriteCounts } from './libraryChange.ts';
import type { ReportState, ReportSummary } from './reportQuery.ts';

export interface StoredReport {
  readonly report: Report;
  readonly state: ReportState;
  /** What it is filed under; null when undated. */
  readonly fiscal_year: number | null;
  /** Set when it was asked for by an id or key that a merge or rename retired (RID-1, RID-2). */
  readonly askedFor: number | string | null;
}

/** A key that a report had before a rename (RID-2). */
export interface FormerKey {
  readonly report_key: string;
  readonly report_id: number;
}

/** What happened to a report, told apart for "What's New". */
export type ChangeKind =
  | 'new'
  /** The PDF is another one: `content_sha256` differs. */
  | 'pdf'
  | 'metadata'
  | 'withdrawn'
  /** Gone without notice, found by a full walk (ST-3). */
  | 'removed';

/** Kinds by the number they are stored as; new ones go to the end. */
export const changeKinds: readonly ChangeKind[] = ['new', 'pdf', 'metadata', 'withdrawn', 'removed'];

/** An entry of the change log: what happened, and the report as it is now. */
export interface LoggedChange extends ReportSummary {
  /** Rises with every entry; the marker of what has been seen. */
  readonly seq: number;
  /** When it happened by the service's account, else when it was noticed here; ms since the epoch. */
  readonly at: number;
  readonly kind: ChangeKind;
  /** Names of the typed fields that changed, for `pdf` and `metadata`. */
  readonly fields: readonly string[];
  /** The report key before and after, where that changed (RID-2). */
  readonly renamed: { readonly from: string; readonly to: string } | null;
}

export interface Unseen {
  readonly all: number;
  /** Those that touch the reports asked about: the ones whose PDF is in the workspace. */
  readonly mine: number;
}

export interface WriteResult {
  readonly counts: WriteCounts;
  readonly change: LibraryChange;
}

export interface ListPage {
  readonly reports: readonly Report[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** The server's clock when it answered, ms; a row the feed has changed since is left alone. Null when unknown. */
  readonly asOf: number | null;
  /** The chain it belongs to and where that stands now; null for a page fetched out of turn. */
  readonly chain: { readonly id: number; readonly cursor: string | null; readonly done: boolean } | null;
  /** Null for a page fetched out of turn: it moves no cursor, so any window may store it. */
  readonly generation: number | null;
}

/** A page of the change feed to keep, with the cursor that belongs to it (CHG-2). */
export interface FeedPage {
  readonly changes: readonly Change[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** Null keeps the cursor there is. */
  readonly cursor: string | null;
  /** True for the last page of a run. */
  readonly atEnd: boolean;
  readonly generation: number;
}

/** What became of a page as it came from the service. */
export interface TakenPage extends WriteResult {
  readonly received: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  /** What the page says of the list's length, if it can mean that; null otherwise. */
  readonly total: number | null;
}

export interface TakeReports {
  readonly incoming: RawPage;
  /** The chain it belongs to and the cursor it was asked for with; null for a page fetched out of turn. */
  readonly chain: { readonly id: number; readonly cursor: string | null } | null;
  readonly generation: number | null;
}

export interface TakeChanges {
  readonly incoming: RawPage;
  readonly cursor: string | null;
  readonly generation: number;
}

export interface WatchlistPage {
  /** Which reading of the watchlist it belongs to, as `beginWatchlist` numbered it. */
  readonly reading: number;
  readonly companies: readonly Company[];
  /** Companies that neither this reading nor a later one has named are no longer watched after its last page. */
  readonly last: boolean;
}

/** An answer of the service that is kept for a while, so that the same question costs nothing. */
export interface KeptAnswer {
  readonly question: string;
  /** When it was given: local clock, ms since the epoch. */
  readonly at: number;
  /** JSON. Never holds a key or a signed link: only answers to identifiers and report keys are kept. */
  readonly answer: string;
}

export interface FieldUse {
  readonly column: ColumnName;
  readonly filled: number;
  /** How many values occur; null when they are too many to be kept apart. */
  readonly distinct: number | null;
  /** The most frequent values, most frequent first; empty when there are too many to tell. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** How far the counting is, and what it found once it is through. */
export interface FieldUseReading {
  readonly counted: number;
  readonly total: number;
  /** Null until all are counted, or as many as were asked for. */
  readonly fields: readonly FieldUse[] | null;
}

/** What other libraries on this machine publish of some hashes. */
export interface PublishedElsewhere {
  readonly published: readonly string[];
  /** False when one of them, in use until lately, can't be read now. */
  readonly complete: boolean;
}

export interface LibraryTotals {
  readonly listed: number;
  readonly gone: number;
  readonly companies: number;
  readonly quarantined: number;
}

export interface LibraryStatus {
  /** Told to the user: why nothing is kept, or that it was begun anew. */
  readonly notice: string | null;
  readonly setAside: string | null;
}

/**
 * Companies by fiscal years by type families: row r, column c, family f is at `(r * years.length + c) *
 * typeFamilies.length + f`. Year 0 is "undated"; years between first and last show gaps.
 */
export interface CoverageMatrix {
  /** One place for each company, as in names and countries. */
  readonly keys: readonly string[];
  readonly names: readonly (string | null)[];
  readonly countries: readonly (string | null)[];
  readonly years: readonly number[];
  /** Listed reports; 255 stands for all higher counts. */
  readonly counts: Uint8Array<ArrayBuffer>;
  /** Those of them with a PDF, or without word that there is none; 255 stands for all higher counts. */
  readonly pdfs: Uint8Array<ArrayBuffer>;
  readonly marks: Uint8Array<ArrayBuffer>;
}

/** Wider spans than this are no calendar: stray years are shown without those between. */
const widestSpan = 80;

/** The columns of a matrix over reports of these years. */
export function yearColumns(found: Iterable<number>): number[] {
  const sorted = [...new Set(found)].sort((a, b) => a - b);
  const dated = sorted.filter((year) => year !== 0);
  const [first = 0, last = 0] = [dated[0], dated.at(-1)];
  const whole =
    dated.length > 0 && last - first <= widestSpan
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : dated;
  return sorted[0] === 0 ? [0, ...whole] : whole;
}
