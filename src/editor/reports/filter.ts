import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import { reportClassName, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { plainText } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy, ReportQuery } from '../../library/reportQuery.ts';
import { coversFiscalYear } from '../../library/reportQuery.ts';

/** What the Reports view is narrowed to. Values of one member OR, different members AND; null is "not stated". */
export interface ReportsFilter {
  readonly text?: string;
  readonly type?: readonly (string | null)[];
  readonly class?: readonly (string | null)[];
  readonly fcyear?: readonly (number | null)[];
  /** Also reports of these fiscal years that old two-year records file under the year before (FY-3). */
  readonly splitYears?: boolean;
  readonly language?: readonly (string | null)[];
  readonly country?: readonly (string | null)[];
  readonly sector?: readonly (string | null)[];
  readonly industry?: readonly (string | null)[];
  readonly company_key?: readonly string[];
  readonly isin?: readonly string[];
  /** Three-valued facts, all of which must have the value given (CNV-2, REP-1). */
  readonly facts?: Readonly<Partial<Record<TriStateField, TriState>>>;
  readonly assurance_level?: readonly (string | null)[];
  /** Whether the PDF is in this workspace. */
  readonly downloaded?: boolean;
}

/** Frameworks that can be asked for, with what a person calls them. */
export const frameworks = {
  standards_gri: 'GRI',
  standards_sasb: 'SASB',
  standards_tcfd: 'TCFD',
  standards_issb: 'ISSB',
  standards_esrs: 'ESRS',
  standards_integrated: 'Integrated Reporting',
  standards_ghg_protocol: 'GHG Protocol',
  standards_eu_taxonomy: vscode.l10n.t('EU Taxonomy'),
  standards_ungp: vscode.l10n.t('UN Guiding Principles'),
  standards_cdp: 'CDP',
  standards_ungc: 'UN Global Compact',
  standards_sbti: 'SBTi',
} as const satisfies Partial<Record<TriStateField, string>>;

/** Every three-valued fact in a person's words. */
export const factNames: Readonly<Record<TriStateField, string>> = {
  has_file: 'PDF',
  ...frameworks,
  has_materiality_assessment: vscode.l10n.t('Materiality Assessment'),
  has_materiality_matrix: vscode.l10n.t('Materiality Matrix'),
  independent_assurance_report_included: vscode.l10n.t('Assurance Statement'),
};

const factFields = Object.keys(factNames) as TriStateField[];

/** A fact and its value in a few words: `GRI: Yes`, `GRI: No`, `GRI: undetermined`. */
export function factWords(field: TriStateField, value: TriState): string {
  const name = factNames[field];
  if (value === null) return vscode.l10n.t('{0}: undetermined', name);
  return value ? vscode.l10n.t('{0}: Yes', name) : vscode.l10n.t('{0}: No', name);
}

/** The filter in a few words, for the view's description; empty when nothing is filtered. */
export function describeFilter(filter: ReportsFilter): string {
  const { facts = {}, fcyear, splitYears } = filter;
  const years = fcyear?.map((year) => year ?? vscode.l10n.t('undated')).join(', ');
  const parts = [
    filter.text && `“${filter.text}”`,
    filter.company_key?.join(', '),
    filter.type
      ?.map((code) =>
        code === null ? vscode.l10n.t('type not stated') : code.length <= 4 ? code : reportTypeName(code),
      )
      .join(', '),
    filter.class?.map((code) => reportClassName(code ?? '') ?? stated(code)).join(', '),
    years && (splitYears ? vscode.l10n.t('{0} with split years', years) : years),
    filter.language?.map(stated).join(', '),
    filter.country?.map(stated).join(', '),
    filter.sector?.map(stated).join(', '),
    filter.industry?.map(stated).join(', '),
    filter.isin?.join(', '),
    ...factFields.map((field) => {
      const value = facts[field];
      return value === undefined ? undefined : factWords(field, value);
    }),
    filter.assurance_level
      ?.map((level) => (level === null ? vscode.l10n.t('no level stated') : vscode.l10n.t('{0} assurance', level)))
      .join(', '),
    filter.downloaded === undefined
      ? undefined
      : filter.downloaded
        ? vscode.l10n.t('downloaded')
        : vscode.l10n.t('not downloaded'),
  ];
  return plainText(parts.filter(Boolean).join(' · '));
}

export function isEmptyFilter(filter: ReportsFilter): boolean {
  return describeFilter(filter) === '';
}

function stated(value: string | null): string {
  return value ?? vscode.l10n.t('not stated');
}

