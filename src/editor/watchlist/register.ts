import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { LazyTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import type { PdfMarks } from '../common/pdfMarks.ts';
import type { SyncState } from '../common/syncState.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { WatchlistNode, WatchlistTree } from './tree.ts';

export interface WatchlistApi extends Disposable {
  readonly tree: LazyTree<WatchlistNode, WatchlistTree>;
  /** Shows under the title how a load goes. */
  showSync(state: SyncState): void;
}

export interface WatchlistContext {
  readonly services: Services;
  readonly log: Log;
  readonly marks: PdfMarks;
  /** Remembers how the companies are arranged. */
  readonly memory: vscode.Memento;
  readonly treeDrag: TreeDragController;
  startSync(): void;
  /** Reads the service again, whether due or not. */
  syncAgain(): Promise<void>;
}

/** The Watchlist view: companies, their fiscal years, their reports. */
export function registerWatchlist({
  services,
  log,
  marks,
  memory,
  treeDrag,
  startSync,
  syncAgain,
}: WatchlistContext): WatchlistApi {
  const store = new DisposableStore();
  const tree: LazyTree<WatchlistNode, WatchlistTree> = store.add(
    new LazyTree(async () => {
      const { WatchlistTree } = await import('./tree.ts');
      const { rememberedArrangement } = await import('./arrangement.ts');
      const context = { services, log, marks, viewId: viewIds.watchlist, startSync };
      return new WatchlistTree(context, view, () => rememberedArrangement(memory));
    }),
  );
  const view: vscode.TreeView<WatchlistNode> = store.add(
    vscode.window.createTreeView<WatchlistNode>(viewIds.watchlist, {
      treeDataProvider: tree,
      dragAndDropController: treeDrag,
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  treeDrag.follow(view);
  store.add(
    registerCommands(['openCompany', 'arrangeWatchlist', 'showMore', 'refresh'], log, async () => {
      const { watchlistCommands } = await import('./commands.ts');
      return watchlistCommands({ services, log, memory, view, tree, syncAgain });
    }),
  );
  return {
    tree,
    showSync: (state) => void tree.loaded().then((loaded) => loaded?.showSync(state)),
    dispose: () => store.dispose(),
  };
}
