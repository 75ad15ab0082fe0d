import * as vscode from 'vscode';
import { type CodeLanguage, codeLanguage } from '../../notebook/code.ts';
import { isListOfIds } from '../common/arguments.ts';
import { withPdf } from '../common/chooseReports.ts';
import { focusedRow } from '../common/contributions.ts';
import { labelText, notificationText } from '../common/messages.ts';
import { resourceSetting } from '../common/settings.ts';
import { type Content, codeTexts, descriptionText, linkText, pathText } from './content.ts';
import { chosenOrAsked, type DocumentPorts, type FetchedPdfs, mustFit } from './ports.ts';

/**
 * Insert into Notebook: fetches the PDFs that are not here yet, then puts cells after the selected ones of the active
 * notebook, or code, links or paths at the cursor of the active text.
 * @throws Error with the next step when there is nothing to insert, or nowhere
 */
export async function insertIntoNotebook(ports: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const mayAsk = !isListOfIds(args);
  const given = args[0] === focusedRow ? [await ports.treeDrag.focused()] : args;
  const chosen = await chosenOrAsked(ports, given, { title: vscode.l10n.t('Insert into Notebook'), among: withPdf });
  if (!chosen) return;
  mustFit(chosen);
  const target = activeTarget() ?? (mayAsk ? await chooseTarget() : undefined);
  if (!target) {
    if (mayAsk) return;
    throw new Error(vscode.l10n.t('No notebook or text is active. Open one first, then insert.'));
  }
  const reports = await ports.readReports(chosen, new AbortController().signal);
  const fetched = await ports.fetchPdfs(reports, mayAsk);
  if (!fetched) return;
  const document = target.kind === 'notebook' ? target.editor.notebook.uri : target.editor.document.uri;
  await insert(target, { reports, places: fetched.places, document }, fetched);
  if (mayAsk) tellMissing(reports.length - fetched.places.size, fetched);
}

async function insert(target: InsertionTarget, content: Content, fetched: FetchedPdfs): Promise<void> {
  if (target.kind === 'notebook') return insertCells(target.editor, content);
  const text = textFor(target.editor.document, content);
  if (text === '') throw new Error(fetched.reason ?? vscode.l10n.t('There is no PDF to insert.'));
  const { editor } = target;
  const { active } = editor.selection;
  const before = editor.document.lineAt(active.line).text.slice(0, active.character);
  const isBlock = text.endsWith('\n') && before.trim() !== '';
  const done = await editor.edit((edit) => edit.replace(editor.selection, isBlock ? `\n${text}` : text));
  if (!done)
    throw new Error(vscode.l10n.t('This document can’t be changed. Open one that can be edited, then insert again.'));
}

function textFor({ languageId }: vscode.TextDocument, content: Content): string {
  const language = codeLanguage(languageId);
  if (language) return codeTexts(content, language, false).join('\n');
  return isMarkdown(languageId) ? linkText(content) : pathText(content);
}

/** True for Markdown and for the dialects of data science. */
export function isMarkdown(languageId: string): boolean {
  return ['markdown', 'rmd', 'quarto', 'juliamarkdown'].includes(languageId.toLowerCase());
}

/** The cells that stand for reports: a description, then code for each downloads folder. */
export function cellsFor(
  notebook: vscode.NotebookDocument,
  index: number,
  content: Content,
): vscode.NotebookCellData[] {
  const language = notebookLanguage(notebook, index);
  const { Markup, Code } = vscode.NotebookCellKind;
  return [
    new vscode.NotebookCellData(Markup, descriptionText(content), 'markdown'),
    ...codeTexts(content, language, true).map((code) => new vscode.NotebookCellData(Code, code.trimEnd(), language)),
  ];
}

async function insertCells(editor: vscode.NotebookEditor, content: Content): Promise<void> {
  const { notebook } = editor;
  const index = Math.min(editor.selections.at(-1)?.end ?? notebook.cellCount, notebook.cellCount);
  const cells = cellsFor(notebook, index, content);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(index, cells)]);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(vscode.l10n.t('This notebook can’t be changed. Open one that can be edited, then insert again.'));
  }
  const range = new vscode.NotebookRange(index, index + cells.length);
  editor.selections = [range];
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** Tells a person that some PDFs did not come, and why; nothing when all did. */
export function tellMissing(count: number, { reason }: FetchedPdfs): void {
  if (count <= 0) return;
  const what =
    count === 1 ? vscode.l10n.t('One report has no PDF here') : vscode.l10n.t('{0} reports have no PDF here', count);
  const why = reason === null ? '' : ` ${reason}`;
  void vscode.window.showWarningMessage(notificationText(vscode.l10n.t('{0}; the code leaves it out.{1}', what, why)));
}

