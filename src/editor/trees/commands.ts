import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { companyKeyOf } from '../common/arguments.ts';
import { type CommandRun, runCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import type { LazyTree } from '../common/lazyTree.ts';
import { isMoreNode, type LibraryTreeContext } from '../common/libraryTree.ts';
import { isReportNode } from '../common/reportNode.ts';
import { filterFromArgument, type ReportsFilter } from '../common/reportsFilter.ts';
import { chooseSavedFilter } from '../common/savedFilters.ts';
import { askForFilter } from './askForFilter.ts';
import type { ReportsTree } from './reportsTree.ts';
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
    async openCompany(key, options) {
      if (typeof key !== 'string') return runCommand('find', { only: 'companies' });
      await showCompany(await tree.tree(), view, key, isObject(options) && options.preserveFocus === true);
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

/**
 * Shows a company in the tree.
 * @throws Error when no company of the licence has the key
 */
async function showCompany(
  tree: WatchlistTree,
  view: vscode.TreeView<WatchlistNode>,
  key: string,
  preserveFocus: boolean,
): Promise<void> {
  const node = await tree.company(key);
  if (!node)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  await view.reveal(node, { select: true, focus: !preserveFocus, expand: true });
}

export function reportsCommands(context: LibraryTreeContext, tree: ReportsTree) {
  const { services, extension, localReports, favorites } = context;
  return {
    /** Narrows the view: as a program says, to the company that a menu was opened on, or as the user chooses. */
    async filterReports(argument) {
      const company = companyKeyOf(argument);
      if (company !== undefined) return showFocused(tree, { company_key: [company] });
      const isFilter = typeof argument === 'object' && argument !== null && !('kind' in argument);
      if (isFilter) return tree.show(filterFromArgument(argument));
      const { library } = await services.library();
      const filter = await askForFilter({ library, filter: tree.filter, sets: { localReports, favorites } });
      if (filter) await showFocused(tree, filter);
    },
    clearFilter: () => tree.show({}),
    async savedFilters() {
      const filter = await chooseSavedFilter(extension.globalState, tree.filter);
      if (filter) await showFocused(tree, filter);
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
