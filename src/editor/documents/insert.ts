import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { isAbortError } from '../../base/clock.ts';
import { countText } from '../../base/words.ts';
import { codeLanguage } from '../../notebook/code.ts';
import { isListOfIds } from '../common/arguments.ts';
import { withPdf } from '../common/chooseReports.ts';
import { setContextKey } from '../common/commands.ts';
import { pdfPreviewType, selectedRows } from '../common/contributions.ts';
import type { InsertionPlace } from '../common/insertion.ts';
import { fileName, labelText, notificationText } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import {
  type Content,
  cellInsertion,
  changeNotebook,
  codeFor,
  collapseHelper,
  linkText,
  mustBeChanged,
  pathText,
} from './content.ts';
import type { RecentDocuments } from './recentDocuments.ts';
import { chosenOrAsked, type FetchedPdfs, fetchPdfs, readChosen } from './reports.ts';

/**
 * Insert into Notebook: fetches the PDFs that are not here yet, then puts cells after the selected ones of the active
 * notebook, or code, links or paths at the cursor of the active text: of those, the one that was active last.
 * @throws Error with the next step when there is nothing to insert, or nowhere
 */
export async function insertIntoNotebook(app: App, recent: RecentDocuments, args: readonly unknown[]): Promise<void> {
  const mayAsk = !isListOfIds(args);
  const { selection } = app.treeDrag;
  // Where no row is selected yet, the person is asked as from the palette.
  const rows = selection.length > 0 ? [selection] : [];
  const given = args[0] === selectedRows ? rows : args;
  const chosen = await chosenOrAsked(app, given, { title: vscode.l10n.t('Insert into Notebook'), among: withPdf });
  if (!chosen) return;
  const usual = await usualTarget(recent, isRow(given));
  const target = usual ?? (mayAsk ? await otherTarget(app, recent, given) : undefined);
  if (!target) {
    if (mayAsk) return;
    throw new Error(vscode.l10n.t('No notebook or text editor is active. Open one, then insert again.'));
  }
  const reports = await readChosen(app, chosen);
  const fetched = await fetchPdfs(app, reports, mayAsk);
  if (!fetched) return;
  const document = target.kind === 'notebook' ? target.editor.notebook.uri : target.editor.document.uri;
  await insert(target, recent, { reports, places: fetched.places, document }, fetched);
  await setContextKey('reportLibrary.didInsert', true);
  if (mayAsk) tellMissing(reports.length - fetched.places.size, fetched);
}

/** What a person works in, as for {@link insertIntoNotebook}; asks where nothing is open. Undefined when they leave. */
export async function insertionTarget(app: App, recent: RecentDocuments): Promise<InsertionTarget | undefined> {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  const isPage = input instanceof vscode.TabInputCustom && input.viewType === pdfPreviewType;
  // A page that is quoted from stays to be seen.
  const column = isPage ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  const target = (await usualTarget(recent, false)) ?? (await otherTarget(app, recent, [], column));
  // One that opened beside the page was never active, and yet takes the next insertion.
  if (target?.kind === 'notebook') recent.noteNotebook(target.editor);
  else recent.noteText(target?.editor);
  return target;
}

async function insert(
  target: InsertionTarget,
  recent: RecentDocuments,
  content: Content,
  fetched: FetchedPdfs,
): Promise<void> {
  if (target.kind === 'notebook') return insertCells(target.editor, recent, content);
  const text = textFor(target.editor.document, content);
  if (text === '') throw new Error(fetched.reason ?? vscode.l10n.t('There is no PDF to insert.'));
  const { editor } = target;
  const { active } = editor.selection;
  const before = editor.document.lineAt(active.line).text.slice(0, active.character);
  // Lists and code begin on a line of their own.
  const isBlock = text.includes('\n') && before.trim() !== '';
  mustBeChanged(await editor.edit((edit) => edit.replace(editor.selection, isBlock ? `\n${text}` : text)));
}

function textFor(document: vscode.TextDocument, content: Content): string {
  const { languageId } = document;
  const language = codeLanguage(languageId);
  if (language) {
    const { helper, texts } = codeFor(content, { language, isCell: false, existing: document.getText() });
    return texts.length === 0 ? '' : [...(helper === null ? [] : [helper]), ...texts].join('\n');
  }
  return isMarkdown(languageId) ? linkText(content) : pathText(content);
}

/** True for Markdown and for the dialects of data science. */
export function isMarkdown(languageId: string): boolean {
  return ['markdown', 'rmd', 'quarto'].includes(languageId.toLowerCase());
}