/**
 * Reads the filter that a program gave, in the names of the interface: `{type, fcyear, company_key, language, isin,
 * framework, text}`. Members of a wrong type are refused.
 * @throws Error that names the member
 */
export function filterFromArgument(argument: unknown): ReportsFilter {
  if (typeof argument !== 'object' || argument === null)
    throw new Error(vscode.l10n.t('The filter must be an object.'));
  const given = argument as Record<string, unknown>;
  const filter: { -readonly [Name in keyof ReportsFilter]: ReportsFilter[Name] } = {};
  if (given.text !== undefined) filter.text = textOf(given.text, 'text');
  if (given.type !== undefined) filter.type = listOf(given.type, 'type');
  if (given.fcyear !== undefined) filter.fcyear = yearsOf(given.fcyear);
  if (given.company_key !== undefined) filter.company_key = listOf(given.company_key, 'company_key');
  if (given.language !== undefined) filter.language = listOf(given.language, 'language');
  if (given.isin !== undefined) filter.isin = listOf(given.isin, 'isin');
  const applied = given.framework === undefined ? [] : listOf(given.framework, 'framework').map(frameworkOf);
  if (applied.length > 0) filter.facts = Object.fromEntries(applied.map((field) => [field, true]));
  return filter;
}

function frameworkOf(code: string): keyof typeof frameworks {
  const wanted = code.toLowerCase().replace(/^(standards_|std_)/, '');
  const found = (Object.keys(frameworks) as (keyof typeof frameworks)[]).find(
    (field) => field === `standards_${wanted}`,
  );
  if (!found) throw new Error(vscode.l10n.t('There is no framework named {0} to filter by.', code.slice(0, 40)));
  return found;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(vscode.l10n.t("The filter's {0} must be a text.", name));
  return value;
}

function listOf(value: unknown, name: string): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => textOf(item, name));
}

function yearsOf(value: unknown): number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((year) => {
    if (typeof year !== 'number' || !Number.isInteger(year))
      throw new Error(vscode.l10n.t("The filter's fcyear must be whole years."));
    return year;
  });
}

/** What a filter is looked up with. */
interface FilterSources {
  readonly library: Pick<LibraryCalls, 'reports'>;
  /** Ids of the reports whose PDF is in this workspace. */
  localReports(): Promise<readonly number[]>;
}

/** A filter as the library asks it, and the records of split years that it takes in, by the year they are filed under. */
export interface FilterQuery {
  readonly query: ReportQuery;
  readonly split: ReadonlyMap<number, readonly number[]>;
}

const pageLength = 1000;

/** The filter as the library asks it, with everything looked up that the library alone does not know. */
export async function queryOf(filter: ReportsFilter, sources: FilterSources): Promise<FilterQuery> {
  const { splitYears, downloaded, ...same } = filter;
  const ids = downloaded === undefined ? undefined : await sources.localReports();
  const query: ReportQuery = { ...same, ...(ids && { downloaded: { ids, is: downloaded === true } }) };
  const split = splitYears ? await splitYearReports(query, sources) : new Map<number, number[]>();
  const also = [...split.values()].flat();
  return { query: also.length > 0 ? { ...query, fcyear_also: also } : query, split };
}

/**
 * Reports of the fiscal years asked for that are filed under the year before: old records with a two-year string are
 * filed under the first of their years, and only the end of their period tells the year they cover (FY-3). By the year
 * they are filed under.
 */
export async function splitYearReports(
  query: ReportQuery,
  { library }: Pick<FilterSources, 'library'>,
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  const years = new Set(query.fcyear?.filter((year) => year !== null));
  for (const year of years) {
    const filed = year - 1;
    if (years.has(filed)) continue;
    const ids: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = await library.reports({ ...query, fcyear: [filed] }, { after, limit: pageLength });
      for (const report of page.items) if (coversFiscalYear(report, year)) ids.push(report.report_id);
      if (page.next === null) break;
      after = page.next;
    }
    if (ids.length > 0) found.set(filed, ids);
  }
  return found;
}

/** The part of a filter's answer that lies in one group of it; null is "not stated", for `fcyear` undated. */
export function queryOfGroup({ query, split }: FilterQuery, by: GroupBy, value: string | number | null): ReportQuery {
  if (by === 'fcyear') {
    const year = value === null ? null : Number(value);
    const isAsked = query.fcyear?.includes(year) ?? true;
    return { ...query, fcyear: isAsked ? [year] : [], fcyear_also: (year !== null && split.get(year)) || undefined };
  }
  const text = value === null ? null : String(value);
  if (by === 'company') return { ...query, company_key: text === null ? [] : [text] };
  return { ...query, [by]: [text] };
}
