import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { App } from '../../app/app.ts';
import { isAbortError } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { codeLanguage } from '../../notebook/code.ts';
import { droppedArguments } from '../common/arguments.ts';
import { chosenReports } from '../common/chosenReports.ts';
import { setContextKey } from '../common/commands.ts';
import { showProblem } from '../common/messages.ts';
import { abortable } from '../common/progress.ts';
import { reportsMime } from '../common/treeDrag.ts';
import {
  type Content,
  cellInsertion,
  codeFor,
  collapseHelper,
  descriptionText,
  footnoteText,
  helperEdit,
  linkText,
  notebookCode,
  pathText,
} from './content.ts';
import { isMarkdown, tellMissing } from './insert.ts';
import { fetchPdfs, mustFit, type PdfPlace, placesOf, readReports } from './reports.ts';

/** What a drop can become; the last four are text wherever they go. */
const forms = {
  code: { title: vscode.l10n.t('Insert Code That Loads the Report'), needsPdf: true },
  cells: { title: vscode.l10n.t('Insert Markdown and Code Cells Below'), needsPdf: true },
  link: { title: vscode.l10n.t('Insert Link with Citation'), needsPdf: true, text: linkText },
  description: {
    title: vscode.l10n.t('Insert Description'),
    needsPdf: false,
    text: (content: Content) => `${descriptionText(content)}\n`,
  },
  footnote: { title: vscode.l10n.t('Insert Citation'), needsPdf: false, text: footnoteText },
  path: { title: vscode.l10n.t('Insert PDF Path'), needsPdf: true, text: pathText },
} as const;
type FormName = keyof typeof forms;

const ourKind = vscode.DocumentDropOrPasteEditKind.Empty.append('reportLibrary');
const memoryKey = 'documents.dropForm';

class ReportDrop extends vscode.DocumentDropEdit {
  readonly form: FormName;
  /** What the document gets, at the place of the drop or by the additional edit. */
  readonly text: string;

  constructor(form: FormName, insertText: string, text: string) {
    super(insertText, forms[form].title, ourKind.append(form));
    this.form = form;
    this.text = text;
  }
}

/** Turns reports that are dropped from our trees into text or cells, in the form that the person picks. */
export class ReportDrops implements vscode.DocumentDropEditProvider<ReportDrop>, Disposable {
  readonly #app: App;
  #watch: vscode.Disposable | undefined;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * All forms that fit the document; the one used last comes first, and when it needs PDFs that are not here, they are
   * fetched first. A person who cancels that gets no text.
   */
  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    transfer: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<ReportDrop[] | undefined> {
    const item = transfer.get(reportsMime);
    if (!item) return undefined;
    try {
      return await this.#edits(document, position, await item.asString(), token);
    } catch (error) {
      if (!isAbortError(error)) showProblem(error, this.#app.log);
      return undefined;
    }
  }

  async #edits(
    document: vscode.TextDocument,
    position: vscode.Position,
    dropped: string,
    token: vscode.CancellationToken,
  ): Promise<ReportDrop[] | undefined> {
    const chosen = await chosenReports(droppedArguments(dropped), this.#app.services);
    if (chosen.ids.length === 0) return undefined;
    mustFit(chosen);
    const reports = await abortable(token, (signal) => readReports(this.#app, chosen, signal));
    const last = this.#app.extension.globalState.get(memoryKey);
    let places = await this.#places(reports);
    const fits = (form: FormName) => places.size > 0 || !forms[form].needsPdf;
    const names = formsFor(document)
      .filter(fits)
      .sort((a, b) => Number(b === last) - Number(a === last));
    const [first] = names;
    const isFetched = first !== undefined && forms[first].needsPdf;
    if (isFetched) {
      const fetched = await fetchPdfs(this.#app, reports, true);
      if (!fetched || token.isCancellationRequested) return undefined;
      places = fetched.places;
      tellMissing(reports.length - places.size, fetched);
    }
    const content = { reports, places, document: cellOf(document)?.notebook.uri ?? document.uri };
    const edits = names.filter(fits).map((form) => dropEdit(form, document, position, content));
    // Each yields to those before it, whatever order the editor would give them.
    for (const [index, edit] of edits.entries()) edit.yieldTo = edits.slice(0, index).flatMap(({ kind }) => kind ?? []);
    this.#follow(edits, isFetched ? [] : reports);
    return edits;
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  /** Where nothing may be written, the forms that need no PDF are left. */
  async #places(reports: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>> {
    try {
      return await placesOf(this.#app, reports);
    } catch (error) {
      this.#app.log.info(`Dropped without PDFs: ${error instanceof Error ? error.message : String(error)}`);
      return new Map();
    }
  }

  /**
   * The editor does not say which form was applied. The documents are watched for its text until the next drop, so that
   * the form is remembered, and missing PDFs that only this form needs are fetched.
   */
  #follow(edits: readonly ReportDrop[], reports: readonly Report[]): void {
    this.#watch?.dispose();
    let missing = reports;
    const note = (texts: readonly string[]) => {
      // The helper may come before it.
      const applied = edits.find(({ text }) => texts.some((given) => given.replaceAll('\r\n', '\n').endsWith(text)));
      if (!applied) return;
      const wanted = forms[applied.form].needsPdf ? missing : [];
      if (wanted.length > 0) missing = [];
      this.#applied(applied.form, wanted).catch((error: unknown) => showProblem(error, this.#app.log));
    };
    this.#watch = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ contentChanges, reason }) => {
        if (reason === undefined) note(contentChanges.map(({ text }) => text));
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ contentChanges }) => {
        note(contentChanges.map(({ addedCells }) => addedCells.map(({ document }) => document.getText()).join('\n')));
        void collapseHelper(contentChanges.flatMap(({ addedCells }) => addedCells));
      }),
    );
  }

