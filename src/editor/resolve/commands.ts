import * as vscode from 'vscode';
import type { ResolveResult } from '../../api/schemas/company.ts';
import type { App } from '../../app/app.ts';
import type { Services } from '../../app/session.ts';
import { isObject } from '../../base/json.ts';
import { countText } from '../../base/words.ts';
import { identifierAt } from '../../identifiers/find.ts';
import { recognize } from '../../identifiers/recognize.ts';
import { type ColumnGuess, guessColumns, valuesIn } from '../../identifiers/table.ts';
import type { AskHow, InputOrigin, ResolveEntry } from '../../panels/lookups.ts';
import type { CommandRun } from '../common/commands.ts';
import { isCsvDocument } from '../common/csvDocument.ts';
import { fileName, labelText } from '../common/messages.ts';
import { showUntilAnswered } from '../common/pickWhileTyping.ts';
import { withCountedProgress } from '../common/progress.ts';
import { lookupTexts, resolveTexts } from './ask.ts';
import {
  askedIn,
  documentText,
  guessWords,
  maxDocumentText,
  openInItsEncoding,
  readCsvDocument,
  splitPieces,
  tooLong,
  typedPieces,
} from './csv.ts';

/** The commands of this feature: a program gives texts and gets results, a person says where they are and sees them. */
export function resolveCommands(app: App) {
  const { services } = app;
  return {
    async resolveIdentifiers(given: unknown) {
      if (!Array.isArray(given)) return show(app, shownInput(given) ?? (await askForInput()));
      return plainResults((await resolveWithProgress(services, given.map(String))).entries);
    },

    resolveSelection: async () => show(app, await selectedInput(vscode.window.activeTextEditor)),

    async lookupReportKeys(given: unknown) {
      if (!Array.isArray(given)) return show(app, await askForInput());
      const { entries } = await lookupWithProgress(services, given.map(String));
      return entries.map(({ result }, index) => ({
        report_key: String(given[index]),
        report_id: result?.report_id ?? null,
      }));
    },
  } satisfies Record<string, CommandRun>;
}

/** A link on one identifier, or a panel that gives some, shows what became of them, as if they had been typed. */
function shownInput(given: unknown): Input | undefined {
  if (typeof given === 'string') return typedInput([given]);
  if (!isObject(given) || !Array.isArray(given.identifiers)) return undefined;
  return typedInput(given.identifiers.map(String));
}

/** More rows would hold up the editor and their panel. */
const maxTexts = 50_000;

/** Shows what became of the texts: identifiers led to companies, report keys to reports. */
async function show({ services, showResults }: App, input: Input | undefined): Promise<undefined> {
  if (!input) return undefined;
  const { texts, origin } = input;
  if (texts.length > maxTexts)
    throw new Error(
      vscode.l10n.t('Too many entries: {0}. Choose up to {1}.', countText(texts.length), countText(maxTexts)),
    );
  const keys = texts.filter(isReportKey);
  const others = texts.filter((text) => !isReportKey(text));
  if (keys.length > 0) await showResults({ subject: 'reports', origin, ...(await lookupWithProgress(services, keys)) });
  if (others.length > 0)
    await showResults({
      subject: 'companies',
      origin,
      ...(await resolveWithProgress(services, others, { header: origin.column?.header })),
    });
  return undefined;
}

function isReportKey(text: string): boolean {
  return recognize(text).kind === 'report-key';
}

/** Resolves with a progress that counts, and a cancel. */
export function resolveWithProgress(services: Services, texts: readonly string[], how: AskHow = {}) {
  return counting(vscode.l10n.t('Resolving identifiers'), how, (all) => resolveTexts(services, texts, all));
}

/** The same for report keys. */
export function lookupWithProgress(services: Services, texts: readonly string[], how: AskHow = {}) {
  return counting(vscode.l10n.t('Looking up report keys'), how, (all) => lookupTexts(services, texts, all));
}

function counting<T>(title: string, how: AskHow, work: (how: AskHow) => Promise<T>): Promise<T> {
  return withCountedProgress(title, (cancelled, onProgress) => {
    const signal = how.signal ? AbortSignal.any([how.signal, cancelled]) : cancelled;
    return work({ ...how, signal, onProgress });
  });
}

