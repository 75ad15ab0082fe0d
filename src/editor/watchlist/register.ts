import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { registerCommands } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type LazyTree, registerTree } from '../common/lazyTree.ts';
import type { SyncState } from '../common/syncState.ts';
import type { WatchlistContext } from './commands.ts';
import type { WatchlistNode, WatchlistTree } from './tree.ts';

export interface WatchlistApi extends Disposable {
  readonly tree: LazyTree<WatchlistNode, WatchlistTree>;
  /** Shows under the title how a load goes. */
  showSync(state: SyncState): void;
  /**
   * A person signs out: rows that go take the keyboard along, so what the view then offers is to get it. Called before;
   * gives what to call after, and to dispose of however that ended.
   */
  handOver(): Disposable & { done(): Promise<void> };
}

/** The Watchlist view: companies, their fiscal years, their reports. */
export function registerWatchlist(context: WatchlistContext): WatchlistApi {
  const { tree, view, store } = registerTree<WatchlistNode, WatchlistTree>(
    viewIds.watchlist,
    context.treeDrag,
    { showCollapseAll: true },
    async (view) => new (await import('./tree.ts')).WatchlistTree(context, view),
  );
  store.add(
    registerCommands(['openCompany', 'arrangeWatchlist', 'showMore', 'refresh'], context.log, async () => {
      const { watchlistCommands } = await import('./commands.ts');
      return watchlistCommands(context, tree, view);
    }),
  );
  return {
    tree,
    showSync: (state) => void tree.loaded().then((loaded) => loaded?.showSync(state)),
    handOver() {
      const isSignedOut = () => context.services.session.kind === 'signedOut';
      if (!view.visible || isSignedOut()) return { done: async () => {}, dispose() {} };
      const { promise: emptied, resolve } = Promise.withResolvers<void>();
      const waiting = tree.onDidGiveRoots(() => {
        if (isSignedOut()) resolve();
      });
      return {
        async done() {
          if (!isSignedOut()) return;
          await emptied;
          await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`);
        },
        dispose: () => waiting.dispose(),
      };
    },
    dispose: () => store.dispose(),
  };
}
