import * as vscode from 'vscode';
import { reportsMime } from './reportsMime.ts';

/**
 * What the trees hand to documents: the nodes that are dragged, and those that are selected, for commands that a key or
 * the palette runs without them. One object serves all trees.
 */
export class Handover implements vscode.TreeDragAndDropController<unknown> {
  readonly dropMimeTypes = [];
  readonly dragMimeTypes = [reportsMime];
  readonly #files: (reportId: number) => Promise<vscode.Uri | undefined>;
  /** The selection of the tree in which it changed last. */
  selection: readonly unknown[] = [];

  /** @param files gives a report's PDF when it is in the workspace */
  constructor(files: (reportId: number) => Promise<vscode.Uri | undefined>) {
    this.#files = files;
  }

  async handleDrag(nodes: readonly unknown[], transfer: vscode.DataTransfer): Promise<void> {
    const { dragged } = await import('./dragged.ts');
    for (const [type, text] of await dragged(nodes, this.#files)) transfer.set(type, new vscode.DataTransferItem(text));
  }

  /** Keeps in mind what is selected in a tree. */
  follow(view: vscode.TreeView<unknown>): void {
    view.onDidChangeSelection((event) => {
      this.selection = event.selection;
    });
  }
}
