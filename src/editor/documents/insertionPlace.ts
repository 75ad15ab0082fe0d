import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { setContextKey } from '../common/commands.ts';
import type { InsertionKind, InsertionPlace } from '../common/insertion.ts';
import { changeNotebook, mustBeChanged, notebookLanguage, pathFrom } from './content.ts';
import { cellOf } from './drops.ts';
import { columnOf, insertionTarget, kindOfText, lastOpen, type OpenDocument } from './insert.ts';
import type { RecentDocuments } from './recentDocuments.ts';

/**
 * The place in the document that was worked in last; if something covers it, it stays covered. Where nothing is open,
 * the person chooses; undefined when they leave.
 */
export async function insertionPlace(
  app: App,
  recent: RecentDocuments,
  kind: InsertionKind,
): Promise<InsertionPlace | undefined> {
  const last = lastOpen(recent);
  const place = last && (shownPlace(last, recent, kind) ?? (await coveredPlace(last, recent, kind)));
  if (place) return place;
  const target = await insertionTarget(app, recent);
  if (!target) return undefined;
  return target.kind === 'notebook' ? shownCells(target.editor, recent, kind) : shownText(target.editor);
}

function shownPlace({ kind: document, uri }: OpenDocument, recent: RecentDocuments, kind: InsertionKind) {
  const { visibleNotebookEditors, visibleTextEditors } = vscode.window;
  const isIt = (other: vscode.Uri) => other.toString() === uri.toString();
  if (document === 'notebook') {
    const editor = visibleNotebookEditors.find(({ notebook }) => isIt(notebook.uri));
    return editor && shownCells(editor, recent, kind);
  }
  const editor = visibleTextEditors.find((one) => isIt(one.document.uri));
  return editor && shownText(editor);
}

async function coveredPlace({ kind: document, uri }: OpenDocument, recent: RecentDocuments, kind: InsertionKind) {
  if (document === 'notebook') {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    return cells(notebook, recent.indexIn(notebook), kind, (cell) => recent.noteCell(cell));
  }
  const text = await vscode.workspace.openTextDocument(uri);
  const offset = recent.offsetIn(uri);
  const last = text.lineAt(text.lineCount - 1).range.end;
  const position = offset === undefined ? last : text.positionAt(offset);
  return words(text, new vscode.Range(position, position), async (block) => {
    const isDone = await insertAt(uri, position, block);
    if (isDone) recent.noteOffset(uri, text.offsetAt(position) + block.length);
    return isDone;
  });
}

/** Below the line, or the cell, that something is dropped on. */
export function placeAt(document: vscode.TextDocument, { line }: vscode.Position, kind: InsertionKind): InsertionPlace {
  const cell = cellOf(document);
  if (cell) return cells(cell.notebook, cell.index + 1, kind);
  const { end } = document.lineAt(line).range;
  return words(document, new vscode.Range(end, end), (block) => insertAt(document.uri, end, block));
}

function insertAt(document: vscode.Uri, position: vscode.Position, block: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document, position, block);
  return vscode.workspace.applyEdit(edit);
}

function shownCells(editor: vscode.NotebookEditor, recent: RecentDocuments, kind: InsertionKind): InsertionPlace {
  return cells(editor.notebook, recent.indexIn(editor.notebook), kind, ({ index }) => {
    const range = new vscode.NotebookRange(index, index + 1);
    // The next insertion goes below it.
    editor.selections = [range];
    editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  });
}

function shownText(editor: vscode.TextEditor): InsertionPlace {
  return words(editor.document, editor.selection, (block) =>
    editor.edit((edit) => edit.replace(editor.selection, block)),
  );
}

/** Cells of a notebook, from an index on. */
function cells(
  notebook: vscode.NotebookDocument,
  at: number,
  kind: InsertionKind,
  onInserted: (cell: vscode.NotebookCell) => void = () => {},
): InsertionPlace {
  const as = kind === 'code' ? notebookLanguage(notebook, at) : 'markdown';
  return {
    document: notebook.uri,
    as,
    pathTo: (file) => pathFrom(notebook.uri, file),
    async insert(text) {
      const cellKind = as === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
      const cell = new vscode.NotebookCellData(cellKind, text.trimEnd(), as);
      await changeNotebook(notebook.uri, [vscode.NotebookEdit.insertCells(at, [cell])]);
      onInserted(notebook.cellAt(at));
      await setContextKey('reportLibrary.didInsert', true);
      const own = (): vscode.NotebookRange | undefined => {
        const found = notebook.getCells().find(({ document }) => document.getText() === cell.value);
        return found && new vscode.NotebookRange(found.index, found.index + 1);
      };
      return {
        async show() {
          const range = own();
          const options = { viewColumn: columnOf(notebook.uri), ...(range && { selections: [range] }) };
          const editor = await vscode.window.showNotebookDocument(notebook, options);
          if (range) editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
        },
        async undo() {
          const range = own();
          if (range) await changeNotebook(notebook.uri, [vscode.NotebookEdit.deleteCells(range)]);
          return range !== undefined;
        },
      };
    },
  };
}

/** A part of a text, in place of which a block of its own comes. */
function words(
  document: vscode.TextDocument,
  range: vscode.Range,
  put: (block: string) => Thenable<boolean>,
): InsertionPlace {
  return {
    document: document.uri,
    as: kindOfText(document.languageId),
    pathTo: (file) => pathFrom(document.uri, file),
    async insert(text) {
      const block = blockAt(document, range, text);
      mustBeChanged(await put(block));
      await setContextKey('reportLibrary.didInsert', true);
      const own = (): vscode.Range | undefined => {
        const ours = document.eol === vscode.EndOfLine.CRLF ? block.replaceAll('\n', '\r\n') : block;
        const at = document.getText().lastIndexOf(ours);
        return at === -1 ? undefined : new vscode.Range(document.positionAt(at), document.positionAt(at + ours.length));
      };
      return {
        async show() {
          const selection = own();
          const options = { viewColumn: columnOf(document.uri), ...(selection && { selection }) };
          await vscode.window.showTextDocument(document, options);
        },
        async undo() {
          const range = own();
          if (!range) return false;
          const edit = new vscode.WorkspaceEdit();
          edit.delete(document.uri, range);
          return vscode.workspace.applyEdit(edit);
        },
      };
    },
  };
}

/** A text with the empty lines that make it a block in place of a range. */
function blockAt(document: vscode.TextDocument, { start, end }: vscode.Range, text: string): string {
  const before = document.lineAt(start.line).text.slice(0, start.character);
  const after = document.lineAt(end.line).text.slice(end.character);
  const above = start.line === 0 ? '' : document.lineAt(start.line - 1).text;
  const lead = before.trim() !== '' ? '\n\n' : above.trim() !== '' ? '\n' : '';
  const next = end.line + 1 < document.lineCount ? document.lineAt(end.line + 1).text : '';
  const trail = after.trim() !== '' ? '\n\n' : next.trim() !== '' ? '\n' : '';
  return `${lead}${text.trimEnd()}\n${trail}`;
}
