import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { LazyTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import type { PdfMarks } from '../common/pdfMarks.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ChangesNode, ChangesTree } from './tree.ts';

export interface ChangesContext {
  readonly services: Services;
  readonly log: Log;
  readonly treeDrag: TreeDragController;
  readonly marks: PdfMarks;
  startSync(): void;
  /** Ids of the reports whose PDF is in this workspace: their changes count first. */
  localReports(): Promise<readonly number[]>;
}

export interface ChangesApi extends Disposable {
  readonly tree: LazyTree<ChangesNode, ChangesTree>;
}

/** The What's New view, its badge, and Mark All as Seen. */
export function registerChanges({
  services,
  log,
  treeDrag,
  marks,
  startSync,
  localReports,
}: ChangesContext): ChangesApi {
  const store = new DisposableStore();
  const tree: LazyTree<ChangesNode, ChangesTree> = store.add(
    new LazyTree(async () => {
      const { ChangesTree } = await import('./tree.ts');
      return new ChangesTree({ services, log, marks, viewId: viewIds.changes, startSync }, view, localReports);
    }),
  );
  const view: vscode.TreeView<ChangesNode> = store.add(
    vscode.window.createTreeView<ChangesNode>(viewIds.changes, {
      treeDataProvider: tree,
      dragAndDropController: treeDrag,
      canSelectMany: true,
    }),
  );
  treeDrag.follow(view);
  store.add(
    registerCommand('markAllSeen', log, async () => {
      const { library } = await services.library();
      await library.markSeen();
      (await tree.loaded())?.reload();
    }),
  );
  return { tree, dispose: () => store.dispose() };
}
