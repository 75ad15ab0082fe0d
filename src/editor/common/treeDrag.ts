import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { setContextKey } from './commands.ts';

/** The type of reports on their way from a tree to a document: JSON of what `reportIds` and `reportGroups` read. */
export const reportsMime = 'application/vnd.report-library.reports';

/** The type of quotes on their way: JSON of results of Find in PDFs and of ids of evidence. */
export const quotesMime = 'application/vnd.report-library.quotes';

/** How often, and after how many ms again, the editor is asked for the focused row of a tree that is being read. */
const maxTries = 10;
const pauseMs = 100;

/**
 * What the trees give to documents: the nodes that are dragged, and those that are selected or focused, for commands
 * that a key or the palette runs without them. One object serves all trees. A drag carries our own type alone: for
 * one that carries files the editor offers to open them instead.
 */
export class TreeDragController implements vscode.TreeDragAndDropController<unknown> {
  readonly dropMimeTypes = [];
  readonly dragMimeTypes = [reportsMime, quotesMime];
  /** The trees, the one whose selection changed last at the end. */
  #views: vscode.TreeView<unknown>[] = [];
  /** How the selection of a tree changed. */
  #changes: { readonly before: readonly unknown[]; readonly after: readonly unknown[] }[] = [];

  /** What is selected in the tree in which that changed last, of those that are to be seen. */
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

  /** Remembers from now on what is selected in a tree. */
  follow(view: vscode.TreeView<unknown>): void {
    let before: readonly unknown[] = [];
    view.onDidChangeSelection(({ selection }) => {
      this.#changes.push({ before, after: selection });
      before = selection;
      this.#views = [...this.#views.filter((one) => one !== view), view];
      void setContextKey(
        'reportLibrary.hasSelection',
        this.#views.some((one) => one.selection.length > 0),
      );
    });
  }

  /**
   * The focused row, with all selected rows if it is one of them. The editor tells extensions only the selection, so
   * the row is found by toggling it in the selection and back. While a tree is being read again the editor knows no row
   * of it for a moment, so it is asked again. Empty when it still knows none.
   */
  async focused(): Promise<readonly unknown[]> {
    const { dragged } = await import('./arguments.ts');
    // Rows are told apart by what they stand for; one that holds no report is only itself.
    const nameOf = (node: unknown) => dragged([node]) ?? node;
    for (let tries = 0; tries < maxTries; tries += 1) {
      this.#changes = [];
      await vscode.commands.executeCommand('list.toggleSelection');
      const [change] = this.#changes;
      if (change) await vscode.commands.executeCommand('list.toggleSelection');
      // A tree that was read again since has other nodes for the same rows.
      const before = new Set(change?.before.map(nameOf));
      const added = change?.after.filter((node) => !before.has(nameOf(node))) ?? [];
      const rows = added.length > 0 ? added : (change?.before ?? []);
      if (rows.length > 0) return rows;
      await systemClock.sleep(pauseMs);
    }
    return [];
  }
}
