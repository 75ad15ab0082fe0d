import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { LazyTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import type { PdfMarks } from '../common/pdfMarks.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ReportsNode, ReportsTree } from './tree.ts';

export interface ReportsApi extends Disposable {
  readonly tree: LazyTree<ReportsNode, ReportsTree>;
}

export interface ReportsContext {
  readonly services: Services;
  readonly log: Log;
  readonly treeDrag: TreeDragController;
  readonly marks: PdfMarks;
  /** Remembers how the reports of this workspace are filtered and grouped, and the filters saved on this machine. */
  readonly memories: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState'>;
  startSync(): void;
  /** Ids of the reports whose PDF is in this workspace. */
  localReports(): Promise<readonly number[]>;
}

/** The Reports view, its filters and its groups. */
export function registerReports(context: ReportsContext): ReportsApi {
  const { treeDrag } = context;
  const store = new DisposableStore();
  const tree: LazyTree<ReportsNode, ReportsTree> = store.add(
    new LazyTree(async () => {
      const { ReportsTree } = await import('./tree.ts');
      return new ReportsTree({ ...context, viewId: viewIds.reports }, view);
    }),
  );
  const view: vscode.TreeView<ReportsNode> = store.add(
    vscode.window.createTreeView<ReportsNode>(viewIds.reports, {
      treeDataProvider: tree,
      dragAndDropController: treeDrag,
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  treeDrag.follow(view);
  store.add(
    registerCommands(
      ['filterReports', 'clearFilter', 'savedFilters', 'groupReports', 'downloadShown', 'copyReportKey'],
      context.log,
      async () => (await import('./filterCommand.ts')).reportsCommands(context, await tree.tree()),
    ),
  );
  return { tree, dispose: () => store.dispose() };
}
