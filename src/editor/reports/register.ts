import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import type { Handover } from '../common/handover.ts';
import { LazyTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import type { PdfMarks } from '../common/pdfMark.ts';
import type { ReportsNode, ReportsTree } from './tree.ts';

export interface ReportsApi extends Disposable {
  readonly tree: LazyTree<ReportsNode, ReportsTree>;
}

/** The Reports view, Filter Reports… and Clear Filter. */
export function registerReports(
  services: Services,
  log: Log,
  { handover, marks }: { readonly handover: Handover; readonly marks: PdfMarks },
  startSync: () => void,
): ReportsApi {
  const store = new DisposableStore();
  const tree: LazyTree<ReportsNode, ReportsTree> = store.add(
    new LazyTree(async () => {
      const { ReportsTree } = await import('./tree.ts');
      return new ReportsTree({ services, log, marks, viewId: viewIds.reports, startSync }, view);
    }),
  );
  const view: vscode.TreeView<ReportsNode> = store.add(
    vscode.window.createTreeView<ReportsNode>(viewIds.reports, {
      treeDataProvider: tree,
      dragAndDropController: handover,
      canSelectMany: true,
      showCollapseAll: true,
    }),
  );
  handover.follow(view);
  store.add(
    registerCommand('filterReports', log, async (argument) => {
      const { filterReports } = await import('./filterCommand.ts');
      return filterReports(services, await tree.tree(), argument);
    }),
  );
  store.add(
    registerCommand('clearFilter', log, async () => {
      const { showFiltered } = await import('./filterCommand.ts');
      await showFiltered(await tree.tree(), {});
    }),
  );
  store.add(
    registerCommand('copyReportKey', log, async (node) => {
      const { copyReportKey } = await import('./copyReportKey.ts');
      await copyReportKey(node);
    }),
  );
  return { tree, dispose: () => store.dispose() };
}
