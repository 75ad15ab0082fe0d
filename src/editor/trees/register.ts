import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { registerCommand, registerCommands } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type LazyTree, registerTree } from '../common/lazyTree.ts';
import type { SyncState } from '../common/syncState.ts';
import type { ChangesNode, ChangesTree } from './changesTree.ts';
import type { TreesContext } from './commands.ts';
import type { ReportsNode, ReportsTree } from './reportsTree.ts';
import type { WatchlistNode, WatchlistTree } from './watchlistTree.ts';

/** The three views of the library, and their commands. */
export interface TreesApi extends Disposable {
  /** Companies, their fiscal years, their reports. */
  readonly watchlist: LazyTree<WatchlistNode, WatchlistTree>;
  /** All reports, or those of a filter, by fiscal year. */
  readonly reports: LazyTree<ReportsNode, ReportsTree>;
  /** What's New. */
  readonly changes: LazyTree<ChangesNode, ChangesTree>;
  /** Shows under the Watchlist's title how a load goes. */
  showSync(state: SyncState): void;
}

export function registerTrees(context: TreesContext): TreesApi {
  const { services, log, treeDrag } = context;
  const store = new DisposableStore();
  const showCollapseAll = true;
  const watchlist = registerTree<WatchlistNode, WatchlistTree>(
    viewIds.watchlist,
    treeDrag,
    { showCollapseAll },
    async (view) => new (await import('./watchlistTree.ts')).WatchlistTree(context, view),
  );
  const reports = registerTree<ReportsNode, ReportsTree>(
    viewIds.reports,
    treeDrag,
    { showCollapseAll },
    async (view) => new (await import('./reportsTree.ts')).ReportsTree(context, view),
  );
  const changes = registerTree<ChangesNode, ChangesTree>(
    viewIds.changes,
    treeDrag,
    {},
    async (view) => new (await import('./changesTree.ts')).ChangesTree(context, view),
  );
  for (const one of [watchlist, reports, changes]) store.add(one.store);
  store.add(
    registerCommands(['openCompany', 'showMore', 'refresh'], log, async () =>
      (await import('./commands.ts')).watchlistCommands(context, watchlist.tree, watchlist.view),
    ),
  );
  store.add(
    registerCommands(
      ['filterReports', 'clearFilter', 'savedFilters', 'downloadShown', 'copyReportKey'],
      log,
      async () => (await import('./commands.ts')).reportsCommands(context, await reports.tree.tree()),
    ),
  );
  store.add(
    registerCommand('markAllSeen', log, async () => {
      const { library } = await services.library();
      await library.markSeen();
      (await changes.tree.loaded())?.reload();
    }),
  );
  return {
    watchlist: watchlist.tree,
    reports: reports.tree,
    changes: changes.tree,
    showSync(state) {
      const shown = watchlist.tree.loaded().then((loaded) => loaded?.showSync(state));
      shown.catch((error: unknown) => log.warn(`How the load goes could not be shown: ${String(error)}`));
    },
    dispose: () => store.dispose(),
  };
}
