import * as vscode from 'vscode';
import { identifierAt } from '../../identifiers/find.ts';
import type { Origin } from '../../protocol/resultsView.ts';
import { isCsvDocument } from '../common/csvDocument.ts';
import { labelText } from '../common/messages.ts';
import { answerOf } from '../common/pickWhileTyping.ts';
import { type ColumnGuess, csvFiles, guessColumns, guessWords, readCsvDocument } from './csv.ts';
import { askedIn, type Subject, splitPieces, typedPieces } from './pieces.ts';

/** What is to be asked, and where it came from. */
export interface Input {
  readonly texts: readonly string[];
  readonly origin: Origin;
}

interface Source extends vscode.QuickPickItem {
  read(): Promise<Input | undefined> | Input | undefined;
}

const words = {
  identifiers: {
    title: vscode.l10n.t('Resolve Identifiers'),
    placeholder: vscode.l10n.t('Type ISIN, LEI, FIGI, CIK, MIC:TICKER or names, or choose where they are'),
    verb: vscode.l10n.t('Resolve'),
  },
  'report-keys': {
    title: vscode.l10n.t('Look Up Report Keys'),
    placeholder: vscode.l10n.t('Type report keys such as XPAR_ABCD_2024_SR, or choose where they are'),
    verb: vscode.l10n.t('Look Up'),
  },
} as const;

/** Asks for what to look up: typed, or from one of the places that are at hand. Undefined when the person leaves. */
export async function askForInput(subject: Subject): Promise<Input | undefined> {
  const sources = sourcesAtHand(subject);
  const source = await choose(subject, sources);
  return source?.read();
}

function sourcesAtHand(subject: Subject): Source[] {
  const editor = vscode.window.activeTextEditor;
  const csv = activeCsv();
  const sources: Source[] = [];
  if (editor?.selections.some(({ isEmpty }) => !isEmpty)) {
    sources.push({
      label: vscode.l10n.t('$(list-selection) Selection'),
      description: labelText(nameOf(editor.document)),
      read: () => selectedInput(editor, subject),
    });
  }
  if (csv) {
    sources.push({
      label: vscode.l10n.t('$(table) Column of {0}…', labelText(nameOf(csv))),
      read: () => askForColumn(csv, subject),
    });
  } else if (editor && editor.document.uri.scheme !== 'output' && !isCsvDocument(editor.document)) {
    sources.push({
      label: vscode.l10n.t('$(file) All in {0}', labelText(nameOf(editor.document))),
      description: vscode.l10n.t('every identifier that the document holds'),
      read: () => wholeDocument(editor.document, subject),
    });
  }
  sources.push({
    label: vscode.l10n.t('$(clippy) Clipboard'),
    description: vscode.l10n.t('a list, a column, any text'),
    read: () => clipboard(subject),
  });
  sources.push({
    label: vscode.l10n.t('$(folder-opened) Column of a CSV File…'),
    async read() {
      const document = await chooseCsv();
      return document && askForColumn(document, subject);
    },
  });
  return sources;
}

/** Texts that a person typed. */
export function typedInput(texts: readonly string[]): Input {
  return { texts, origin: { words: null, column: null } };
}

function wholeDocument(document: vscode.TextDocument, subject: Subject): Input {
  const form = document.languageId === 'plaintext' ? 'list' : 'prose';
  const texts = askedIn(document.getText(), subject, form);
  if (texts.length === 0) throw new Error(vscode.l10n.t('{0} holds nothing to look up.', nameOf(document)));
  return { texts, origin: { words: nameOf(document), column: null } };
}

async function clipboard(subject: Subject): Promise<Input> {
  const texts = askedIn(await vscode.env.clipboard.readText(), subject, 'list');
  if (texts.length === 0)
    throw new Error(vscode.l10n.t('The clipboard holds no text. Copy identifiers first, then run this again.'));
  return { texts, origin: { words: vscode.l10n.t('the clipboard'), column: null } };
}

/** One box for both: what is typed becomes the first choice, the places stand below. */
function choose(subject: Subject, sources: readonly Source[]): Promise<Source | undefined> {
  const { title, placeholder, verb } = words[subject];
  const box = vscode.window.createQuickPick<Source>();
  box.title = title;
  box.placeholder = placeholder;
  // What is typed here is often copied from elsewhere, piece by piece.
  box.ignoreFocusOut = true;
  box.items = sources;
  const typed = (text: string): Source => {
    const texts = typedPieces(text, subject);
    const label = vscode.l10n.t(
      '$(search) {0} {1}',
      verb,
      texts.length === 1 ? `“${labelText(texts[0] ?? '')}”` : vscode.l10n.t('{0} typed texts', texts.length),
    );
    return { label, alwaysShow: true, read: () => typedInput(texts) };
  };
  return answerOf<Source>(box, (resolve) => {
    box.onDidChangeValue((text) => {
      box.items = splitPieces(text).length === 0 ? sources : [typed(text), ...sources];
    });
    box.onDidAccept(() => {
      // Who types fast accepts before the list has followed.
      const chosen = box.selectedItems[0] ?? (splitPieces(box.value).length > 0 ? typed(box.value) : undefined);
      if (chosen) resolve(chosen);
    });
    return undefined;
  });
}

/** Longer selections are documents; a column of theirs is the way. In characters. */
const maxSelection = 2_000_000;

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
      return length > maxSelection ? [] : askedIn(text, subject, form);
    });
  if (length > maxSelection) {
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

/** The CSV document in front of the person, if there is one. */
function activeCsv(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isCsvDocument(document) ? document : undefined;
}

/** Asks for one of the workspace's CSV files; undefined when the person leaves. */
async function chooseCsv(): Promise<vscode.TextDocument | undefined> {
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
async function askForColumn(document: vscode.TextDocument, subject: Subject): Promise<Input | undefined> {
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
