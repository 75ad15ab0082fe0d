import { reportClassNames } from '../../api/schemas/reportTypes.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import { typeLabel } from '../common/reportNode.ts';

/** What the Reports view is narrowed to. Values of one member OR, different members AND. */
export interface ReportsFilter {
  readonly text?: string;
  readonly type?: readonly string[];
  readonly class?: readonly string[];
  readonly fcyear?: readonly (number | null)[];
  readonly language?: readonly string[];
  readonly country?: readonly string[];
  readonly sector?: readonly string[];
  readonly company_key?: readonly string[];
  readonly isin?: readonly string[];
  /** Framework columns that must be stated to apply; repeated ones all must (REP-1). */
  readonly framework?: readonly FrameworkField[];
  readonly hasFile?: boolean;
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
  standards_eu_taxonomy: 'EU Taxonomy',
  standards_ungp: 'UN Guiding Principles',
  standards_cdp: 'CDP',
  standards_ungc: 'UN Global Compact',
  standards_sbti: 'SBTi',
} as const;
export type FrameworkField = keyof typeof frameworks;

/** The filter as the library asks it. */
export function queryOf(filter: ReportsFilter): ReportQuery {
  const { framework = [], hasFile, ...same } = filter;
  const facts: Record<string, boolean> = Object.fromEntries(framework.map((field) => [field, true]));
  if (hasFile !== undefined) facts.has_file = hasFile;
  return { ...same, ...(Object.keys(facts).length > 0 && { facts }) };
}

/** The filter in a few words, for the view's description; empty when nothing is filtered. */
export function describeFilter(filter: ReportsFilter): string {
  const parts = [
    filter.text && `“${filter.text}”`,
    filter.company_key?.join(', '),
    filter.type?.map((code) => (code.length <= 4 ? code : typeLabel(code))).join(', '),
    filter.class?.map((code) => reportClassNames[code] ?? code).join(', '),
    filter.fcyear?.map((year) => year ?? 'undated').join(', '),
    filter.language?.join(', '),
    filter.country?.join(', '),
    filter.sector?.join(', '),
    filter.isin?.join(', '),
    filter.framework?.map((field) => frameworks[field]).join(' + '),
    filter.hasFile === undefined ? undefined : filter.hasFile ? 'with PDF' : 'without PDF',
  ];
  return parts.filter(Boolean).join(' · ');
}

export function isEmptyFilter(filter: ReportsFilter): boolean {
  return describeFilter(filter) === '';
}

/**
 * Reads the filter that a program gave, in the names of the interface: `{type, fcyear, company_key, language, isin,
 * framework, text}`. Members of a wrong type are refused.
 * @throws Error that names the member
 */
export function filterFromArgument(argument: unknown): ReportsFilter {
  if (typeof argument !== 'object' || argument === null) throw new Error('The filter must be an object.');
  const given = argument as Record<string, unknown>;
  const filter: { -readonly [Name in keyof ReportsFilter]: ReportsFilter[Name] } = {};
  if (given.text !== undefined) filter.text = textOf(given.text, 'text');
  if (given.type !== undefined) filter.type = listOf(given.type, 'type');
  if (given.fcyear !== undefined) filter.fcyear = yearsOf(given.fcyear);
  if (given.company_key !== undefined) filter.company_key = listOf(given.company_key, 'company_key');
  if (given.language !== undefined) filter.language = listOf(given.language, 'language');
  if (given.isin !== undefined) filter.isin = listOf(given.isin, 'isin');
  if (given.framework !== undefined) filter.framework = listOf(given.framework, 'framework').map(frameworkOf);
  return filter;
}

function frameworkOf(code: string): FrameworkField {
  const wanted = code.toLowerCase().replace(/^(standards_|std_)/, '');
  const found = (Object.keys(frameworks) as FrameworkField[]).find((field) => field === `standards_${wanted}`);
  if (!found) throw new Error(`There is no framework named ${code.slice(0, 40)} to filter by.`);
  return found;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new Error(`The filter's ${name} must be a text.`);
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
      throw new Error("The filter's fcyear must be whole years.");
    return year;
  });
}
