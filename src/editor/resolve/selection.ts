import * as vscode from 'vscode';
import { identifierAt } from '../../identifiers/find.ts';
import { isCsvDocument } from '../common/csvDocument.ts';
import { askedIn } from './pieces.ts';
import type { Input } from './sources.ts';
import type { Subject } from './subject.ts';

/** Longer selections are documents; a column of theirs is the way. In characters. */
const longestSelection = 2_000_000;

/**
 * What the selections ask for, all cursors together, in the order of the document. A cursor without a selection asks
 * for the identifier or the word that it stands in.
 * @throws Error when nothing is selected
 */
export function selectedInput(editor: vscode.TextEditor | undefined, subject: Subject): Input {
  if (!editor)
    throw new Error(vscode.l10n.t('Open a document and select identifiers in it, then run the command again.'));
  const { document } = editor;
  // Rows of a table hold much that is no identifier; a list that somebody wrote down holds nothing else.
  const form = document.languageId === 'plaintext' && !isCsvDocument(document) ? 'list' : 'prose';
  let length = 0;
  const texts = [...editor.selections]
    .sort((a, b) => a.start.compareTo(b.start))
    .flatMap((selection) => {
      const text = selection.isEmpty ? wordAt(document, selection.active) : document.getText(selection);
      length += text.length;
      return length > longestSelection ? [] : askedIn(text, subject, form);
    });
  if (length > longestSelection) {
    throw new Error(
      vscode.l10n.t('The selection is too long. Resolve a column of the file instead: Resolve Identifiers…'),
    );
  }
  if (texts.length === 0) {
    throw new Error(vscode.l10n.t('The selection holds no identifier. Select some, or put the cursor into one.'));
  }
  return { texts, origin: { words: vscode.l10n.t('the selection in {0}', nameOf(document)), column: null } };
}

function wordAt(document: vscode.TextDocument, position: vscode.Position): string {
  const found = identifierAt(document.lineAt(position.line).text, position.character);
  if (found) return found.kind === 'cik' ? `CIK ${found.value}` : found.value;
  const range = document.getWordRangeAtPosition(position);
  return range ? document.getText(range) : '';
}

/** What a person calls a document. */
export function nameOf({ uri }: Pick<vscode.TextDocument, 'uri'>): string {
  return uri.path.split('/').at(-1) || uri.path;
}
