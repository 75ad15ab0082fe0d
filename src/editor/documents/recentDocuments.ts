import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** The notebooks and texts that a person works in, the one that was active last first. */
export class RecentDocuments implements Disposable {
  readonly #store = new DisposableStore();
  /** Those that were active, and where the next insertion goes while they are covered: a cell's index, or an offset. */
  #recent: readonly { readonly uri: vscode.Uri; readonly place: () => number }[] = [];

  constructor() {
    const { activeNotebookEditor, activeTextEditor } = vscode.window;
    this.noteText(activeTextEditor);
    this.noteNotebook(activeNotebookEditor);
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.noteText(editor)));
    this.#store.add(vscode.window.onDidChangeActiveNotebookEditor((editor) => this.noteNotebook(editor)));
  }

  /** Where a person was in a document that is covered now: after the selected cells, or the offset of the cursor. */
  placeIn(uri: vscode.Uri): number | undefined {
    return this.#recent.find((one) => one.uri.toString() === uri.toString())?.place();
  }

  /** The next insertion into a covered document goes there. */
  notePlace(uri: vscode.Uri, place: number): void {
    this.#note(uri, () => place);
  }

  dispose(): void {
    this.#store.dispose();
  }

  noteText(editor: vscode.TextEditor | undefined): void {
    // The editor keeps the cursor of a text that it shows no longer.
    if (editor) this.#note(editor.document.uri, () => editor.document.offsetAt(editor.selection.end));
  }

  noteNotebook(editor: vscode.NotebookEditor | undefined): void {
    if (editor) this.#note(editor.notebook.uri, () => Math.max(0, ...editor.selections.map(({ end }) => end)));
  }

  #note(uri: vscode.Uri, place: () => number): void {
    this.#recent = [{ uri, place }, ...this.#recent].slice(0, 100);
  }

  /** The addresses of those that were active, the last one first. */
  names(): string[] {
    return this.#recent.map(({ uri }) => uri.toString());
  }
}
