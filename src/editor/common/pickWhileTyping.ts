import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { showProblem } from './showProblem.ts';

/** What one row is picked for. */
export interface PickedRow<Row extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  /** What is typed at the start. */
  readonly words?: string;
  /** The rows for what is typed; all are shown. Calls that a later letter made useless are given up. */
  rowsFor(library: LibraryCalls, words: string): Promise<readonly Row[]>;
  /** False for a row that only says something. */
  canPick?(row: Row): boolean;
}

/**
 * Has a person pick one row out of what the library finds while they type. Undefined when they leave. The index decides
 * what matches, as it knows identifiers and spellings that rows do not show; the service is never asked.
 */
export function pickWhileTyping<Row extends vscode.QuickPickItem>(
  library: Library,
  { title, placeholder, words = '', rowsFor, canPick = () => true }: PickedRow<Row>,
  log: Logger,
): Promise<Row | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createQuickPick<Row>();
    box.title = title;
    box.placeholder = placeholder;
    box.matchOnDescription = false;
    box.value = words;
    let typing: AbortController | undefined;
    const search = async (typed: string) => {
      typing?.abort();
      const mine = new AbortController();
      typing = mine;
      try {
        const rows = await rowsFor(library.withSignal(mine.signal), typed);
        if (!mine.signal.aborted) box.items = rows.map((row) => ({ ...row, alwaysShow: true }));
      } catch (error) {
        if (!mine.signal.aborted) showProblem(error, log);
      }
    };
    box.onDidChangeValue(search);
    box.onDidAccept(() => {
      const [row] = box.selectedItems;
      if (!row || !canPick(row)) return;
      resolve(row);
      box.hide();
    });
    // While a library is being loaded there may be nothing to show yet.
    const following = library.onDidChange(() => {
      if (!box.items.some(canPick)) void search(box.value);
    });
    box.onDidHide(() => {
      typing?.abort();
      following.dispose();
      box.dispose();
      resolve(undefined);
    });
    box.show();
    void search(words);
  });
}
