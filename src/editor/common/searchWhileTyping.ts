import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { showProblem } from './showProblem.ts';

/** How a box finds its rows. */
export interface Search<Found> {
  /** What the library holds for what is typed. A call that a later letter made useless is given up. */
  find(library: LibraryCalls, words: string): Promise<Found>;
  show(found: Found, words: string): void;
  /** Whether the box shows nothing yet: it looks again when the library changes. */
  isEmpty(): boolean;
}

/** Has the library searched for what stands in a box, at once and with each letter. The service is never asked. */
export function searchWhileTyping<Found>(
  box: vscode.QuickPick<vscode.QuickPickItem>,
  library: Library,
  { find, show, isEmpty }: Search<Found>,
  log: Logger,
): Disposable {
  let typing: AbortController | undefined;
  const search = async (words: string) => {
    typing?.abort();
    const mine = new AbortController();
    typing = mine;
    try {
      const found = await find(library.withSignal(mine.signal), words);
      if (!mine.signal.aborted) show(found, words);
    } catch (error) {
      if (!mine.signal.aborted) showProblem(error, log);
    }
  };
  const store = new DisposableStore();
  store.add({ dispose: () => typing?.abort() });
  store.add(box.onDidChangeValue(search));
  // While a library is being loaded there may be nothing to show yet.
  store.add(
    library.onDidChange(() => {
      if (isEmpty()) void search(box.value);
    }),
  );
  void search(box.value);
  return store;
}