const plainLanguages: readonly string[] = ['plaintext', 'log', 'csv', 'tsv'];

/** What can stand in a text of this language. */
export function kindOfText(languageId: string): InsertionPlace['as'] {
  if (isMarkdown(languageId)) return 'markdown';
  return codeLanguage(languageId) ?? (plainLanguages.includes(languageId) ? 'plain' : 'markup');
}

async function insertCells(editor: vscode.NotebookEditor, recent: RecentDocuments, content: Content): Promise<void> {
  const { notebook } = editor;
  const { edits, range } = cellInsertion(notebook, recent.indexIn(notebook), content);
  await changeNotebook(notebook.uri, edits);
  if (edits.length > 1) await collapseHelper(notebook.getCells());
  // The last one alone: what is inserted next goes below it.
  editor.selections = [new vscode.NotebookRange(range.end - 1, range.end)];
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** Tells a person that some PDFs did not come, and why; nothing when all did. */
export function tellMissing(count: number, { reason }: FetchedPdfs): void {
  if (count <= 0) return;
  const what = vscode.l10n.t('Reports without a downloaded PDF, not in the code: {0}.', countText(count));
  void vscode.window.showWarningMessage(notificationText([what, reason].filter(Boolean).join(' ')));
}

/** Where an insertion goes: after the selected cells of a notebook, or to the cursor of a text editor. */
type InsertionTarget =
  | { readonly kind: 'notebook'; readonly editor: vscode.NotebookEditor }
  | { readonly kind: 'text'; readonly editor: vscode.TextEditor };

const notebookType = 'jupyter-notebook';

/** Folders whose notebooks nobody of the workspace wrote. */
const foreign = '**/{node_modules,.git,.venv,venv,.env,env,.tox,renv,site-packages,.ipynb_checkpoints}/**';

/** True for a row of a tree or the Explorer, which keep the keyboard; panels give an id, the palette nothing. */
const isRow = ([first]: readonly unknown[]) => typeof first === 'object' && first !== null;

/**
 * What a person works in now, else what they worked in last: it comes to the front again. The keyboard stays where it
 * was, unless that was a panel which is covered now: then it goes along.
 */
async function usualTarget(recent: RecentDocuments, fromRow: boolean): Promise<InsertionTarget | undefined> {
  const { activeNotebookEditor: editor } = vscode.window;
  if (editor) return { kind: 'notebook', editor };
  const last = lastOpen(recent);
  if (!last) return undefined;
  const { activeTabGroup } = vscode.window.tabGroups;
  const isCovered = last.viewColumn === activeTabGroup.viewColumn;
  return show(last, fromRow || !isCovered);
}

/** Where nothing is open, the one notebook of the workspace; otherwise what a person chooses. */
async function otherTarget(
  { log }: App,
  recent: RecentDocuments,
  given: readonly unknown[],
  viewColumn = vscode.ViewColumn.Active,
) {
  if (openTabs(recent).length > 0) return chooseTarget(recent, [], viewColumn);
  let found: readonly vscode.Uri[] = [];
  try {
    found = await withCancellableProgress(vscode.l10n.t('Finding a notebook'), findNotebooks);
    const [uri, second] = found;
    // Learned before PDFs are fetched for it, which may cost.
    if (uri && !second && (await isWritable(uri)))
      return await show({ kind: 'notebook', uri, viewColumn }, isRow(given) || viewColumn === vscode.ViewColumn.Beside);
  } catch (error) {
    if (isAbortError(error)) throw error;
    // Some editors come without a file search: then a person is asked, as where there are several.
    log.warn(`No notebook of the workspace could be found and opened: ${String(error)}`);
  }
  // One alone can't be written to.
  return chooseTarget(recent, found.length > 1 ? found : [], viewColumn);
}

/** As many notebooks are offered where none is open. */
const maxOffered = 20;

/** The first notebooks of the workspace; throws the signal's reason once aborted, when the editor finds nothing. */
async function findNotebooks(signal: AbortSignal): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => source.cancel(), { once: true });
  const found = await vscode.workspace.findFiles('**/*.ipynb', foreign, maxOffered, source.token);
  signal.throwIfAborted();
  return found;
}

async function isWritable(uri: vscode.Uri, { fs } = vscode.workspace): Promise<boolean> {
  const { permissions = 0 } = await fs.stat(uri);
  return fs.isWritableFileSystem(uri.scheme) !== false && (permissions & vscode.FilePermission.Readonly) === 0;
}

interface TargetItem extends vscode.QuickPickItem {
  readonly open?: () => Promise<InsertionTarget>;
}

