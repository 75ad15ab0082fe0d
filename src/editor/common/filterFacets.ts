import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import { visibleText } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { FactCount, GroupBy, GroupCount } from '../../library/reportQuery.ts';
import type { FacetRow, FacetSectionId, FactRow, Section, TableView, YearCount } from '../../protocol/reportTable.ts';
import {
  describeFilter,
  type FilterSets,
  facetWords,
  factAnswer,
  factNames,
  frameworkFields,
  memberOf,
  queryOf,
  type ReportsFilter,
  withoutPart,
} from './reportsFilter.ts';

export interface Counted {
  readonly library: Pick<LibraryCalls, 'groupReports' | 'factCounts' | 'countReports' | 'company'>;
  readonly filter: ReportsFilter;
  readonly sets: FilterSets;
}

/** Most values of a facet that the table shows. */
const maxValues = 500;

const valuesOf: Readonly<Partial<Record<FacetSectionId, GroupBy>>> = {
  ...{
    company: 'company',
    type: 'type',
    fcyear: 'fcyear',
    published: 'published',
    country: 'country',
    sector: 'sector',
  },
  ...{ language: 'language', class: 'class', assurance: 'assurance_level' },
};
const factsOf: Readonly<Partial<Record<FacetSectionId, readonly TriStateField[]>>> = {
  standards: [...frameworkFields, 'has_materiality_assessment', 'has_materiality_matrix'],
  assurance: ['independent_assurance_report_included'],
  files: ['has_file'],
};

/** Counts a section's choices. Each facet is counted without its own part of the filter, as another choice would. */
export async function countSection(counted: Counted, id: FacetSectionId): Promise<Section> {
  const by = valuesOf[id];
  const values = by === undefined ? [] : (await countValues(counted, by)).slice(0, maxValues);
  const rows = by === 'company' ? await named(counted, values) : values;
  const facts = await countFacts(counted, factsOf[id] ?? []);
  if (id === 'files') facts.push(...(await countSets(counted)));
  return { id, facet: by ?? null, rows, facts };
}

/** Companies by their names, as far as the library knows them. */
function named({ library }: Counted, rows: readonly FacetRow[]): Promise<FacetRow[]> {
  const nameOf = async (row: FacetRow) => {
    const name = (await library.company(String(row.value)))?.company_name;
    return name ? { ...row, words: visibleText(name) } : row;
  };
  return Promise.all(rows.map(nameOf));
}

/** How many reports each fiscal year has, whichever years are chosen. */
export async function countYears(counted: Counted): Promise<YearCount[]> {
  const { filter } = counted;
  const groups = await groupsOf(counted, 'fcyear');
  const years = groups.map(({ value, count }) => {
    const year = value === null ? null : Number(value);
    return { year, count, isOn: filter.fcyear?.includes(year) ?? false };
  });
  return years.sort((a, b) => (a.year ?? 0) - (b.year ?? 0));
}

async function groupsOf({ library, filter, sets }: Counted, by: GroupBy): Promise<readonly GroupCount[]> {
  return library.groupReports(await queryOf(withoutPart(filter, memberOf(by)), sets), by);
}

/** How many reports each value of a facet has; a chosen value that no report has stays in the list. */
export async function countValues(counted: Counted, by: GroupBy): Promise<FacetRow[]> {
  const chosen: readonly (string | number | null)[] = counted.filter[memberOf(by)] ?? [];
  const groups = await groupsOf(counted, by);
  const found = new Set(groups.map(({ value }) => value));
  const gone = chosen.filter((value) => !found.has(value)).map((value) => ({ value, count: 0 }));
  const all = [...groups, ...gone].filter(({ value }) => by !== 'published' || isTold(value, chosen));
  const rows = all.map(({ value, count }) => ({
    value,
    words: visibleText(facetWords(by, value)),
    count,
    isOn: chosen.includes(value),
  }));
  if (by === 'fcyear' || by === 'published') rows.sort(byNewest);
  return rows;
}

/** Years of publication, and the months of those that are chosen. */
function isTold(value: string | number | null, chosen: readonly (string | number | null)[]): boolean {
  const year = String(value).slice(0, 4);
  return value === null || String(value).length === 4 || chosen.some((each) => String(each).startsWith(year));
}

/** Newest first, a year before its months, what is not dated last. */
function byNewest(a: FacetRow, b: FacetRow): number {
  const [one, other] = [String(a.value ?? ''), String(b.value ?? '')];
  const years = other.slice(0, 4).localeCompare(one.slice(0, 4));
  if (years !== 0) return years;
  return one.length === other.length ? other.localeCompare(one) : one.length - other.length;
}

/** How many reports answer each of these questions with yes, no or undetermined. */
export async function countFacts(counted: Counted, fields: readonly TriStateField[]): Promise<FactRow[]> {
  if (fields.length === 0) return [];
  const { library, filter, sets } = counted;
  const all = await library.factCounts(await queryOf(filter, sets));
  const rows = fields.map(async (field): Promise<FactRow> => {
    const answer = factAnswer(filter, field);
    const own = answer === null ? all : await library.factCounts(await queryOf(withoutPart(filter, field), sets));
    return { field, words: factNames[field], counts: countsOf(own, field), answer };
  });
  return Promise.all(rows);
}

function countsOf(all: readonly FactCount[], wanted: TriStateField): FactRow['counts'] {
  const found = all.find(({ field }) => field === wanted);
  return [found?.yes ?? 0, found?.no ?? 0, found?.undetermined ?? 0];
}

/** The same for what is downloaded, and what has a star. */
export function countSets({ library, filter, sets }: Counted): Promise<FactRow[]> {
  const words = { downloaded: vscode.l10n.t('Downloaded'), favorite: vscode.l10n.t('Favorite') };
  const rows = (['downloaded', 'favorite'] as const).map(async (field): Promise<FactRow> => {
    const count = async (is: boolean) =>
      library.countReports(await queryOf({ ...withoutPart(filter, field), [field]: is }, sets));
    const counts = [await count(true), await count(false), 0] as const;
    return { field, words: words[field], counts, answer: factAnswer(filter, field) };
  });
  return Promise.all(rows);
}

/** The parts of a filter that can be taken away, in a person's words; the words it looks for are in a box instead. */
export function chipsOf(filter: ReportsFilter): TableView['chips'] {
  const { text: _, splitYears, facts = {}, ...members } = filter;
  const parts: [string, ReportsFilter][] = Object.entries(members).map(([name, value]) => [
    name,
    { [name]: value, ...(name === 'fcyear' && splitYears && { splitYears }) },
  ]);
  for (const [field, answer] of Object.entries(facts)) parts.push([field, { facts: { [field]: answer } }]);
  return parts.map(([part, only]) => ({ part, words: visibleText(describeFilter(only)) }));
}
