import * as vscode from 'vscode';
import { notificationText } from '../common/messages.ts';

const filters = { CSV: ['csv'], Markdown: ['md'] };

/**
 * Writes a table to a file that the person chooses, in the format of its name's extension, CSV by default; false when
 * the person leaves. Says once where it went and that the data is licensed (LIM-5); nothing opens by itself.
 */
export async function saveTable(name: string, contentAs: (format: 'csv' | 'markdown') => string): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.csv`) }),
    filters,
    title: vscode.l10n.t('Save as CSV or Markdown'),
  });
  if (!uri) return false;
  const format = uri.path.toLowerCase().endsWith('.md') ? 'markdown' : 'csv';
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(contentAs(format)));
  void tellSaved(uri);
  return true;
}

async function tellSaved(uri: vscode.Uri): Promise<void> {
  const file = notificationText(uri.path.split('/').at(-1) ?? '');
  const text = vscode.l10n.t('Saved {0}. The data is licensed to you: it is not for redistribution.', file);
  const open = vscode.l10n.t('Open');
  if ((await vscode.window.showInformationMessage(text, open)) === open) {
    await vscode.commands.executeCommand('vscode.open', uri);
  }
}
