import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy } from '../../library/reportQuery.ts';
import { markWords } from '../../protocol/format/facts.ts';
import type { FactRow } from '../../protocol/reportTable.ts';
import { type Counted, chipsOf, countFacts, countSets, countValues } from '../common/filterFacets.ts';
import { labelText } from '../common/messages.ts';
import type { ReportsFilter } from '../common/reportsFilter.ts';
import * as filters from '../common/reportsFilter.ts';
import { companyNames } from './reportsTree.ts';

/** What is counted, in a library that also names companies. */
interface FilterInput extends Counted {
  readonly library: Counted['library'] & Pick<LibraryCalls, 'company' | 'companies'>;
}

/** A value of a facet that a person can select. */
interface Choice extends vscode.QuickPickItem {
  add(filter: ReportsFilter): ReportsFilter;
}

interface Facet extends vscode.QuickPickItem {
  /** Sets the facet; undefined when the person leaves. The row that shows the reports sets none. */
  ask?(): Thenable<ReportsFilter | undefined>;
}

/** Lets a person set one facet of the filter after the other; undefined when they leave. */
export async function askForFilter(input: FilterInput): Promise<ReportsFilter | undefined> {
  for (let { filter } = input; ; ) {
    const facet = await vscode.window.showQuickPick(facetsOf({ ...input, filter }), {
      title: vscode.l10n.t('Filter Reports'),
      placeHolder: filters.describeFilter(filter) || vscode.l10n.t('Choose what to filter by'),
      ignoreFocusOut: true,
    });
    if (!facet?.ask) return facet && filter;
    filter = (await facet.ask()) ?? filter;
  }
}

/** The rows of the list, each with what it is set to. */
async function facetsOf(input: FilterInput): Promise<Facet[]> {
  const { library, filter, sets } = input;
  const count = await library.countReports(await filters.queryOf(filter, sets));
  const companies = [...(await companyNames(library, filter.company_key ?? [])).values()].join(', ');
  const set = chipsOf(filter).map(({ part, words }) => ({ part, words: part === 'company_key' ? companies : words }));
  const facet = (label: string, parts: readonly string[], choices: () => Promise<Choice[]>): Facet => ({
    label,
    description: labelText(set.flatMap(({ part, words }) => (parts.includes(part) ? words : [])).join(' · ')),
    async ask() {
      const title = vscode.l10n.t('Filter Reports: {0}', label);
      const chosen = await vscode.window.showQuickPick(choices(), { title, canPickMany: true, ignoreFocusOut: true });
      return chosen?.reduce((all, choice) => choice.add(all), parts.reduce(filters.withoutPart, filter));
    },
  });
  const byFact = (label: string, fields: Parameters<typeof countFacts>[1]) =>
    facet(label, fields, async () => answersOf(await countFacts(input, fields)));
  return [
    {
      label: vscode.l10n.t('Show {0}', counted(count, l10n.later('1 report'), l10n.later('{0} reports'))),
      alwaysShow: true,
    },
    ...(filters.isEmptyFilter(filter) ? [] : [{ label: vscode.l10n.t('Clear Filter'), ask: async () => ({}) }]),
    { label: vscode.l10n.t('Search'), description: filter.text ?? '', ask: () => askForWords(filter) },
    ...(Object.keys(filters.facetNames) as GroupBy[]).map((by) =>
      facet(filters.facetNames[by], [filters.memberOf(by)], () => valuesOf(input, by)),
    ),
    byFact(vscode.l10n.t('Standards'), filters.frameworkFields),
    byFact(vscode.l10n.t('Materiality and Assurance'), filters.statementFields),
    facet(vscode.l10n.t('Favorites and PDFs'), ['favorite', 'downloaded', 'has_file'], async () =>
      answersOf([...(await countSets(input)), ...(await countFacts(input, ['has_file']))]),
    ),
  ];
}

/** The values that reports have, each with how many have it. */
async function valuesOf(input: FilterInput, by: GroupBy): Promise<Choice[]> {
  const rows = await countValues(input, by);
  const keys = rows.map(({ value }) => value);
  const names = by === 'company' ? await companyNames(input.library, keys) : null;
  const choices = rows.map(({ value, words, count, isOn }) => ({
    label: labelText(names?.get(String(value)) ?? words),
    description: countText(count),
    picked: isOn,
    add: (filter: ReportsFilter) => filters.narrowed(filter, { by: 'value', facet: by, value }),
  }));
  if (by === 'company') choices.sort((a, b) => a.label.localeCompare(b.label));
  return by === 'fcyear' ? [...choices, ...(await twoYearReports(input))] : choices;
}

/** Where old two-year records hide reports of the chosen years, a person can include them (FY-3). */
async function twoYearReports({ library, filter, sets }: Counted): Promise<Choice[]> {
  const count = async (splitYears: boolean) =>
    library.countReports(await filters.queryOf({ ...filter, splitYears }, sets));
  const more = (await count(true)) - (await count(false));
  const label = vscode.l10n.t('Include Two-Year Reports');
  const detail = vscode.l10n.t('Filed under the year before; their periods end in the year you chose');
  const choice = { label, detail, description: countText(more), picked: filter.splitYears === true };
  return more > 0 ? [{ ...choice, add: (chosen) => ({ ...chosen, splitYears: true }) }] : [];
}

/** The answers that reports give (CNV-2). Of two answers to one question, the later one counts. */
function answersOf(questions: readonly FactRow[]): Choice[] {
  return questions.flatMap(({ field, words, counts, answer: now }) =>
    (['yes', 'no', 'undetermined'] as const)
      .map((answer, index) => ({
        label: `${words}: ${markWords(answer)}`,
        description: countText(counts[index] ?? 0),
        picked: answer === now,
        add: (filter: ReportsFilter) => filters.narrowed(filter, { by: 'fact', field, answer }),
      }))
      .filter(({ picked }, index) => picked || (counts[index] ?? 0) > 0),
  );
}

function askForWords(filter: ReportsFilter): Thenable<ReportsFilter | undefined> {
  const title = vscode.l10n.t('Filter Reports: {0}', vscode.l10n.t('Search'));
  const prompt = vscode.l10n.t('Words of the title, company, identifiers or report key. Leave empty to match all.');
  const asked = vscode.window.showInputBox({ title, prompt, value: filter.text ?? '', ignoreFocusOut: true });
  return asked.then((text) => (text === undefined ? undefined : filters.narrowed(filter, { by: 'text', text })));
}
