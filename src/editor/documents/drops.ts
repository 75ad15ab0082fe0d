import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { isAbortError } from '../../base/abort.ts';
import { codeLanguage } from '../../notebook/code.ts';
import { droppedArguments } from '../common/dragged.ts';
import { reportsMime } from '../common/handover.ts';
import { mustFit } from './chosen.ts';
import { type Content, codeTexts, descriptionText, footnoteText, linkText, pathText } from './content.ts';
import { cellsFor, isMarkdown } from './insert.ts';
import type { DocumentPorts, PdfPlace } from './ports.ts';

const forms = {
  code: { title: 'Insert Code That Loads the Report', needsPdf: true },
  cells: { title: 'Insert Markdown and Code Cells Below', needsPdf: true },
  link: { title: 'Insert Link with Citation', needsPdf: true },
  description: { title: 'Insert Description', needsPdf: false },
  footnote: { title: 'Insert Citation', needsPdf: false },
  path: { title: 'Insert PDF Path', needsPdf: true },
} as const;
type FormName = keyof typeof forms;

const ourKind = vscode.DocumentDropOrPasteEditKind.Empty.append('reportLibrary');
const memoryKey = 'documents.dropForm';

/** A form that the drop menu offers. */
export class ReportDrop extends vscode.DocumentDropEdit {
  readonly form: FormName;
  readonly reports: readonly Report[];

  constructor(form: FormName, text: string, reports: readonly Report[]) {
    super(text, forms[form].title, ourKind.append(form));
    this.form = form;
    this.reports = reports;
  }
}

/** Turns reports that are dropped from our trees into text or cells, in the form that the person picks. */
export class ReportDrops implements vscode.DocumentDropEditProvider<ReportDrop> {
  readonly #ports: DocumentPorts;

  constructor(ports: DocumentPorts) {
    this.#ports = ports;
  }

  /** All forms that fit the document, from what is at hand; the one used last comes first. Fetches no PDF. */
  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    _position: vscode.Position,
    transfer: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<ReportDrop[] | undefined> {
    const item = transfer.get(reportsMime);
    if (!item) return undefined;
    const chosen = await this.#ports.chosenReports(droppedArguments(await item.asString()));
    if (chosen.ids.length === 0 || token.isCancellationRequested) return undefined;
    mustFit(chosen);
    const reports = await abortable(token, (signal) => this.#ports.readReports(chosen, signal));
    const content = { reports, places: await this.#places(reports), document: document.uri };
    const last = this.#ports.memory.get(memoryKey);
    const edits = formsFor(document)
      .flatMap((form) => this.#edit(form, document, content) ?? [])
      .sort((a, b) => Number(b.form === last) - Number(a.form === last));
    const others = edits.slice(0, -1);
    // Each yields to those before it, whatever order the editor would give them.
    for (const [index, edit] of edits.entries())
      edit.yieldTo = others.slice(0, index).flatMap(({ kind }) => kind ?? []);
    return edits;
  }

  /** Fetches the PDFs for the form that is applied, and remembers it. A person who cancels gets no text. */
  async resolveDocumentDropEdit(edit: ReportDrop): Promise<ReportDrop> {
    if (forms[edit.form].needsPdf && !(await this.#ports.fetchPdfs(edit.reports, true))) {
      throw new vscode.CancellationError();
    }
    await this.#ports.memory.update(memoryKey, edit.form);
    return edit;
  }

  /** Where nothing may be written, the forms that need no PDF are left. */
  async #places(reports: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>> {
    try {
      return await this.#ports.placesOf(reports);
    } catch (error) {
      this.#ports.log.info(`Dropped without PDFs: ${error instanceof Error ? error.message : String(error)}`);
      return new Map();
    }
  }

  #edit(form: FormName, document: vscode.TextDocument, content: Content): ReportDrop | undefined {
    if (forms[form].needsPdf && content.places.size === 0) return undefined;
    if (form !== 'cells') return new ReportDrop(form, textOf(form, document, content), content.reports);
    const cell = cellOf(document);
    if (!cell) return undefined;
    const edit = new ReportDrop(form, '', content.reports);
    const cells = cellsFor(cell.notebook, cell.index + 1, content);
    edit.additionalEdit = new vscode.WorkspaceEdit();
    edit.additionalEdit.set(cell.notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, cells)]);
    return edit;
  }
}

function formsFor(document: vscode.TextDocument): FormName[] {
  const isCell = cellOf(document) !== undefined;
  if (isMarkdown(document.languageId))
    return isCell ? ['description', 'link', 'footnote'] : ['link', 'description', 'footnote', 'path'];
  if (codeLanguage(document.languageId)) return isCell ? ['code', 'cells', 'path'] : ['code', 'path'];
  return isCell ? ['cells', 'path', 'footnote'] : ['path', 'footnote'];
}

function textOf(form: Exclude<FormName, 'cells'>, document: vscode.TextDocument, content: Content): string {
  switch (form) {
    case 'code':
      return codeTexts(content, codeLanguage(document.languageId) ?? 'python', cellOf(document) !== undefined).join(
        '\n',
      );
    case 'link':
      return linkText(content);
    case 'description':
      return `${descriptionText(content)}\n`;
    case 'footnote':
      return footnoteText(content);
    case 'path':
      return pathText(content);
    default:
      return form satisfies never;
  }
}

function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  if (document.uri.scheme !== 'vscode-notebook-cell') return undefined;
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell.document === document);
}

async function abortable<T>(token: vscode.CancellationToken, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  try {
    return await work(abort.signal);
  } catch (error) {
    throw isAbortError(error) ? new vscode.CancellationError() : error;
  } finally {
    subscription.dispose();
  }
}
