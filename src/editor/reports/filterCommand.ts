import * as vscode from 'vscode';
import { companyKeyOf, isRecord } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { askForFilter } from './askForFilter.ts';
import { copyReportKey } from './copyReportKey.ts';
import { downloadShown } from './downloadShown.ts';
import { filterFromArgument, type ReportsFilter } from './filter.ts';
import { chooseGrouping } from './grouping.ts';
import type { ReportsContext } from './register.ts';
import { chooseSavedFilter } from './savedFilters.ts';
import type { ReportsTree } from './tree.ts';

type Name = 'filterReports' | 'clearFilter' | 'savedFilters' | 'groupReports' | 'copyReportKey' | 'downloadShown';

/** What the commands of the Reports view do. */
export function reportsCommands(context: ReportsContext, tree: ReportsTree): Readonly<Record<Name, CommandRun>> {
  const { memories } = context;
  return {
    filterReports: (argument) => filterReports(context, tree, argument),
    clearFilter: () => showFiltered(tree, {}),
    async savedFilters() {
      const filter = await chooseSavedFilter(memories.globalState, tree.filter);
      if (filter) await showFiltered(tree, filter, true);
    },
    async groupReports() {
      if (await chooseGrouping(memories.workspaceState)) tree.reload();
    },
    downloadShown: (node) => downloadShown(context.services, tree, node),
    copyReportKey,
  };
}

/** Narrows the Reports view: as a program says, to the company that a menu was opened on, or as the user chooses. */
async function filterReports(context: ReportsContext, tree: ReportsTree, argument: unknown): Promise<void> {
  const { services, localReports } = context;
  const company = companyKeyOf(argument);
  if (company !== undefined) return showFiltered(tree, { company_key: [company] }, true);
  if (isRecord(argument) && !('kind' in argument)) return showFiltered(tree, filterFromArgument(argument));
  const { library } = await services.library();
  const filter = await askForFilter({ library, localReports }, tree.filter);
  if (filter) await showFiltered(tree, filter, true);
}

async function showFiltered(tree: ReportsTree, filter: ReportsFilter, focus = false): Promise<void> {
  await tree.show(filter);
  if (focus) await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
}