/** The results as a program gets them: every input has one, a malformed text counts as unmatched. */
function plainResults(
  entries: readonly ResolveEntry[],
): Pick<ResolveResult, 'query' | 'identifier_type' | 'matched' | 'entitled' | 'ambiguous' | 'company'>[] {
  return entries.map(({ query, result }) => ({
    query,
    identifier_type: result?.identifier_type ?? recognize(query).kind,
    matched: result?.matched ?? false,
    entitled: result?.entitled ?? null,
    ambiguous: result?.ambiguous ?? false,
    company: result?.company ?? null,
  }));
}

interface Input {
  readonly texts: readonly string[];
  readonly origin: InputOrigin;
}

interface InputSource extends vscode.QuickPickItem {
  read(): Promise<Input | undefined> | Input | undefined;
}

const icon = (id: string) => ({ iconPath: new vscode.ThemeIcon(id) });

/** Asks for what to look up: typed, or from one of the places at hand. Undefined when the person leaves. */
async function askForInput(): Promise<Input | undefined> {
  return (await choose(sourcesAtHand()))?.read();
}

function sourcesAtHand(): InputSource[] {
  const editor = vscode.window.activeTextEditor;
  const document = editor?.document;
  const sources: InputSource[] = [];
  const offer = (id: string, label: string, read: InputSource['read'], description?: string) =>
    sources.push({ ...icon(id), label, read, ...(description && { description }) });
  if (editor?.selections.some(({ isEmpty }) => !isEmpty)) {
    const name = labelText(fileName(editor.document.uri));
    offer('list-selection', vscode.l10n.t('Selection'), () => selectedInput(editor), name);
  }
  if (document && isCsvDocument(document)) {
    const label = vscode.l10n.t('Column of {0}…', labelText(fileName(document.uri)));
    offer('table', label, () => askForColumn(document));
  } else if (document && document.uri.scheme !== 'output') {
    const label = vscode.l10n.t('All of {0}', labelText(fileName(document.uri)));
    const description = vscode.l10n.t('every identifier in the document');
    offer('file', label, () => wholeDocument(document), description);
  }
  const whatever = vscode.l10n.t('a list, a column or any text');
  offer('clippy', vscode.l10n.t('Clipboard'), () => clipboard(), whatever);
  offer('folder-opened', vscode.l10n.t('Column of a CSV File…'), async () => {
    const chosen = await chooseCsv();
    return chosen && askForColumn(chosen);
  });
  return sources;
}

function typedInput(texts: readonly string[]): Input {
  return { texts, origin: { words: null, column: null } };
}

async function wholeDocument(document: vscode.TextDocument): Promise<Input> {
  const form = document.languageId === 'plaintext' ? 'list' : 'prose';
  const texts = await askedIn(documentText(document), form);
  if (texts.length === 0) throw new Error(vscode.l10n.t('{0} contains nothing to look up.', fileName(document.uri)));
  return { texts, origin: { words: fileName(document.uri), column: null } };
}

async function clipboard(): Promise<Input> {
  const text = await vscode.env.clipboard.readText();
  if (text.length > maxDocumentText)
    throw new Error(vscode.l10n.t('The clipboard contains too much text. Copy a part of it.'));
  const texts = await askedIn(text, 'list');
  if (texts.length === 0)
    throw new Error(
      vscode.l10n.t('The clipboard contains no text. Copy identifiers first, then run the command again.'),
    );
  return { texts, origin: { words: vscode.l10n.t('the clipboard'), column: null } };
}

/** One box for both: what is typed becomes the first choice, the places stand below. */
function choose(sources: readonly InputSource[]): Promise<InputSource | undefined> {
  const box = vscode.window.createQuickPick<InputSource>();
  box.title = vscode.l10n.t('Resolve Identifiers');
  box.placeholder = vscode.l10n.t(
    'Type ISINs, LEIs, FIGIs, CIKs, MIC:TICKERs, names or report keys, or choose where they are',
  );
  // Text typed here is often copied from elsewhere, piece by piece.
  box.ignoreFocusOut = true;
  box.items = sources;
  const typed = (text: string): InputSource => {
    const texts = typedPieces(text);
    const label =
      texts.length === 1
        ? vscode.l10n.t('Resolve “{0}”', labelText(texts[0] ?? ''))
        : vscode.l10n.t('Resolve {0} Identifiers', countText(texts.length));
    return { ...icon('search'), label, alwaysShow: true, read: () => typedInput(texts) };
  };
  return showUntilAnswered<InputSource>(box, (resolve) => {
    box.onDidChangeValue((text) => {
      box.items = splitPieces(text).length === 0 ? sources : [typed(text), ...sources];
    });
    box.onDidAccept(() => {
      // Accepted before the list has followed the typing.
      const chosen = box.selectedItems[0] ?? (splitPieces(box.value).length > 0 ? typed(box.value) : undefined);
      if (chosen) resolve(chosen);
    });
    return undefined;
  });
}

