import * as vscode from 'vscode';
import { setContextKey } from './commands.ts';

/** The type of reports dragged from a tree to a document: JSON that `reportIds` and `reportGroups` read. */
export const reportsMime = 'application/vnd.report-library.reports';

/** The type of dragged quotes: JSON of results of Find in PDFs and of ids of evidence. */
export const quotesMime = 'application/vnd.report-library.quotes';

/**
 * What the trees give to documents: the nodes that are dragged, and those that are selected, for commands that a key
 * or the palette runs without them. One object serves all trees. A drag carries our own type alone: for one that
 * carries files the editor offers to open them instead.
 */
export class TreeDragController implements vscode.TreeDragAndDropController<unknown> {
  readonly dropMimeTypes = [];
  readonly dragMimeTypes = [reportsMime, quotesMime];
  /** The trees, the one whose selection changed last at the end. */
  #views: vscode.TreeView<unknown>[] = [];

  /** The selected rows of the visible tree whose selection changed last. */
  get selection(): readonly unknown[] {
    return this.#views.findLast(({ visible }) => visible)?.selection ?? [];
  }

  async handleDrag(nodes: readonly unknown[], transfer: vscode.DataTransfer): Promise<void> {
    const { dragged, draggedQuotes } = await import('./arguments.ts');
    const quotes = draggedQuotes(nodes);
    const text = dragged(nodes);
    if (quotes.length > 0) transfer.set(quotesMime, new vscode.DataTransferItem(JSON.stringify(quotes)));
    else if (text !== undefined) transfer.set(reportsMime, new vscode.DataTransferItem(text));
  }

  /** Follows the selection of a tree. */
  follow(view: vscode.TreeView<unknown>): void {
    view.onDidChangeSelection(() => {
      this.#views = [...this.#views.filter((other) => other !== view), view];
      void setContextKey(
        'reportLibrary.hasSelection',
        this.#views.some((one) => one.selection.length > 0),
      );
    });
  }
}