/** Asks where to insert when nothing was active; undefined when the person leaves. */
async function chooseTarget(
  recent: RecentDocuments,
  found: readonly vscode.Uri[],
  viewColumn: vscode.ViewColumn,
): Promise<InsertionTarget | undefined> {
  const closed = found.map((uri): OpenDocument => ({ kind: 'notebook', uri, viewColumn }));
  const open: TargetItem[] = [...openTabs(recent), ...closed].map((document) => {
    const path = vscode.workspace.asRelativePath(document.uri);
    const end = path.lastIndexOf('/');
    return {
      label: labelText(path.slice(end + 1)),
      description: labelText(path.slice(0, Math.max(end, 0))),
      iconPath: new vscode.ThemeIcon(document.kind === 'notebook' ? 'notebook' : 'file'),
      open: () => show(document, false),
    };
  });
  const separator: TargetItem = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const fresh: TargetItem = {
    label: vscode.l10n.t('New Jupyter Notebook'),
    iconPath: new vscode.ThemeIcon('new-file'),
    open: () => newNotebook(viewColumn),
  };
  const options = {
    title: vscode.l10n.t('Insert into Notebook'),
    placeHolder: vscode.l10n.t('No notebook or text editor is active. Where do you want to insert?'),
  };
  return (
    await vscode.window.showQuickPick([...open, ...(open.length > 0 ? [separator] : []), fresh], options)
  )?.open?.();
}

async function newNotebook(viewColumn: vscode.ViewColumn): Promise<InsertionTarget> {
  const notebook = await vscode.workspace.openNotebookDocument(notebookType, new vscode.NotebookData([]));
  return { kind: 'notebook', editor: await vscode.window.showNotebookDocument(notebook, { viewColumn }) };
}

async function show({ kind, uri, viewColumn }: OpenDocument, preserveFocus: boolean): Promise<InsertionTarget> {
  const options = { viewColumn, preserveFocus, preview: false };
  if (kind === 'text') return { kind, editor: await vscode.window.showTextDocument(uri, options) };
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  return { kind, editor: await vscode.window.showNotebookDocument(notebook, options) };
}

/** Documents that a person writes in, as opposed to output and read-only views. */
const writable = new Set(['file', 'untitled', 'vscode-remote']);

/** Data, locks and evidence, which prose or code would break. */
const dataFile = /\.(?:[ct]sv|tab|json[cl]?|ndjson|geojson|lock)$/i;
const dataLanguage = /^(?:[ct]sv|jsonc?|jsonl)$/;

function isData(uri: vscode.Uri): boolean {
  const isOfLanguage = ({ uri: own, languageId }: vscode.TextDocument) =>
    dataLanguage.test(languageId) && own.toString() === uri.toString();
  return dataFile.test(uri.path) || vscode.workspace.textDocuments.some(isOfLanguage);
}

/** A notebook or text that is open, whatever covers it now. */
export interface OpenDocument {
  readonly kind: 'notebook' | 'text';
  readonly uri: vscode.Uri;
  readonly viewColumn: vscode.ViewColumn;
}

/** Where a document is open already. */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn {
  const isIt = ({ input }: vscode.Tab) =>
    (input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputText) &&
    input.uri.toString() === uri.toString();
  const { all } = vscode.window.tabGroups;
  return all.find(({ tabs }) => tabs.some(isIt))?.viewColumn ?? vscode.ViewColumn.Active;
}

/** The one that was active last since the window started, if it is still open. */
export function lastOpen(recent: RecentDocuments): OpenDocument | undefined {
  const [first] = openTabs(recent);
  return first && recent.names().includes(first.uri.toString()) ? first : undefined;
}

/** The name of the document that the next insertion goes into; null if the person is asked. */
export function targetName(recent: RecentDocuments): string | null {
  const last = lastOpen(recent);
  return last ? fileName(last.uri) : null;
}

/** All that are open, except for data files, each once; the one that was active last first. */
function openTabs(recent: RecentDocuments): OpenDocument[] {
  const found = new Map<string, OpenDocument>();
  for (const { viewColumn, tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      const isNotebook = input instanceof vscode.TabInputNotebook;
      if (!isNotebook && !(input instanceof vscode.TabInputText && writable.has(input.uri.scheme))) continue;
      if (isData(input.uri)) continue;
      found.set(input.uri.toString(), { kind: isNotebook ? 'notebook' : 'text', uri: input.uri, viewColumn });
    }
  }
  const names = recent.names();
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...found].sort(([a], [b]) => rank(a) - rank(b)).map(([, document]) => document);
}
