import * as vscode from 'vscode';
import type { Origin } from '../../protocol/resultsView.ts';
import { isCsvDocument } from '../common/csvDocument.ts';
import { labelText } from '../common/messages.ts';
import { activeCsv, askForColumn, chooseCsv } from './column.ts';
import { askedIn, splitPieces, typedPieces } from './pieces.ts';
import { nameOf, selectedInput } from './selection.ts';
import type { Subject } from './subject.ts';

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
  return new Promise<Source | undefined>((resolve) => {
    box.onDidChangeValue((text) => {
      box.items = splitPieces(text).length === 0 ? sources : [typed(text), ...sources];
    });
    box.onDidAccept(() => {
      // Who types fast accepts before the list has followed.
      const chosen = box.selectedItems[0] ?? (splitPieces(box.value).length > 0 ? typed(box.value) : undefined);
      if (!chosen) return;
      resolve(chosen);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
