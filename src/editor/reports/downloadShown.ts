import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import type { ReportsTree } from './tree.ts';

/**
 * Downloads the PDFs of all reports that the view shows, or of one of its groups, whether they are drawn or not. The
 * plan is told first.
 */
export async function downloadShown(services: Services, tree: ReportsTree, node: unknown): Promise<void> {
  const { library } = await services.library();
  const ids = await library.reportIds(await tree.queryOf(node));
  if (ids.length === 0) throw new Error(vscode.l10n.t('No report matches the filter. Choose another filter first.'));
  // As nodes, because a list of numbers is what a program gives, and a program is not asked.
  const chosen = ids.map((report_id) => ({ report: { report_id } }));
  await vscode.commands.executeCommand(commandIds.downloadReports, chosen);
}
