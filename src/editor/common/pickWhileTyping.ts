import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { showProblem } from './messages.ts';

interface TypedSearch<Found> {
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
  { find, show, isEmpty }: TypedSearch<Found>,
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

interface PickOptions<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  readonly words?: string;
  /** The items for what is typed; all are shown. Calls that a later letter made useless are given up. */
  itemsFor(library: LibraryCalls, words: string): Promise<readonly Item[]>;
  /** False for an item that only says something. */
  canPick?(item: Item): boolean;
  /** What an item's button, or a key while the item is active, takes it for instead. */
  readonly instead?: { readonly onKey: Event<void>; take(item: Item): void };
}

/**
 * Lets a person pick one item that the library finds while they type; undefined when they leave. The index decides what
 * matches, since it knows identifiers and spellings that items do not show; the service is never asked.
 */
export function pickWhileTyping<Item extends vscode.QuickPickItem>(
  library: Library,
  { title, placeholder, words = '', itemsFor, canPick = () => true, instead }: PickOptions<Item>,
  log: Logger,
): Promise<Item | undefined> {
  const box = vscode.window.createQuickPick<Item>();
  box.title = title;
  box.placeholder = placeholder;
  box.matchOnDescription = false;
  box.value = words;
  // The order is ours, and separators stay: not in the typings yet; an editor that doesn't know it sorts by label.
  Object.assign(box, { sortByLabel: false });
  return showUntilAnswered<Item>(box, (resolve) => {
    let shownFor: string | undefined;
    let accepted: { readonly words: string; readonly isInstead: boolean } | undefined;
    const pick = (item: Item | undefined, isInstead: boolean) => {
      if (!item || !canPick(item)) return;
      if (!isInstead || !instead || !item.buttons?.length) return resolve(item);
      instead.take(item);
      box.hide();
    };
    const accept = (isInstead: boolean) => {
      // Accepted before the items have followed the typing: the first of those to come is meant.
      const [chosen] = isInstead ? box.activeItems : box.selectedItems;
      // Rows that were just given may not be drawn yet: then none is chosen, or one of those before. The editor names
      // what is chosen by its position, where a heading may be by now.
      const isRow = chosen?.kind !== vscode.QuickPickItemKind.Separator && box.items.some((item) => item === chosen);
      const item = isRow ? chosen : box.items.find(canPick);
      if (shownFor === box.value) pick(item, isInstead);
      else accepted = { words: box.value, isInstead };
    };
    box.onDidAccept(() => accept(false));
    box.onDidTriggerItemButton(({ item }) => pick(item, true));
    const store = new DisposableStore();
    if (instead) store.add(instead.onKey(() => accept(true)));
    const searching = searchWhileTyping(
      box,
      library,
      {
        find: itemsFor,
        show(items, typed) {
          box.items = items.map((item) => ({ ...item, alwaysShow: true }));
          shownFor = typed;
          const meant = accepted?.words === typed ? accepted : undefined;
          // Typed on: something else is meant.
          accepted = undefined;
          if (meant) pick(items.find(canPick), meant.isInstead);
        },
        isEmpty: () => !box.items.some(canPick),
      },
      log,
    );
    store.add(searching);
    return store;
  });
}

/** The icon of the current choice. A label's `$(check)` would be read out by its name, so words say it too. */
export function tick(isNow: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(isNow ? 'check' : 'blank');
}

export function heading(label: string) {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Asks for one of several forms; the one that was used last comes first. */
export async function pickForm<Item extends vscode.QuickPickItem & { readonly form: string }>(
  items: readonly Item[],
  last: unknown,
  options: vscode.QuickPickOptions,
): Promise<Item | undefined> {
  const sorted = items.toSorted((a, b) => Number(b.form === last) - Number(a.form === last));
  return vscode.window.showQuickPick(sorted, options);
}

/**
 * Shows a box until it is answered or the person leaves, which gives undefined, and ends it then.
 * @param listen sets up what answers, and gives what is to end with the box
 */
export async function showUntilAnswered<T>(
  box: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  listen: (resolve: (answer: T) => void, reject: (error: unknown) => void) => Disposable | undefined,
): Promise<T | undefined> {
  let listening: Disposable | undefined;
  try {
    return await new Promise<T | undefined>((resolve, reject) => {
      listening = listen(resolve, reject);
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    listening?.dispose();
    box.dispose();
  }
}
