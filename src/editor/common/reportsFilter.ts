import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { fields, type TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import { reportClassName } from '../../api/schemas/reportTypes.ts';
import { isObject } from '../../base/json.ts';
import { plainText } from '../../base/words.ts';
import type { GroupBy, ReportQuery, ReportSet } from '../../library/reportQuery.ts';
import { type Mark, markOf, markWords } from '../../protocol/format/facts.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import type { Narrowing } from '../../protocol/reportTable.ts';
import { type FavoriteMarks, starredReports } from './favoriteMarks.ts';
import type { PdfMarks } from './pdfMarks.ts';
import { typeLabel } from './reportNode.ts';

/** What the Reports view is narrowed to. Values of one member OR, different members AND; null is "not stated". */
export interface ReportsFilter extends Omit<ReportQuery, 'fcyear_split' | 'among' | 'sort' | 'state'> {
  /** Also reports of these fiscal years that old two-year records file under the year before (FY-3). */
  readonly splitYears?: boolean;
  /** Whether the PDF is in this workspace. */
  readonly downloaded?: boolean;
  /** Whether it has a star, or its company has. */
  readonly favorite?: boolean;
}

/** What a filter holds lists of values of, in a person's words. */
export const facetNames: Readonly<Record<GroupBy, string>> = {
  fcyear: vscode.l10n.t('Fiscal year'),
  type: vscode.l10n.t('Type'),
  company: vscode.l10n.t('Company'),
  class: vscode.l10n.t('Class'),
  language: vscode.l10n.t('Language'),
  country: vscode.l10n.t('Country'),
  sector: vscode.l10n.t('Sector'),
  industry: vscode.l10n.t('Industry'),
  published: vscode.l10n.t('Published'),
  assurance_level: vscode.l10n.t('Assurance level'),
};

/** The member of a filter that holds the values of a facet. */
export function memberOf(facet: GroupBy): Exclude<GroupBy, 'company'> | 'company_key' {
  return facet === 'company' ? 'company_key' : facet;
}

export function facetWords(facet: GroupBy, value: string | number | null): string {
  if (value === null) return facet === 'fcyear' ? vscode.l10n.t('Undated') : vscode.l10n.t('Not stated');
  const text = String(value);
  switch (facet) {
    case 'type':
      return typeLabel(text);
    case 'class':
      return reportClassName(text) ?? text;
    case 'language':
      return formatLanguages(text, vscode.env.language);
    case 'assurance_level':
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    default:
      return text;
  }
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
  standards_ungc: vscode.l10n.t('UN Global Compact'),
  standards_sbti: 'SBTi',
} as const satisfies Partial<Record<TriStateField, string>>;

export const frameworkFields = Object.keys(frameworks) as (keyof typeof frameworks)[];

/** What a report says of its materiality and its assurance. */
export const statementFields = [
  'has_materiality_assessment',
  'has_materiality_matrix',
  'independent_assurance_report_included',
] as const satisfies readonly TriStateField[];

const namedFacts: Readonly<Partial<Record<TriStateField, string>>> = {
  has_file: 'PDF',
  ...frameworks,
  has_materiality_assessment: vscode.l10n.t('Materiality assessment'),
  has_materiality_matrix: vscode.l10n.t('Materiality matrix'),
  independent_assurance_report_included: vscode.l10n.t('Assurance statement included'),
};
const otherFacts = fields.filter(({ type, apiField }) => type === 'boolean' && !(apiField in namedFacts));

export const factNames = {
  ...namedFacts,
  ...Object.fromEntries(otherFacts.map(({ apiField, label }) => [apiField, label])),
} as Readonly<Record<TriStateField, string>>;

const factFields = Object.keys(factNames) as TriStateField[];

/** A fact of a filter with its value: `GRI: Yes`, `GRI: No`, `GRI: Undetermined`; undefined where there is none. */
function factWords({ facts }: ReportsFilter, field: TriStateField): string | undefined {
  const value: TriState | undefined = facts?.[field];
  if (value === undefined) return undefined;
  const name = factNames[field];
  return vscode.l10n.t('{0}: {1}', name, markWords(markOf(value)));
}

/** The filter in a few words, for the view's description; empty when nothing is filtered. */
export function describeFilter(filter: ReportsFilter): string {
  const { text, isin, splitYears, downloaded, favorite } = filter;
  const facets = (Object.keys(facetNames) as GroupBy[]).map((facet) => {
    const isClear = facet === 'fcyear' || facet === 'published' || facet === 'assurance_level';
    const words = filter[memberOf(facet)]?.map((value) =>
      value === null && !isClear
        ? vscode.l10n.t('{0}: {1}', facetNames[facet], facetWords(facet, value))
        : facetWords(facet, value),
    );
    const list = words?.join(', ');
    if (list && (facet === 'published' || facet === 'assurance_level'))
      return vscode.l10n.t('{0}: {1}', facetNames[facet], list);
    return list && facet === 'fcyear' && splitYears ? vscode.l10n.t('{0} with two-year reports', list) : list;
  });
  const set = (name: string, is: boolean | undefined) =>
    is === undefined ? undefined : vscode.l10n.t('{0}: {1}', name, markWords(markOf(is)));
  const parts = [
    text && vscode.l10n.t('“{0}”', text),
    ...facets,
    isin?.join(', '),
    ...factFields.map((field) => factWords(filter, field)),
    set(vscode.l10n.t('Downloaded'), downloaded),
    set(vscode.l10n.t('Favorite'), favorite),
  ];
  return plainText(parts.filter(Boolean).join(' · '));
}

export function isEmptyFilter(filter: ReportsFilter): boolean {
  return describeFilter(filter) === '';
}

const texts = z.array(z.string());
const textsOrNone = z.array(z.nullable(z.string()));

const members = {
  text: z.string(),
  ...{ type: textsOrNone, class: textsOrNone, language: textsOrNone, country: textsOrNone, sector: textsOrNone },
  ...{ industry: textsOrNone, published: textsOrNone, assurance_level: textsOrNone, company_key: texts, isin: texts },
  fcyear: z.array(z.nullable(z.int())),
  ...{ splitYears: z.boolean(), downloaded: z.boolean(), favorite: z.boolean() },
  facts: z.partialRecord(z.enum(factFields), z.nullable(z.boolean())),
} as const satisfies Readonly<Record<keyof ReportsFilter, z.ZodMiniType>>;

/** Reads a filter as it was stored; members that are none are dropped. */
export function readFilter(stored: unknown): ReportsFilter {
  if (!isObject(stored)) return {};
  const read = Object.entries(members).flatMap(([name, shape]) => {
    const { data } = shape.safeParse(stored[name]);
    const isEmpty = data === undefined || (typeof data === 'object' ? Object.keys(data).length === 0 : data === '');
    return isEmpty ? [] : [[name, data]];
  });
  return Object.fromEntries(read);
}

/**
 * Reads the filter that a program or a link gave: the members of {@link ReportsFilter}, where one value may stand for a
 * list, and `framework` for standards that reports must follow. Unknown members are ignored.
 * @throws Error that names a member of a wrong type
 */
export function filterFromArgument(argument: unknown): ReportsFilter {
  if (!isObject(argument)) throw new Error('The filter must be an object.');
  const given = Object.entries(members).flatMap(([name, shape]) => {
    const value = argument[name];
    if (value === undefined) return [];
    const read = [value, [value]].map((given) => shape.safeParse(given)).find(({ success }) => success);
    if (!read) throw wrongMember(name);
    return [[name, read.data]];
  });
  const filter = readFilter(Object.fromEntries(given));
  const { framework } = argument;
  if (framework === undefined) return filter;
  const { success, data } = texts.safeParse([framework].flat());
  if (!success) throw wrongMember('framework');
  const applied = Object.fromEntries(data.map((code) => [frameworkOf(code), true]));
  return readFilter({ ...filter, facts: { ...filter.facts, ...applied } });
}

function wrongMember(name: string): Error {
  switch (name) {
    case 'fcyear':
      return new Error("The filter's fcyear must be whole years.");
    case 'facts':
      return new Error('The filter’s facts must be known fields with true, false or null.');
    case 'splitYears':
    case 'downloaded':
    case 'favorite':
      return new Error(`The filter’s ${name} must be true or false.`);
    default:
      return new Error(`The filter's ${name} must be text.`);
  }
}

function frameworkOf(code: string): keyof typeof frameworks {
  const wanted = code.toLowerCase().replace(/^(standards_|std_)/, '');
  const found = frameworkFields.find((field) => field === `standards_${wanted}`);
  if (!found) throw new Error(`There is no framework named ${code.slice(0, 40)} to filter by.`);
  return found;
}

const answers: Readonly<Record<Mark, TriState>> = { yes: true, no: false, undetermined: null };

/** The filter after one step; what the page may not ask for is dropped. */
export function narrowed(filter: ReportsFilter, step: Narrowing): ReportsFilter {
  switch (step.by) {
    case 'text':
      return readFilter({ ...filter, text: step.text.trim() });
    case 'value':
      return Object.hasOwn(facetNames, step.facet) ? withValue(filter, step.facet as GroupBy, step.value) : filter;
    case 'fact': {
      const answer = step.answer === null ? undefined : answers[step.answer];
      return step.field === 'downloaded' || step.field === 'favorite'
        ? readFilter({ ...filter, [step.field]: answer })
        : readFilter({ ...filter, facts: factsWith(filter, step.field, answer) });
    }
    case 'years':
      return readFilter({ ...withoutPart(filter, 'fcyear'), fcyear: step.years });
    case 'without':
      return withoutPart(filter, step.part);
    case 'everything':
      return {};
    default:
      return step satisfies never;
  }
}

/** The same, where the answer that a question has already is taken back, as a value is that is chosen already. */
export function toggledFilter(filter: ReportsFilter, step: Narrowing): ReportsFilter {
  const isNow =
    step.by === 'fact' && step.answer !== null && step.answer === factAnswer(filter, step.field as TriStateField);
  return narrowed(filter, isNow ? { ...step, answer: null } : step);
}

function withValue(filter: ReportsFilter, facet: GroupBy, value: string | number | null): ReportsFilter {
  const member = memberOf(facet);
  const now: readonly (string | number | null)[] = filter[member] ?? [];
  const others = now.filter((each) => each !== value && !(facet === 'published' && overlaps(each, value)));
  return readFilter({ ...filter, [member]: now.includes(value) ? others : [...others, value] });
}

/** A year of publication holds its months: one of both is enough. */
function overlaps(a: string | number | null, b: string | number | null): boolean {
  return a !== null && b !== null && (String(a).startsWith(String(b)) || String(b).startsWith(String(a)));
}

function factsWith({ facts }: ReportsFilter, field: string, answer: TriState | undefined): ReportsFilter['facts'] {
  const others = Object.entries(facts ?? {}).filter(([each]) => each !== field);
  return Object.fromEntries(answer === undefined ? others : [...others, [field, answer]]);
}

/** The filter without a member, or without one of its facts; which split years are meant hangs on the years. */
export function withoutPart(filter: ReportsFilter, part: string): ReportsFilter {
  if (Object.hasOwn(factNames, part)) return readFilter({ ...filter, facts: factsWith(filter, part, undefined) });
  const dropped = part === 'fcyear' ? [part, 'splitYears'] : [part];
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !dropped.includes(name)));
}

