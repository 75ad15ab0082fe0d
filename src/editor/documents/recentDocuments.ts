import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** Documents that a person writes in, as opposed to output and read-only views. */
const writable = new Set(['file', 'untitled', 'vscode-remote']);

/** A notebook or text that is open, whatever covers it now. */
export interface OpenDocument {
  readonly kind: 'notebook' | 'text';
  readonly uri: vscode.Uri;
  readonly viewColumn: vscode.ViewColumn;
}

/** The notebooks and texts that a person works in, the one that was active last first. */
export class RecentDocuments implements Disposable {
  readonly #store = new DisposableStore();
  #uris: readonly vscode.Uri[] = [];

  constructor() {
    const { activeNotebookEditor, activeTextEditor } = vscode.window;
    this.#note(activeTextEditor?.document.uri);
    this.#note(activeNotebookEditor?.notebook.uri);
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#note(editor?.document.uri)));
    this.#store.add(vscode.window.onDidChangeActiveNotebookEditor((editor) => this.#note(editor?.notebook.uri)));
  }

  /** Whether one that is still open was active since the window started. */
  get last(): OpenDocument | undefined {
    const [first] = this.open();
    return first && this.#names().includes(first.uri.toString()) ? first : undefined;
  }

  /** All that are open, each once, the one that was active last first. */
  open(): OpenDocument[] {
    const found = new Map<string, OpenDocument>();
    for (const { viewColumn, tabs } of vscode.window.tabGroups.all) {
      for (const { input } of tabs) {
        const isNotebook = input instanceof vscode.TabInputNotebook;
        if (!isNotebook && !(input instanceof vscode.TabInputText && writable.has(input.uri.scheme))) continue;
        found.set(input.uri.toString(), { kind: isNotebook ? 'notebook' : 'text', uri: input.uri, viewColumn });
      }
    }
    const names = this.#names();
    const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
    return [...found].sort(([a], [b]) => rank(a) - rank(b)).map(([, document]) => document);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #note(uri: vscode.Uri | undefined): void {
    if (uri) this.#uris = [uri, ...this.#uris].slice(0, 100);
  }

  #names(): string[] {
    return this.#uris.map(String);
  }
}
