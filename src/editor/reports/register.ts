import type { Disposable } from '../../base/disposable.ts';
import { registerCommands } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type LazyTree, registerTree } from '../common/lazyTree.ts';
import type { LibraryTreeContext } from '../common/libraryTree.ts';
import type { ReportsNode, ReportsTree } from './tree.ts';

export interface ReportsApi extends Disposable {
  readonly tree: LazyTree<ReportsNode, ReportsTree>;
}

export function registerReports(context: LibraryTreeContext): ReportsApi {
  const { tree, store } = registerTree<ReportsNode, ReportsTree>(
    viewIds.reports,
    context.treeDrag,
    { showCollapseAll: true },
    async (view) => new (await import('./tree.ts')).ReportsTree(context, view),
  );
  store.add(
    registerCommands(
      ['filterReports', 'clearFilter', 'savedFilters', 'groupReports', 'downloadShown', 'copyReportKey'],
      context.log,
      async () => (await import('./commands.ts')).reportsCommands(context, await tree.tree()),
    ),
  );
  return { tree, dispose: () => store.dispose() };
}
