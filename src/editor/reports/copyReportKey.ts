import * as vscode from 'vscode';
import { isReportNode } from '../common/reportNode.ts';

/** Copies the key of the report that a menu was opened on. */
export async function copyReportKey(node: unknown): Promise<void> {
  if (!isReportNode(node))
    throw new Error(vscode.l10n.t('Choose a report in one of the trees first, then copy its key.'));
  await vscode.env.clipboard.writeText(node.report.report_key);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Report key copied'), 3_000);
}
