import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import type { App } from '../../app/app.ts';
import type { LocalLibrary } from '../../app/session.ts';
import { isAbortError, Soon } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { noFavorites } from '../../favorites/favorites.ts';
import { setContextKey } from './commands.ts';
import { commandIds } from './contributions.ts';
import { isFavorite, markFavorite } from './favoriteMarks.ts';
import { problemText } from './messages.ts';
import type { MarkedRow } from './pdfMarks.ts';

/** Children that a node shows at first, and with each step more. */
export const pageSize = 200;

/** The longest time after a change until a tree shows it, in ms. */
const patience = 1_500;

/** Stands at the end of a list that goes on. */
export interface MoreNode {
  readonly kind: 'more';
  readonly list: string;
  readonly showMore: () => void;
}

const keyRefused = vscode.l10n.t(
  'The service no longer accepts your key. Replace it to continue; your library stays readable.',
);

/**
 * A tree over the library of the connection in use. It is read again when the session, the library, local PDFs or stars
 * change, shows lists page by page, and says why it is empty. Nothing read for one connection is shown for another.
 */
export abstract class LibraryTree<Node extends { readonly kind: string }>
  implements vscode.TreeDataProvider<Node | MoreNode>, Disposable
{
  protected readonly store = new DisposableStore();
  protected readonly context: App;
  protected readonly view: vscode.TreeView<Node | MoreNode>;
  /** As they were when the roots were last read. */
  protected favorites = noFavorites;
  readonly #changed = this.store.add(new vscode.EventEmitter<undefined>());
  /** How many children each list shows, where that is more than a page. */
  readonly #shown = new Map<string, number>();
  #local: LocalLibrary | undefined;
  /** Whether the library had been read to its end once when the roots were last read. */
  #isLoaded = false;
  readonly #soon = this.store.add(new Soon(async () => this.reload(), patience));

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: App, view: vscode.TreeView<Node | MoreNode>) {
    this.context = context;
    this.view = view;
    this.store.add(context.marks.onDidChange(() => this.#soon.ask()));
    this.store.add(context.favorites.onDidChange(() => this.reload()));
    this.store.add(
      context.services.onDidChangeSession(() => {
        this.#local = undefined;
        this.#isLoaded = false;
        this.forget();
        this.reload();
      }),
    );
    this.store.add(
      context.services.onDidChangeLibrary(({ local, change }) => {
        const isSeen = change.reports.length > 0 || change.companies.length > 0 || change.news;
        const mayBeLoaded = change.sync && !this.#isLoaded;
        if ((isSeen || mayBeLoaded) && this.isShown(local)) this.#soon.ask();
      }),
    );
  }

  protected abstract item(node: Node): vscode.TreeItem;

  /** What a row says when somebody hovers; made only then. */
  protected abstract tooltip(node: Node): vscode.MarkdownString | undefined;

  /** The children of a node, or the roots. What it shows beside them it sets only where {@link isShown} still holds. */
  protected abstract children(local: LocalLibrary, node: Node | undefined): Promise<(Node | MoreNode)[]>;

  /** Another library is shown from now on. */
  protected forget(): void {
    this.#shown.clear();
  }

  /** The children could not be read: the view says why, and its welcome offers to try again. */
  protected async tellProblem(error: unknown, _node?: Node): Promise<void> {
    // Another text tells of a refused key.
    if (isAbortError(error) || (error instanceof ApiError && error.problem.kind === 'unauthorized')) return;
    this.context.log.error(problemText(error));
    this.view.message = problemText(error);
    await setContextKey('reportLibrary.session', 'unreachable');
  }

  reload(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: Node | MoreNode): vscode.TreeItem {
    if (isMoreNode(node)) return moreItem(node);
    const item = this.item(node);
    if (isFavorite(this.favorites, node)) markFavorite(item, isAmongFavorites(node));
    // The editor tells rows of a tree apart by their ids.
    if (isAmongFavorites(node)) item.id = `favorite:${item.id}`;
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, node: Node | MoreNode): vscode.TreeItem {
    const tooltip = isMoreNode(node) ? undefined : this.tooltip(node);
    if (tooltip) item.tooltip = tooltip;
    return item;
  }

  async getChildren(node?: Node | MoreNode): Promise<(Node | MoreNode)[]> {
    if (isMoreNode(node)) return [];
    try {
      const local = await this.library();
      if (!local) return [];
      if (!node) this.favorites = await this.context.favorites.read();
      const record = node ? undefined : await local.library.syncRecord();
      const children = await this.children(local, node);
      if (!this.isShown(local)) return this.getChildren(node);
      if (record) {
        // A feed that was never read to its end, which some keys may not do, keeps no library from being whole.
        this.#isLoaded = record.phase === 'following' || record.syncedAt !== null;
        await setContextKey('reportLibrary.loaded', this.#isLoaded);
      }
      return children;
    } catch (error) {
      await this.tellProblem(error, node);
      return [];
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** The library to show; undefined, with the view's welcome, when nobody is signed in. */
  protected async library(): Promise<LocalLibrary | undefined> {
    const { services, sync } = this.context;
    const session = await services.ready();
    if (session.kind !== 'unknown') await setContextKey('reportLibrary.session', session.kind);
    if (!('connection' in session)) this.describe('', '');
    else if (session.kind === 'keyRefused') this.view.message = keyRefused;
    if (!('connection' in session)) return undefined;
    const local = await services.library();
    if (local.signal.aborted) return this.library();
    this.#local = local;
    sync.start();
    return local;
  }

  /** Whether a library is still the one that is shown: another may have taken its place while it was read. */
  protected isShown(local: LocalLibrary): boolean {
    return this.#local === local;
  }

  /** Sets what stands beside and under the view's title; empty texts stand for none. A refused key is told as well. */
  protected describe(description: string, message: string): void {
    this.view.description = description;
    this.view.message = this.context.services.session.kind === 'keyRefused' ? keyRefused : message;
  }

  /** Draws pending changes immediately. */
  protected drawChanges(): Promise<void> {
    return this.#soon.now();
  }

  /** Gives rows the marks of their PDFs. A row without a mark claims nothing. */
  protected async mark<Row extends MarkedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    try {
      const marks = await this.context.marks.look([...new Set(rows.map(({ report }) => report.report_id))]);
      for (const row of rows) row.mark = marks.get(row.report.report_id);
    } catch (error) {
      this.context.log.warn(`The PDFs of a tree could not be checked: ${problemText(error)}`);
    }
    return rows;
  }

  /** As much of a paged list as is to be shown, and the way to more. */
  protected async paged<T>(
    list: string,
    page: (position: {
      after: string | undefined;
      limit: number;
    }) => Promise<{ items: readonly T[]; next: string | null }>,
  ): Promise<{ readonly items: T[]; readonly more: MoreNode[] }> {
    const wanted = this.wanted(list);
    const items: T[] = [];
    for (let after: string | undefined; ; ) {
      const { items: found, next } = await page({ after, limit: Math.min(pageSize, wanted - items.length) });
      items.push(...found);
      if (next === null) return { items, more: [] };
      if (items.length >= wanted || found.length === 0) return { items, more: [this.more(list)] };
      after = next;
    }
  }

  protected wanted(list: string): number {
    return this.#shown.get(list) ?? pageSize;
  }

  protected more(list: string): MoreNode {
    return {
      kind: 'more',
      list,
      showMore: () => {
        this.#shown.set(list, this.wanted(list) + pageSize);
        this.reload();
      },
    };
  }
}

/** True for a row of the group of favorites, which stands elsewhere in its tree too. */
function isAmongFavorites(node: object): boolean {
  return 'isFavorite' in node && node.isFavorite === true;
}

/** True for the node that its own command was run with. */
export function isMoreNode(value: unknown): value is MoreNode {
  return typeof value === 'object' && value !== null && 'showMore' in value && typeof value.showMore === 'function';
}

export function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} more', pageSize), vscode.TreeItemCollapsibleState.None);
  item.id = `more:${node.list}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: commandIds.showMore, title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}
