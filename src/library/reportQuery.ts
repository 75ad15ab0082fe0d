import { fields, type TriStateField } from '../api/schemas/fields.ts';
import type { TriState } from '../api/schemas/report.ts';

/** Whether the service still serves a report (ST-2, ST-3). */
export type ReportState =
  | 'listed'
  | 'withdrawn'
  /** A full walk no longer found it. */
  | 'removed';

/** A question about reports. Members AND, values of one member OR; null asks for "undetermined" (CNV-2). */
export interface ReportQuery {
  /** Words, each of which must begin a word of title, company, identifiers or keys, or nearly so. */
  readonly text?: string | undefined;
  /** Type codes; here and below null asks for the reports that state none. */
  readonly type?: readonly (string | null)[] | undefined;
  readonly class?: readonly (string | null)[] | undefined;
  /** Fiscal years the reports are filed under; null asks for the undated ones. */
  readonly fcyear?: readonly (number | null)[] | undefined;
  /** Also reports filed under the year before one of these whose period ends in it: older two-year records (FY-3). */
  readonly fcyear_split?: readonly number[] | undefined;
  /** ISO 639-1; matches either language of a bilingual report (CNV-6). */
  readonly language?: readonly (string | null)[] | undefined;
  readonly country?: readonly (string | null)[] | undefined;
  readonly sector?: readonly (string | null)[] | undefined;
  readonly industry?: readonly (string | null)[] | undefined;
  readonly company_key?: readonly string[] | undefined;
  readonly isin?: readonly string[] | undefined;
  /** Years (`2024`) or months (`2024-05`) of publication, of dates at any precision; null asks for unknown ones. */
  readonly published?: readonly (string | null)[] | undefined;
  /** Three-valued facts: frameworks, materiality, `has_file`, the assurance statement. */
  readonly facts?: Readonly<Partial<Record<TriStateField, TriState>>> | undefined;
  /** Assurance levels as the service writes them; null asks for reports that state none. */
  readonly assurance_level?: readonly (string | null)[] | undefined;
  /** Only reports of each of these sets, or only others: those whose PDF is in the workspace, the favorites. */
  readonly among?: readonly ReportSet[] | undefined;
  /** Latest fiscal year first by default; `published` puts the latest publication first, unknown dates last (CNV-5). */
  readonly sort?: 'published' | undefined;
  readonly state?: 'listed' | 'gone' | 'all' | undefined;
}

/** Reports by their ids, with all reports of some companies. */
export interface ReportSet {
  readonly ids: readonly number[];
  readonly company_key?: readonly string[] | undefined;
  /** Whether the reports of the set are asked for, or all others. */
  readonly is: boolean;
}

/** Which part of a list to give: so many items, after where an earlier part ended. */
export interface PageOptions {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of a list. `next` goes on after it; null at the end. */
export interface Listing<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface ReportSummary {
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
  readonly company_name: string | null;
  readonly title: string | null;
  readonly type: string | null;
  readonly class: string | null;
  /** What it is filed under; null when undated. */
  readonly fiscal_year: number | null;
  readonly fiscal_year_label: string | null;
  /** Cover year; not the fiscal year (RID-3). */
  readonly year: number | null;
  readonly language: string | null;
  readonly pages: number | null;
  /** Megabytes. */
  readonly filesize: number | null;
  readonly published: string | null;
  readonly period_end: string | null;
  readonly has_file: TriState;
  readonly sha256: string | null;
  readonly state: ReportState;
}

export const groupings = [
  'type',
  'class',
  'fcyear',
  'language',
  'country',
  'sector',
  'industry',
  'company',
  'assurance_level',
  'published',
] as const;
export type GroupBy = (typeof groupings)[number];

/** Reports that share a value; null is "not stated". A bilingual report counts twice, `published` by year and month. */
export interface GroupCount {
  readonly value: string | number | null;
  readonly count: number;
}

/** The ISO 639-1 codes in a `report_lang`, however a bilingual report separates its two (CNV-6). */
export function languagesOf(lang: string | null): readonly string[] {
  return lang === null ? [] : [...new Set(lang.toLowerCase().match(/[a-z]+/g) ?? [])];
}

/** Three-valued facts in the order of the table of fields (CNV-2). */
export const triStateFields = fields
  .filter(({ type }) => type === 'boolean')
  .map(({ apiField }) => apiField as TriStateField);

/** What the table of all reports can be sorted by. */
export const sortColumns = [
  ...['company', 'title', 'type', 'class', 'fiscal_year', 'published', 'language', 'country', 'sector', 'industry'],
  ...['pages', 'filesize', 'assurance_level', ...triStateFields],
] as readonly SortColumn[];
export type SortColumn =
  | Exclude<GroupBy, 'fcyear'>
  | Extract<keyof ReportSummary, 'title' | 'fiscal_year' | 'pages' | 'filesize'>
  | TriStateField;

/** An order of the table. Unstated values come last in both directions; equal ones are ordered by id. */
export interface ReportOrder {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** Which rows of an order: so many, from a place counted from 0. */
export interface RowPlace {
  readonly offset: number;
  /** {@link maxRows} at most are given. */
  readonly limit: number;
}
export const maxRows = 1000;

/** Ids of a range of rows; at most {@link maxRange}, `whole` tells whether these are all. */
export interface RowRange {
  readonly ids: readonly number[];
  readonly whole: boolean;
}
export const maxRange = 50_000;

/** A row of the table of all reports. Its company is described as it is known now. */
export interface TableRow extends ReportSummary {
  readonly country: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly assurance_level: string | null;
  readonly facts: Readonly<Record<TriStateField, TriState>>;
}

/** How many reports answer a three-valued fact in which way. */
export interface FactCount {
  readonly field: TriStateField;
  readonly yes: number;
  readonly no: number;
  readonly undetermined: number;
}