/** The answer that a filter asks of a fact, or of a set of this workspace or person; null when it asks for none. */
export function factAnswer(filter: ReportsFilter, field: TriStateField | 'downloaded' | 'favorite'): Mark | null {
  const value = field === 'downloaded' || field === 'favorite' ? filter[field] : filter.facts?.[field];
  return value === undefined ? null : markOf(value);
}

export interface FilterSets {
  readonly marks: Pick<PdfMarks, 'here'>;
  readonly favorites: Pick<FavoriteMarks, 'read'>;
}

export async function queryOf(filter: ReportsFilter, sets: FilterSets): Promise<ReportQuery> {
  const { splitYears, downloaded, favorite, ...same } = filter;
  const among: ReportSet[] = [];
  if (downloaded !== undefined) among.push({ ids: await sets.marks.here(), is: downloaded });
  if (favorite !== undefined) among.push(starredReports(await sets.favorites.read(), favorite));
  return {
    ...same,
    ...(splitYears && { fcyear_split: filter.fcyear?.filter((year) => year !== null) }),
    ...(among.length > 0 && { among }),
  };
}

/** The part of a query's answer that is filed under one fiscal year; null is undated. */
export function queryOfYear(query: ReportQuery, year: number | null): ReportQuery {
  const isAsked = query.fcyear?.includes(year) ?? true;
  const split = query.fcyear_split?.filter((ends) => year !== null && ends === year + 1);
  return { ...query, fcyear: isAsked ? [year] : [], ...(split && { fcyear_split: split }) };
}