  async #applied(form: FormName, wanted: readonly Report[]): Promise<void> {
    await this.#app.extension.globalState.update(memoryKey, form);
    await setContextKey('reportLibrary.didInsert', true);
    if (wanted.length > 0) await fetchPdfs(this.#app, wanted, true);
  }
}

function dropEdit(
  form: FormName,
  document: vscode.TextDocument,
  position: vscode.Position,
  content: Content,
): ReportDrop {
  const cell = cellOf(document);
  if (form === 'cells') {
    if (!cell) throw new Error('Cells go below a cell.');
    const { cells, edits } = cellInsertion(cell.notebook, cell.index + 1, content);
    const edit = new ReportDrop(form, '', cells.map(({ value }) => value).join('\n'));
    edit.additionalEdit = new vscode.WorkspaceEdit();
    edit.additionalEdit.set(cell.notebook.uri, edits);
    return edit;
  }
  const language = codeLanguage(document.languageId) ?? 'python';
  const existing = cell ? notebookCode(cell.notebook, language) : document.getText();
  const { helper, texts } = codeFor(content, { language, isCell: cell !== undefined, existing });
  const code = [...(helper === null || cell ? [] : [helper]), ...texts].join('\n');
  const text = form === 'code' ? code : forms[form].text(content);
  const line = document.lineAt(position.line);
  // Lines of their own go below the line they were dropped on, not into it.
  const isBelow = text.includes('\n') && !line.isEmptyOrWhitespace;
  const edit = isBelow ? new ReportDrop(form, '', `\n${text.trimEnd()}`) : new ReportDrop(form, text, text);
  edit.additionalEdit = new vscode.WorkspaceEdit();
  if (isBelow) edit.additionalEdit.insert(document.uri, line.range.end, edit.text);
  if (form === 'code' && cell && helper !== null)
    edit.additionalEdit.set(cell.notebook.uri, [helperEdit(cell.notebook, cell.index, helper, language)]);
  return edit;
}

function formsFor(document: vscode.TextDocument): FormName[] {
  const isCell = cellOf(document) !== undefined;
  if (isMarkdown(document.languageId))
    return isCell ? ['description', 'link', 'footnote'] : ['link', 'description', 'footnote', 'path'];
  if (codeLanguage(document.languageId)) return isCell ? ['code', 'cells', 'path'] : ['code', 'path'];
  return isCell ? ['cells', 'path', 'footnote'] : ['path', 'footnote'];
}

/** The cell that a document is the text of. */
export function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  if (document.uri.scheme !== 'vscode-notebook-cell') return undefined;
  return vscode.workspace.notebookDocuments
    .flatMap((notebook) => notebook.getCells())
    .find((cell) => cell.document === document);
}