/** Where an insertion goes: after the selected cells of a notebook, or to the cursor of a text editor. */
type InsertionTarget =
  | { readonly kind: 'notebook'; readonly editor: vscode.NotebookEditor }
  | { readonly kind: 'text'; readonly editor: vscode.TextEditor };

const notebookType = 'jupyter-notebook';

/** Documents that a person writes in, as opposed to output and read-only views. */
const writable = new Set(['file', 'untitled', 'vscode-remote', 'vscode-userdata']);

/** What a person works in now; undefined when that is neither a notebook nor a text. */
function activeTarget(): InsertionTarget | undefined {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  if (activeNotebookEditor) return { kind: 'notebook', editor: activeNotebookEditor };
  const isWritable = activeTextEditor && writable.has(activeTextEditor.document.uri.scheme);
  return isWritable ? { kind: 'text', editor: activeTextEditor } : undefined;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly open?: () => Promise<InsertionTarget>;
}

/** Asks where to insert when nothing suitable is active; undefined when the person leaves. */
async function chooseTarget(): Promise<InsertionTarget | undefined> {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isClosed }) => !isClosed);
  const texts = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText && writable.has(input.uri.scheme) ? [input.uri] : [],
    );
  const heading: TargetItem = { label: vscode.l10n.t('Open Documents'), kind: vscode.QuickPickItemKind.Separator };
  const open: TargetItem[] = [
    ...notebooks.map((notebook) => itemFor('notebook', notebook.uri, () => showNotebook(notebook))),
    ...texts.map((uri) => itemFor('file', uri, () => showText(uri))),
  ];
  const fresh: TargetItem = { label: vscode.l10n.t('$(new-file) New Jupyter Notebook'), open: newNotebook };
  const items = open.length === 0 ? [fresh] : [fresh, heading, ...open];
  const options = {
    title: vscode.l10n.t('Insert into Notebook'),
    placeHolder: vscode.l10n.t('No notebook or text is active. Where should it go?'),
  };
  return (await vscode.window.showQuickPick(items, options))?.open?.();
}

function itemFor(icon: string, uri: vscode.Uri, open: () => Promise<InsertionTarget>): TargetItem {
  const path = vscode.workspace.asRelativePath(uri);
  return { label: `$(${icon}) ${labelText(path.split('/').at(-1) ?? path)}`, description: labelText(path), open };
}

async function newNotebook(): Promise<InsertionTarget> {
  return showNotebook(await vscode.workspace.openNotebookDocument(notebookType, new vscode.NotebookData([])));
}

async function showNotebook(notebook: vscode.NotebookDocument): Promise<InsertionTarget> {
  return { kind: 'notebook', editor: await vscode.window.showNotebookDocument(notebook) };
}

async function showText(uri: vscode.Uri): Promise<InsertionTarget> {
  return { kind: 'text', editor: await vscode.window.showTextDocument(uri) };
}

/**
 * The language of a notebook's code cells: the one that is set, else that of the code cell nearest before `index`, else
 * of the kernel that the file names, else Python.
 */
function notebookLanguage(notebook: vscode.NotebookDocument, index: number): CodeLanguage {
  const chosen = codeLanguage(resourceSetting('reportLibrary.notebook.language', notebook.uri));
  if (chosen) return chosen;
  const cells = notebook.getCells().map((cell) => codeLanguage(cell.document.languageId));
  const before = cells.slice(0, index).findLast((language) => language !== undefined);
  return before ?? cells.find((language) => language !== undefined) ?? kernelLanguage(notebook.metadata) ?? 'python';
}

function kernelLanguage(metadata: unknown): CodeLanguage | undefined {
  for (const path of [
    ['metadata', 'kernelspec', 'language'],
    ['metadata', 'language_info', 'name'],
  ]) {
    const name = path.reduce<unknown>(
      (value, member) => (value as Record<string, unknown> | undefined)?.[member],
      metadata,
    );
    const language = typeof name === 'string' ? codeLanguage(name) : undefined;
    if (language) return language;
  }
  return undefined;
}
