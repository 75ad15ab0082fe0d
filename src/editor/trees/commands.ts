import * as vscode from 'vscode';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { companyKeyOf } from '../common/arguments.ts';
import { type CommandRun, runCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import type { LazyTree } from '../common/lazyTree.ts';
import { isMoreNode, type LibraryTreeContext } from '../common/libraryTree.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { isReportNode } from '../common/reportNode.ts';
import { filterFromArgument, type ReportsFilter } from '../common/reportsFilter.ts';
import { chooseSavedFilter } from '../common/savedFilters.ts';
import { arrangeReports, arrangeWatchlist } from './arrange.ts';
import { askForFilter } from './askForFilter.ts';
import type { ReportsTree } from './reportsTree.ts';
import type { CompanyNode } from './watchlistRows.ts';
import type { WatchlistNode, WatchlistTree } from './watchlistTree.ts';

export interface TreesContext extends LibraryTreeContext {
  /** Reads the service again, whether due or not. */
  syncAgain(): Promise<void>;
}

export function watchlistCommands(
  context: TreesContext,
  tree: LazyTree<WatchlistNode, WatchlistTree>,
  view: vscode.TreeView<WatchlistNode>,
) {
  return {
    openCompany: async (companyKey) => openCompany(context, await tree.tree(), view, companyKey),
    async arrangeWatchlist() {
      if (await arrangeWatchlist(context.extension.workspaceState)) (await tree.loaded())?.reload();
    },
    async showMore(node) {
      if (isMoreNode(node)) node.showMore();
    },
    async refresh() {
      (await tree.loaded())?.reload();
      await context.syncAgain();
    },
  } satisfies Readonly<Record<string, CommandRun>>;
}

/** A first load reads the tree anew again and again. */
const maxLooks = 5;

/** Items of the picker. */
const maxItems = 50;

/**
 * Shows a company in the tree; one that a person picked opens its panel too.
 * @throws Error when no company of the licence has the key
 */
async function openCompany(
  context: TreesContext,
  tree: WatchlistTree,
  view: vscode.TreeView<WatchlistNode>,
  key: unknown,
): Promise<void> {
  const byProgram = typeof key === 'string';
  const companyKey = byProgram ? key : (await pickCompany(context))?.key;
  if (companyKey === undefined) return;
  const node = await tree.company(companyKey);
  if (!node)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  const shown = reveal(view, node, { select: true, focus: byProgram, expand: true });
  // Its years may have to be fetched first; the panel need not wait for them.
  await Promise.all([shown, byProgram || runCommand('showCompany', companyKey)]);
}

/** Shows a row; a tree that is read anew meanwhile has another row for it, which is looked for again. */
async function reveal(
  view: vscode.TreeView<WatchlistNode>,
  node: CompanyNode,
  options: Parameters<typeof view.reveal>[1],
): Promise<void> {
  for (let left = maxLooks - 1; ; left--) {
    try {
      return await view.reveal(node, options);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function pickCompany({ services, log }: TreesContext) {
  const { library } = await services.library();
  const options = {
    title: vscode.l10n.t('Open Company'),
    placeholder: vscode.l10n.t('Name, key or identifier'),
    async itemsFor(calls: Pick<typeof library, 'companies' | 'findCompanies'>, words: string) {
      const found =
        words.trim() === ''
          ? (await calls.companies({ sort: 'name' }, { limit: maxItems })).items
          : await calls.findCompanies(words, maxItems);
      return found.map(companyItem);
    },
  };
  return pickWhileTyping(library, options, log);
}

function companyItem({ company_key: key, company_name, country, sector }: LibraryCompany) {
  const detail = labelText([country, sector].filter((part) => part !== null).join(' · '));
  return { label: labelText(company_name ?? key), description: labelText(key), detail, key };
}

export function reportsCommands(context: LibraryTreeContext, tree: ReportsTree) {
  const { services, extension, localReports, favourites } = context;
  return {
    /** Narrows the view: as a program says, to the company that a menu was opened on, or as the user chooses. */
    async filterReports(argument) {
      const company = companyKeyOf(argument);
      if (company !== undefined) return showFocused(tree, { company_key: [company] });
      const isFilter = typeof argument === 'object' && argument !== null && !('kind' in argument);
      if (isFilter) return tree.show(filterFromArgument(argument));
      const { library } = await services.library();
      const filter = await askForFilter({ library, filter: tree.filter, sets: { localReports, favourites } });
      if (filter) await showFocused(tree, filter);
    },
    clearFilter: () => tree.show({}),
    async savedFilters() {
      const filter = await chooseSavedFilter(extension.globalState, tree.filter);
      if (filter) await showFocused(tree, filter);
    },
    async groupReports() {
      if (await arrangeReports(extension.workspaceState)) tree.reload();
    },
    /** Downloads all that the view shows, or one of its groups, drawn or not. The plan is told first. */
    async downloadShown(node) {
      const { library } = await services.library();
      const ids = await library.reportIds(await tree.queryOf(node));
      if (ids.length === 0)
        throw new Error(vscode.l10n.t('No report matches the filter. Choose another filter first.'));
      // As nodes, because a list of numbers is what a program gives, and a program is not asked.
      const chosen = ids.map((report_id) => ({ report: { report_id } }));
      await runCommand('downloadReports', chosen);
    },
    async copyReportKey(node) {
      if (!isReportNode(node))
        throw new Error(vscode.l10n.t('Choose a report in one of the trees first, then copy its key.'));
      await vscode.env.clipboard.writeText(node.report.report_key);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Report key copied'), 3_000);
    },
  } satisfies Readonly<Record<string, CommandRun>>;
}

async function showFocused(tree: ReportsTree, filter: ReportsFilter): Promise<void> {
  await tree.show(filter);
  await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
}
