import * as vscode from 'vscode';
import { labelText, notificationText } from '../common/messages.ts';

/** One file of a list that a person may look at after a summary. */
export interface Detail {
  readonly name: string;
  /** A word or two. */
  readonly state: string;
  readonly reason?: string | undefined;
  /** Where the file is, if it is there. */
  readonly uri?: vscode.Uri | undefined;
}

/** Tells a summary; with details, a button shows them as a list, and choosing a file there shows where it is. */
export async function tellSummary(sentence: string, isWarning: boolean, details: readonly Detail[]): Promise<void> {
  const show = vscode.l10n.t('Show Details');
  const tell = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await tell(notificationText(sentence), ...(details.length > 0 ? [show] : []));
  if (choice !== show) return;
  const picks = details.map(({ name, state, reason, uri }) => ({
    label: labelText(name),
    description: labelText(state),
    ...(reason !== undefined && { detail: labelText(reason) }),
    uri,
  }));
  const options = { title: sentence, placeHolder: vscode.l10n.t('Choose a file to see where it is') };
  const picked = await vscode.window.showQuickPick(picks, {
    ...options,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.uri) await vscode.commands.executeCommand('revealInExplorer', picked.uri);
}

/** The last names of files, for a sentence: "a.pdf, b.pdf and 3 more". */
export function someNames(paths: readonly string[], most = 3): string {
  const names = paths.slice(0, most).map((path) => path.split('/').at(-1) ?? path);
  const more = paths.length - names.length;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', ');
}
