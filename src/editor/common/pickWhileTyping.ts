import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { searchWhileTyping } from './searchWhileTyping.ts';

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
    let shownFor: string | undefined;
    let acceptedFor: string | undefined;
    const pick = (row: Row | undefined) => {
      if (!row || !canPick(row)) return;
      resolve(row);
      box.hide();
    };
    const searching = searchWhileTyping(
      box,
      library,
      {
        find: rowsFor,
        show(rows, typed) {
          box.items = rows.map((row) => ({ ...row, alwaysShow: true }));
          shownFor = typed;
          const isAccepted = acceptedFor === typed;
          // Who typed on meant something else.
          acceptedFor = undefined;
          if (isAccepted) pick(rows.find(canPick));
        },
        isEmpty: () => !box.items.some(canPick),
      },
      log,
    );
    box.onDidAccept(() => {
      // Who types fast accepts before the rows have followed, and means the first of those to come.
      if (shownFor === box.value) pick(box.selectedItems[0]);
      else acceptedFor = box.value;
    });
    box.onDidHide(() => {
      searching.dispose();
      box.dispose();
      resolve(undefined);
    });
    box.show();
  });
}
