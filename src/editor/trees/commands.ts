import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy } from '../../library/reportQuery.ts';
import { markWords } from '../../protocol/format/facts.ts';
import type { FactRow } from '../../protocol/reportTable.ts';
import { companyKeyOf } from '../common/arguments.ts';
import { type CommandRun, runCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type Counted, chipsOf, countFacts, countSets, countValues } from '../common/filterFacets.ts';
import type { LazyTree } from '../common/lazyTree.ts';
import { isMoreNode } from '../common/libraryTree.ts';
import { labelText } from '../common/messages.ts';
import { isReportNode } from '../common/reportNode.ts';
import * as filters from '../common/reportsFilter.ts';
import { filterFromArgument, type ReportsFilter } from '../common/reportsFilter.ts';
import { chooseSavedFilter } from '../common/savedFilters.ts';
import { companyNames, type ReportsTree } from './reportsTree.ts';
import type { WatchlistNode, WatchlistTree } from './watchlistTree.ts';

export function watchlistCommands({ sync }: Pick<App, 'sync'>, watchlist: LazyTree<WatchlistNode, WatchlistTree>) {
  return {
    async openCompany(key, options) {
      if (typeof key !== 'string') return runCommand('find', { only: 'companies' });
      await showCompany(
        await watchlist.tree(),
        watchlist.view,
        key,
        isObject(options) && options.preserveFocus === true,
      );
    },
    async showMore(node) {
      if (isMoreNode(node)) node.showMore();
    },
    async refresh() {
      (await watchlist.loaded())?.reload();
      await sync.again();
    },
  } satisfies Readonly<Record<string, CommandRun>>;
}

/**
 * Shows a company in the tree.
 * @throws Error when no company of the license has the key
 */
async function showCompany(
  tree: WatchlistTree,
  view: vscode.TreeView<WatchlistNode>,
  key: string,
  preserveFocus: boolean,
): Promise<void> {
  const node = await tree.company(key);
  if (!node)
    throw new Error(vscode.l10n.t('No company in your license has that key. Check it, or resolve its identifiers.'));
  await view.reveal(node, { select: true, focus: !preserveFocus, expand: true });
}

export function reportsCommands({ services, extension, marks, favorites, downloads }: App, tree: ReportsTree) {
  return {
    /** Narrows the view: as a program says, to the company that a menu was opened on, or as the user chooses. */
    async filterReports(argument) {
      const company = companyKeyOf(argument);
      if (company !== undefined) return showFocused(tree, { company_key: [company] });
      const isFilter = typeof argument === 'object' && argument !== null && !('kind' in argument);
      if (isFilter) return tree.show(filterFromArgument(argument));
      const { library } = await services.library();
      const filter = await askForFilter({
        library,
        filter: tree.filter,
        sets: { marks, favorites },
      });
      if (filter) await showFocused(tree, filter);
    },
    clearFilter: () => tree.show({}),
    async savedFilters() {
      const filter = await chooseSavedFilter(extension.globalState, tree.filter);
      if (filter) await showFocused(tree, filter);
    },
    /** Downloads all that the view shows, or one of its fiscal years, drawn or not. The plan is shown first. */
    async downloadShown(node) {
      const { library } = await services.library();
      const ids = await library.reportIds(await tree.queryOf(node));
      if (ids.length === 0)
        throw new Error(vscode.l10n.t('No report matches the filter. Choose another filter first.'));
      await downloads.offer(ids);
    },
    async copyReportKey(node) {
      if (!isReportNode(node)) throw new Error(vscode.l10n.t('Select a report, then copy its key.'));
      await vscode.env.clipboard.writeText(node.report.report_key);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Report key copied'), 3_000);
    },
  } satisfies Readonly<Record<string, CommandRun>>;
}

async function showFocused(tree: ReportsTree, filter: ReportsFilter): Promise<void> {
  await tree.show(filter);
  await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
}

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
