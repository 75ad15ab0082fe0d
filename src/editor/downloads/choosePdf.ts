import * as vscode from 'vscode';
import { labelText } from '../common/messages.ts';

/** A PDF that can be chosen. */
export interface Choice {
  readonly name: string;
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** Lets a person choose among PDFs that are here; one alone needs no question. Undefined when they leave. */
export async function choosePdf(choices: readonly Choice[]): Promise<vscode.Uri | undefined> {
  const [only] = choices;
  if (choices.length === 1) return only?.uri;
  const items = choices.map(({ name, path, uri }) => ({ label: labelText(name), description: labelText(path), uri }));
  const options = {
    title: vscode.l10n.t('Open PDF'),
    placeHolder: vscode.l10n.t('Which PDF?'),
    matchOnDescription: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.uri;
}
