import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

interface RecentDocument {
  readonly uri: vscode.Uri;
  /** In a hidden text file, the offset of the next insertion. */
  readonly offset?: () => number;
}

/** The notebooks and texts that a person works in, the one that was active last first. */
export class RecentDocuments implements Disposable {
  readonly #store = new DisposableStore();
  #recent: readonly RecentDocument[] = [];
  /** The last of the cells that were selected last. Escape leaves none selected, and the editor reports [0, 0). */
  readonly #cells = new WeakMap<vscode.NotebookDocument, vscode.NotebookCell>();
  /** The editors that were active last, unless something was inserted since into their covered notebook. */
  readonly #editors = new WeakMap<vscode.NotebookDocument, vscode.NotebookEditor>();

  constructor() {
    const { window } = vscode;
    this.noteText(window.activeTextEditor);
    this.noteNotebook(window.activeNotebookEditor);
    this.#store.add(window.onDidChangeActiveTextEditor((editor) => this.noteText(editor)));
    this.#store.add(window.onDidChangeActiveNotebookEditor((editor) => this.noteNotebook(editor)));
    this.#store.add(window.onDidChangeNotebookEditorSelection(({ notebookEditor }) => this.#noteCells(notebookEditor)));
  }

  /** The cursor's offset in a hidden text file, where the next insertion goes. */
  offsetIn(uri: vscode.Uri): number | undefined {
    return this.#recent.find((one) => one.uri.toString() === uri.toString())?.offset?.();
  }

  noteOffset(uri: vscode.Uri, offset: number): void {
    this.#note({ uri, offset: () => offset });
  }

  /** The index below the last selected cells; the notebook's end if none were selected or they were deleted. */
  indexIn(notebook: vscode.NotebookDocument): number {
    const editor = this.#editors.get(notebook);
    if (editor) this.#noteCells(editor);
    const { index = -1 } = this.#cells.get(notebook) ?? {};
    return index === -1 ? notebook.cellCount : Math.min(index + 1, notebook.cellCount);
  }

  /** The next insertion into a hidden notebook goes below this cell. */
  noteCell(cell: vscode.NotebookCell): void {
    this.#editors.delete(cell.notebook);
    this.#cells.set(cell.notebook, cell);
  }

  dispose(): void {
    this.#store.dispose();
  }

  noteText(editor: vscode.TextEditor | undefined): void {
    // The editor keeps the cursor of a text that it shows no longer.
    if (editor) this.#note({ uri: editor.document.uri, offset: () => editor.document.offsetAt(editor.selection.end) });
  }

  noteNotebook(editor: vscode.NotebookEditor | undefined): void {
    if (!editor) return;
    this.#editors.set(editor.notebook, editor);
    this.#note({ uri: editor.notebook.uri });
  }

  #noteCells({ notebook, selections }: vscode.NotebookEditor): void {
    const end = Math.max(0, ...selections.map((range) => (range.end > range.start ? range.end : 0)));
    if (end > 0 && end <= notebook.cellCount) this.#cells.set(notebook, notebook.cellAt(end - 1));
  }

  #note(document: RecentDocument): void {
    this.#recent = [document, ...this.#recent].slice(0, 100);
  }

  /** The addresses of those that were active, the last one first. */
  names(): string[] {
    return this.#recent.map(({ uri }) => uri.toString());
  }
}
