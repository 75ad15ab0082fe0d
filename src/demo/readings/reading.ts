import type { FieldProblem } from '../problem.ts';
import type { WireCompany } from '../wire/company.ts';

/** What became of one key of a lookup (LKP-1), before a reading gives it a shape. */
export interface LookupOutcome {
  readonly asked: string;
  /** Null when no entitled report has or had the key. */
  readonly found: { readonly report_id: number; readonly report_key: string } | null;
}

/** One field of the dictionary, before a reading gives it a shape. */
export interface DictionaryEntry {
  readonly number: number;
  readonly column: string;
  readonly apiField: string;
  readonly type: string;
  readonly group: string;
  readonly meaning: string;
  readonly values: readonly string[] | null;
}

/**
 * One way to read the places that the interface leaves open. A client that keeps to the interface works with every
 * reading; the demo can serve any of them.
 */
export interface Reading {
  readonly name: string;
  health(version: string): unknown;
  watchlistItem(company: WireCompany): unknown;
  schema(version: string, entries: readonly DictionaryEntry[]): unknown;
  frameworks(list: readonly { readonly code: string; readonly name: string }[]): unknown;
  usage(month: string, requests: number, downloads: number): unknown;
  fieldErrors(fields: readonly FieldProblem[]): unknown;
  /** Members of the lookup request that may hold the keys. */
  readonly lookupMembers: readonly string[];
  lookup(outcomes: readonly LookupOutcome[]): unknown;
  /** `identifier_type` of a resolve list; an ISIN is always `isin`. */
  identifierType(list: string): string;
  /** What stands between the two codes of a bilingual report. */
  readonly languageSeparator: string;
  formats(hasFile: boolean): unknown;
  downloadPath(reportId: number, hasFile: boolean): unknown;
  reportHash(hex: string): unknown;
  documentScope(scope: string): unknown;
  reportPeriod(start: string | null, end: string | null): unknown;
  /** Members of `page_info` beside `count` and `has_more`, on the last page of a list that has an end. */
  lastPage(): { readonly next_cursor?: string | null };
  /** Status for a report that exists outside the licence. */
  readonly outsideStatus: 403 | 404;
}
