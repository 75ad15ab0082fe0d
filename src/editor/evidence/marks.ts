import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { pageWords } from '../../evidence/forms.ts';
import type { EvidenceRecord } from '../../evidence/record.ts';
import { escapeMarkdown } from '../../notebook/markdown.ts';
import { type CheckedQuote, wordsOfState } from './checkEvidence.ts';
import { keptRecords } from './evidenceFiles.ts';
import type { EvidencePorts } from './ports.ts';

/** Our link to a quote, wherever it stands. */
const link = /:\/\/report-library\.report-library\/evidence\/([a-z0-9-]{4,64})/g;

/** Largest document that is looked through, in characters. */
const maxText = 5_000_000;

/** Files that quotes are written in. */
const documents = '**/*.{md,ipynb,qmd,Rmd,rmd,py,R,r,jl,txt}';
const foreign = '**/{node_modules,.git,.venv,venv,.env,env,.tox,renv,site-packages,.ipynb_checkpoints}/**';
const maxFiles = 2000;

function isOpen(file: vscode.Uri): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return [...textDocuments, ...notebookDocuments].some(({ uri }) => uri.toString() === file.toString());
}

interface LinkedQuote {
  readonly id: string;
  readonly range: vscode.Range;
}

function linksIn(document: vscode.TextDocument): LinkedQuote[] {
  const text = document.getText();
  if (text.length > maxText) return [];
  return [...text.matchAll(link)].map((match) => ({
    id: match[1] ?? '',
    range: new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + match[0].length)),
  }));
}

/** The same of a file that is not open, where lines end with a line feed. */
function linksInFile(text: string): LinkedQuote[] {
  return text.split('\n').flatMap((line, number) =>
    [...line.matchAll(link)].map((match) => ({
      id: match[1] ?? '',
      range: new vscode.Range(number, match.index, number, match.index + match[0].length),
    })),
  );
}

/** What a check found, at the quotes in documents: those that are open, cells too, and those of the workspace. */
export class EvidenceMarks implements vscode.HoverProvider, Disposable {
  readonly #ports: EvidencePorts;
  readonly #store = new DisposableStore();
  readonly #diagnostics: vscode.DiagnosticCollection;
  #checked: ReadonlyMap<string, CheckedQuote> = new Map();

  constructor(ports: EvidencePorts) {
    this.#ports = ports;
    this.#diagnostics = this.#store.add(vscode.languages.createDiagnosticCollection('reportLibrary'));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => this.#mark(document)));
    // Its cells are marked themselves from then on.
    this.#store.add(vscode.workspace.onDidOpenNotebookDocument(({ uri }) => this.#diagnostics.delete(uri)));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#mark(document)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Marks the quotes of all documents anew: those that are open, then those that are files of the workspace. */
  async show(quotes: readonly CheckedQuote[]): Promise<void> {
    const checked = new Map(quotes.map((quote) => [quote.record.id, quote]));
    this.#checked = checked;
    this.#diagnostics.clear();
    for (const document of vscode.workspace.textDocuments) this.#mark(document);
    if (quotes.every(({ state }) => state === 'same')) return;
    const files = await vscode.workspace.findFiles(documents, foreign, maxFiles);
    for (const file of files) {
      const isTold = isOpen(file) || (await vscode.workspace.fs.stat(file)).size > maxText;
      const text = isTold ? '' : new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      // Another check may be over, or the document open, by now.
      if (this.#checked !== checked) return;
      if (text !== '' && !isOpen(file)) this.#diagnostics.set(file, this.#found(linksInFile(text)));
    }
  }

  /** Marks a document that was opened or changed, by the last check. */
  #mark(document: vscode.TextDocument): void {
    if (this.#checked.size === 0 || ['output', 'git'].includes(document.uri.scheme)) return;
    this.#diagnostics.set(document.uri, this.#found(linksIn(document)));
  }

  #found(links: readonly LinkedQuote[]): vscode.Diagnostic[] {
    return links.flatMap(({ id, range }) => {
      const quote = this.#checked.get(id);
      return quote && quote.state !== 'same' ? [diagnosticOf(quote, range)] : [];
    });
  }

  /** The quote that a link leads to, with its page and how it stood at the last check. */
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const line = document.lineAt(position.line);
    if (line.text.length > 100_000) return undefined;
    const at = [...line.text.matchAll(link)].find(
      ({ index, 0: found }) => index - 20 <= position.character && position.character <= index + found.length,
    );
    if (!at) return undefined;
    const { kept } = await keptRecords(this.#ports);
    const record = kept.find((one) => one.record.id === at[1])?.record;
    const range = new vscode.Range(position.line, at.index, position.line, at.index + at[0].length);
    return record && new vscode.Hover(hoverText(record, this.#checked.get(record.id)), range);
  }
}

function hoverText({ selector, report_key, regions, note }: EvidenceRecord, checked: CheckedQuote | undefined) {
  const [region] = regions;
  const place = region ? pageWords(region.page, region.label) : '';
  const source = [report_key, place, checked && wordsOfState(checked.state)].filter(Boolean).join(' · ');
  // Escaped, since the editor's own way to add text makes lines that never wrap.
  const lines = [`“${escapeMarkdown(selector?.exact ?? '', 600)}”`, escapeMarkdown(source), escapeMarkdown(note)];
  return new vscode.MarkdownString(lines.filter((line) => line !== '').join('\n\n'));
}

function diagnosticOf({ state, page, label = null, reason }: CheckedQuote, range: vscode.Range): vscode.Diagnostic {
  const { Information, Warning } = vscode.DiagnosticSeverity;
  const where = page === undefined ? '' : pageWords(page, label);
  const words = {
    found: vscode.l10n.t(
      'The PDF changed. These words are on {0} of the newer one; accept that in Check Evidence.',
      where,
    ),
    ambiguous: reason ?? vscode.l10n.t('The PDF changed. Check where this quote is now.'),
    gone: vscode.l10n.t('The PDF changed, and these words are no longer in it.'),
    'not-here': vscode.l10n.t('The PDF of this quote is not in this workspace.'),
    same: '',
  };
  const isMinor = state === 'found' || state === 'not-here';
  const diagnostic = new vscode.Diagnostic(range, words[state], isMinor ? Information : Warning);
  diagnostic.source = 'Report Library';
  return diagnostic;
}
