import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { setContextKey } from '../common/contextKey.ts';
import { viewIds } from '../common/contributions.ts';
import { askForFilter } from './askForFilter.ts';
import { filterFromArgument, isEmptyFilter, type ReportsFilter } from './filter.ts';
import type { ReportsTree } from './tree.ts';

/** Narrows the Reports view: as a program says, to the company that a menu was opened on, or as the user chooses. */
export async function filterReports(services: Services, tree: ReportsTree, argument: unknown): Promise<void> {
  const company = companyOf(argument);
  if (typeof argument === 'object' && argument !== null && !('kind' in argument)) {
    await showFiltered(tree, filterFromArgument(argument));
    return;
  }
  const filter =
    company === undefined ? await askForFilter(await services.library(), tree.filter) : { company_key: [company] };
  if (!filter) return;
  await showFiltered(tree, filter);
  await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
}

/** Narrows the view and offers to clear the filter. */
export async function showFiltered(tree: ReportsTree, filter: ReportsFilter): Promise<void> {
  tree.show(filter);
  await setContextKey('reportLibrary.filtered', !isEmptyFilter(filter));
}

function companyOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('company' in argument)) return undefined;
  const { company } = argument;
  const key = typeof company === 'object' && company !== null && 'company_key' in company && company.company_key;
  return typeof key === 'string' ? key : undefined;
}
