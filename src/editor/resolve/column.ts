import * as vscode from 'vscode';
import { isCsvDocument } from '../common/csvDocument.ts';
import { labelText } from '../common/messages.ts';
import { csvFiles, readCsvDocument } from './csvDocument.ts';
import { type ColumnGuess, guessColumns, guessWords } from './guessColumn.ts';
import { nameOf } from './selection.ts';
import type { Input } from './sources.ts';
import type { Subject } from './subject.ts';

/** The CSV document in front of the person, if there is one. */
export function activeCsv(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isCsvDocument(document) ? document : undefined;
}

/** Asks for one of the workspace's CSV files; undefined when the person leaves. */
export async function chooseCsv(): Promise<vscode.TextDocument | undefined> {
  const files = await csvFiles();
  if (files.length === 0) {
    throw new Error(vscode.l10n.t('There is no CSV or TSV file in this folder. Open one, then run the command again.'));
  }
  const items = files.map((uri) => ({ label: labelText(vscode.workspace.asRelativePath(uri)), uri }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Choose a CSV File'),
    matchOnDescription: true,
  });
  return chosen && vscode.workspace.openTextDocument(chosen.uri);
}

/**
 * The values of a column that the person confirms; the likeliest is on top. Undefined when the person leaves.
 * @throws Error when the document holds no values
 */
export async function askForColumn(document: vscode.TextDocument, subject: Subject): Promise<Input | undefined> {
  const table = readCsvDocument(document);
  const guesses = guessColumns(table, subject).filter(({ filled }) => filled > 0);
  if (guesses.length === 0)
    throw new Error(vscode.l10n.t('{0} holds no values. Choose another file.', nameOf(document)));
  const chosen = await vscode.window.showQuickPick(guesses.map(itemOf), {
    title: vscode.l10n.t('Column of {0}', nameOf(document)),
    placeHolder:
      subject === 'identifiers'
        ? vscode.l10n.t('Which column holds the identifiers?')
        : vscode.l10n.t('Which column holds report keys?'),
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  const { index, header } = chosen.guess;
  const records = table.hasHeader ? table.records.slice(1) : table.records;
  const column = { uri: document.uri.toString(), index, header };
  return {
    texts: records.flatMap(({ cells }) => cells[index]?.trim() || []),
    origin: { words: vscode.l10n.t('column {0} of {1}', header, nameOf(document)), column },
  };
}

function itemOf(guess: ColumnGuess): vscode.QuickPickItem & { readonly guess: ColumnGuess } {
  return {
    label: labelText(guess.header),
    description: guessWords(guess),
    detail: labelText(guess.samples.join(' · ')),
    guess,
  };
}