/**
 * What the selections ask for, all cursors together, in the order of the document. A cursor without a selection asks
 * for the identifier or the word that it stands in.
 * @throws Error when nothing is selected
 */
async function selectedInput(editor: vscode.TextEditor | undefined): Promise<Input> {
  if (!editor)
    throw new Error(vscode.l10n.t('Open a document and select identifiers in it, then run the command again.'));
  const { document } = editor;
  // Rows of a table hold much that is no identifier; a list that somebody wrote down holds nothing else.
  const form = document.languageId === 'plaintext' && !isCsvDocument(document) ? 'list' : 'prose';
  const selections = [...editor.selections].sort((a, b) => a.start.compareTo(b.start));
  const length = selections.reduce((sum, { start, end }) => sum + document.offsetAt(end) - document.offsetAt(start), 0);
  if (length > maxDocumentText)
    throw new Error(
      vscode.l10n.t('The selection is too long. Resolve a column of the file instead: Resolve Identifiers…'),
    );
  const texts: string[] = [];
  for (const selection of selections) {
    const text = selection.isEmpty ? wordAt(document, selection.active) : document.getText(selection);
    texts.push(...(await askedIn(text, form)));
  }
  if (texts.length === 0)
    throw new Error(vscode.l10n.t('The selection contains no identifiers. Select some, or place the cursor in one.'));
  return { texts, origin: { words: vscode.l10n.t('the selection in {0}', fileName(document.uri)), column: null } };
}

function wordAt(document: vscode.TextDocument, position: vscode.Position): string {
  const found = identifierAt(document.lineAt(position.line).text, position.character);
  if (found) return found.kind === 'cik' ? `CIK ${found.value}` : found.value;
  const range = document.getWordRangeAtPosition(position);
  return range ? document.getText(range) : '';
}

/** Asks for one of the workspace's CSV files; undefined when the person leaves. */
async function chooseCsv(): Promise<vscode.TextDocument | undefined> {
  const files = await vscode.workspace.findFiles('**/*.{csv,tsv,tab}', '**/{node_modules,.git,.venv,venv}/**', 200);
  if (files.length === 0)
    throw new Error(vscode.l10n.t('This folder contains no CSV or TSV files. Open one, then run the command again.'));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const items = files.map((uri) => ({ label: labelText(vscode.workspace.asRelativePath(uri)), uri }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Choose a CSV File'),
    matchOnDescription: true,
  });
  // Opening a long document holds up the editor already.
  if (chosen && (await vscode.workspace.fs.stat(chosen.uri)).size > 4 * maxDocumentText) throw tooLong(chosen.uri);
  return chosen && openInItsEncoding(chosen.uri);
}

/**
 * The values of a column that the person confirms; the likeliest is on top. Undefined when the person leaves.
 * @throws Error when the document holds no values
 */
async function askForColumn(given: vscode.TextDocument): Promise<Input | undefined> {
  const document = await openInItsEncoding(given.uri);
  const table = readCsvDocument(document);
  const guesses = guessColumns(table).filter(({ filled }) => filled > 0);
  if (guesses.length === 0)
    throw new Error(vscode.l10n.t('{0} contains no values. Choose another file.', fileName(document.uri)));
  const chosen = await vscode.window.showQuickPick(guesses.map(itemOf), {
    title: vscode.l10n.t('Column of {0}', fileName(document.uri)),
    placeHolder: vscode.l10n.t('Which column contains the identifiers?'),
    matchOnDetail: true,
  });
  if (!chosen) return undefined;
  const { index, header } = chosen.guess;
  const column = { uri: document.uri.toString(), index, header };
  return {
    texts: valuesIn(table, index),
    origin: { words: vscode.l10n.t('column {0} of {1}', header, fileName(document.uri)), column },
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
