import * as vscode from 'vscode';
import { reportGroups, reportIds } from './arguments.ts';

/** The type of reports on their way from a tree to a document: JSON of what `reportIds` and `reportGroups` read. */
export const reportsMime = 'application/vnd.report-library.reports';

/** Whoever drags more PDFs than this drags a list, not files. */
const maxFiles = 50;

/**
 * What the trees give to documents: the nodes that are dragged, and those that are selected, for commands that a key or
 * the palette runs without them. One object serves all trees.
 */
export class TreeDragController implements vscode.TreeDragAndDropController<unknown> {
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
    for (const [type, text] of await dragged(nodes, this.#files)) transfer.set(type, new vscode.DataTransferItem(text));
  }

  /** Remembers from now on what is selected in a tree. */
  follow(view: vscode.TreeView<unknown>): void {
    view.onDidChangeSelection((event) => {
      this.selection = event.selection;
    });
  }
}

/** What a drag of tree nodes carries, by type: our own list, and the files among the reports, if any. */
export async function dragged(
  nodes: readonly unknown[],
  fileOf: (reportId: number) => Promise<vscode.Uri | undefined>,
): Promise<[type: string, text: string][]> {
  const ids = reportIds([nodes]);
  const groups = reportGroups([nodes]).map(({ companyKey, fiscalYear }) =>
    fiscalYear === undefined
      ? { company: { company_key: companyKey } }
      : { companyKey, year: { fiscal_year: fiscalYear } },
  );
  if (ids.length === 0 && groups.length === 0) return [];
  const list: [string, string] = [reportsMime, JSON.stringify([...ids, ...groups])];
  if (groups.length > 0 || ids.length > maxFiles) return [list];
  const files = (await Promise.all(ids.map(fileOf))).filter((uri) => uri !== undefined);
  return files.length === 0 ? [list] : [list, ['text/uri-list', files.join('\r\n')]];
}

/** The arguments that a command would get, from what a drag carried; anything else is nothing. */
export function droppedArguments(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? [list] : [];
  } catch {
    // Any extension may drag something under our type.
    return [];
  }
}
