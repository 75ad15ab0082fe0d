import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { companyKeyOf } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import { commandIds, viewIds } from '../common/contributions.ts';
import type { LibraryTreeContext } from '../common/libraryTree.ts';
import { isReportNode } from '../common/reportNode.ts';
import { filterFromArgument, type ReportsFilter } from '../common/reportsFilter.ts';
import { chooseSavedFilter } from '../common/savedFilters.ts';
import { askForFilter } from './askForFilter.ts';
import { chooseGrouping } from './groups.ts';
import type { ReportsTree } from './tree.ts';

export function reportsCommands(context: LibraryTreeContext, tree: ReportsTree) {
  const { services, extension } = context;
  return {
    filterReports: (argument) => filterReports(context, tree, argument),
    clearFilter: () => tree.show({}),
    async savedFilters() {
      const filter = await chooseSavedFilter(extension.globalState, tree.filter);
      if (filter) await showFocused(tree, filter);
    },
    async groupReports() {
      if (await chooseGrouping(extension.workspaceState)) tree.reload();
    },
    downloadShown: (node) => downloadShown(services, tree, node),
    copyReportKey,
  } satisfies Readonly<Record<string, CommandRun>>;
}

/** Narrows the Reports view: as a program says, to the company that a menu was opened on, or as the user chooses. */
async function filterReports(context: LibraryTreeContext, tree: ReportsTree, argument: unknown): Promise<void> {
  const { services, localReports, favourites } = context;
  const company = companyKeyOf(argument);
  if (company !== undefined) return showFocused(tree, { company_key: [company] });
  const isFilter = typeof argument === 'object' && argument !== null && !('kind' in argument);
  if (isFilter) return tree.show(filterFromArgument(argument));
  const { library } = await services.library();
  const filter = await askForFilter({ library, localReports, favourites }, tree.filter);
  if (filter) await showFocused(tree, filter);
}

async function showFocused(tree: ReportsTree, filter: ReportsFilter): Promise<void> {
  await tree.show(filter);
  await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
}

/**
 * Downloads the PDFs of all reports that the view shows, or of one of its groups, whether they are drawn or not. The
 * plan is told first.
 */
async function downloadShown(services: Services, tree: ReportsTree, node: unknown): Promise<void> {
  const { library } = await services.library();
  const ids = await library.reportIds(await tree.queryOf(node));
  if (ids.length === 0) throw new Error(vscode.l10n.t('No report matches the filter. Choose another filter first.'));
  // As nodes, because a list of numbers is what a program gives, and a program is not asked.
  const chosen = ids.map((report_id) => ({ report: { report_id } }));
  await vscode.commands.executeCommand(commandIds.downloadReports, chosen);
}

async function copyReportKey(node: unknown): Promise<void> {
  if (!isReportNode(node))
    throw new Error(vscode.l10n.t('Choose a report in one of the trees first, then copy its key.'));
  await vscode.env.clipboard.writeText(node.report.report_key);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Report key copied'), 3_000);
}
