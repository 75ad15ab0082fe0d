import type * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import type { CommandRun } from '../common/commands.ts';
import type { LazyTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import { isMoreNode } from '../common/moreNode.ts';
import { arrange } from './arrangement.ts';
import { openCompany } from './chooseCompany.ts';
import type { WatchlistNode, WatchlistTree } from './tree.ts';

interface WatchlistCommandsContext {
  readonly services: Services;
  readonly log: Log;
  readonly memory: vscode.Memento;
  readonly view: vscode.TreeView<WatchlistNode>;
  readonly tree: LazyTree<WatchlistNode, WatchlistTree>;
  syncAgain(): Promise<void>;
}

/** What the Watchlist's commands do. */
export function watchlistCommands(
  context: WatchlistCommandsContext,
): Readonly<Record<'openCompany' | 'arrangeWatchlist' | 'showMore' | 'refresh', CommandRun>> {
  const { services, log, memory, view, tree, syncAgain } = context;
  return {
    async openCompany(companyKey) {
      await openCompany(services, await tree.tree(), view, companyKey, log);
    },
    async arrangeWatchlist() {
      if (await arrange(memory)) (await tree.loaded())?.reload();
    },
    async showMore(node) {
      if (isMoreNode(node)) node.showMore();
    },
    async refresh() {
      (await tree.loaded())?.reload();
      await syncAgain();
    },
  };
}
