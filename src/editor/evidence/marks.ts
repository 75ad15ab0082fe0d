import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { pageWords } from '../../evidence/forms.ts';
import type { EvidenceRecord } from '../../evidence/record.ts';
import { escapeMarkdown } from '../../notebook/markdown.ts';
import { problemText } from '../common/messages.ts';
import { abortable } from '../common/progress.ts';
import { type CheckedQuote, wordsOfState } from './checkEvidence.ts';
import type { EvidencePorts } from './context.ts';
import { keptRecords } from './evidenceFiles.ts';
import { sourceNames } from './openEvidence.ts';
import { pdfOf } from './quote.ts';

/** Our link to a quote, wherever it stands. */
const link = /:\/\/report-library\.report-library\/evidence\/([a-z0-9-]{4,64})/g;

/** How long (ms) a picture is waited for, before what is known is shown without. */
const pictureTime = 3000;

/** Largest document that is looked through, in characters. */
const maxText = 5_000_000;

/** Files that quotes are written in, and folders that others fill. */
const documents = '**/*.{md,ipynb,qmd,Rmd,rmd,py,R,r,txt}';
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

/** Our links to quotes in a text, by its lines as the editor counts them. */
function linksIn(text: string): LinkedQuote[] {
  if (text.length > maxText || !text.includes('/evidence/')) return [];
  return text.split(/\r\n|\r|\n/).flatMap((line, number) =>
    [...line.matchAll(link)].map((match) => ({
      id: match[1] ?? '',
      range: new vscode.Range(number, match.index, number, match.index + match[0].length),
    })),
  );
}

/** The text of a file; empty when it is too large, unreadable or gone, since the other files have quotes still. */
export async function textOfFile(
  file: vscode.Uri,
  fs: Pick<vscode.FileSystem, 'stat' | 'readFile'> = vscode.workspace.fs,
): Promise<string> {
  try {
    return (await fs.stat(file)).size > maxText ? '' : new TextDecoder().decode(await fs.readFile(file));
  } catch {
    return '';
  }
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
    const files = await Promise.resolve(vscode.workspace.findFiles(documents, foreign, maxFiles)).catch((error) => {
      // Some editors come without a file search: there the documents that are open are marked.
      this.#ports.log.warn(`Quotes in closed documents are not marked: ${problemText(error)}`);
      return [];
    });
    for (const file of files) {
      const text = isOpen(file) ? '' : await textOfFile(file);
      // Another check may be over, or the document open, by now.
      if (this.#checked !== checked) return;
      if (text !== '' && !isOpen(file)) this.#diagnostics.set(file, this.#found(linksIn(text)));
    }
  }

  /** Marks a document that was opened or changed, by the last check. */
  #mark(document: vscode.TextDocument): void {
    if (this.#checked.size === 0 || ['output', 'git'].includes(document.uri.scheme)) return;
    this.#diagnostics.set(document.uri, this.#found(linksIn(document.getText())));
  }

  #found(links: readonly LinkedQuote[]): vscode.Diagnostic[] {
    return links.flatMap(({ id, range }) => {
      const quote = this.#checked.get(id);
      return quote && quote.state !== 'same' ? [diagnosticOf(quote, range)] : [];
    });
  }

  /** The quote that a link leads to, with its page and how it stood at the last check. */
  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const line = document.lineAt(position.line);
    if (line.text.length > 100_000) return undefined;
    const at = [...line.text.matchAll(link)].find(
      ({ index, 0: found }) => index - 20 <= position.character && position.character <= index + found.length,
    );
    if (!at) return undefined;
    const { kept } = await keptRecords(this.#ports);
    const record = kept.find((one) => one.record.id === at[1])?.record;
    const range = new vscode.Range(position.line, at.index, position.line, at.index + at[0].length);
    return record && new vscode.Hover(await hoverOf(this.#ports, record, this.#checked.get(record.id), token), range);
  }
}

/** A quote with its source and state, and a picture of it on its page where the PDF is here and not slow. */
export async function hoverOf(
  ports: EvidencePorts,
  record: EvidenceRecord,
  checked: CheckedQuote | undefined,
  token: vscode.CancellationToken,
): Promise<vscode.MarkdownString> {
  const text = hoverText(record, checked, await sourceNames(ports)(record));
  try {
    const png = await abortable(token, (signal) => pictureOf(ports, record, signal));
    const name = vscode.l10n.t('Its page, with this passage marked');
    if (png) text.appendMarkdown(`\n\n![${name}|width=480](data:image/png;base64,${png.toString('base64')})`);
  } catch (error) {
    ports.log.debug(`A page was not drawn: ${problemText(error)}`);
  }
  return text;
}

async function pictureOf(ports: EvidencePorts, { sha256, regions: [region] }: EvidenceRecord, signal: AbortSignal) {
  const pdfs = await (await ports.downloads()).localPdfs(({ row }) => row.sha256 === sha256);
  if (!region || !pdfs[0]) return undefined;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(pictureTime)]);
  const png = await ports.picture(pdfOf(pdfs[0]), region, soon);
  return png && Buffer.from(png);
}

function hoverText(record: EvidenceRecord, checked: CheckedQuote | undefined, report: string) {
  const { regions, note } = record;
  const [region] = regions;
  const place = region ? pageWords(region.page, region.label) : '';
  const source = [report, place, checked && wordsOfState(checked.state)].filter(Boolean).join(' · ');
  // Escaped, since the editor's own way to add text makes lines that never wrap.
  const words = escapeMarkdown(record.selector.exact, 600);
  const lines = [record.kind === 'table' ? words : `“${words}”`, escapeMarkdown(source), escapeMarkdown(note)];
  return new vscode.MarkdownString(lines.filter((line) => line !== '').join('\n\n'));
}

function diagnosticOf(checked: CheckedQuote, range: vscode.Range): vscode.Diagnostic {
  const { record, state, page, label = null, reason } = checked;
  const isTable = record.kind === 'table';
  const { Information, Warning } = vscode.DiagnosticSeverity;
  const where = page === undefined ? '' : pageWords(page, label);
  const words = {
    found: isTable
      ? vscode.l10n.t('The PDF changed. This table is on {0} of the newer one; accept that in Check Evidence.', where)
      : vscode.l10n.t(
          'The PDF changed. These words are on {0} of the newer one; accept that in Check Evidence.',
          where,
        ),
    ambiguous: reason ?? vscode.l10n.t('The PDF changed. Check the new position.'),
    gone: isTable
      ? vscode.l10n.t('The PDF changed, and this table is no longer in it as it was copied.')
      : vscode.l10n.t('The PDF changed, and these words are no longer in it.'),
    'not-here': vscode.l10n.t('Its PDF isn’t in this workspace.'),
    same: '',
  };
  const isMinor = state === 'found' || state === 'not-here';
  const diagnostic = new vscode.Diagnostic(range, words[state], isMinor ? Information : Warning);
  diagnostic.source = 'Report Library';
  return diagnostic;
}
