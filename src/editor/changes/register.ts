import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type LazyTree, registerTree } from '../common/lazyTree.ts';
import type { LibraryTreeContext } from '../common/libraryTree.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ChangesNode, ChangesTree } from './tree.ts';

interface ChangesContext extends LibraryTreeContext {
  readonly treeDrag: TreeDragController;
  /** Ids of the reports whose PDF is in this workspace: their changes count first. */
  localReports(): Promise<readonly number[]>;
}

export interface ChangesApi extends Disposable {
  readonly tree: LazyTree<ChangesNode, ChangesTree>;
}

/** The What's New view, its badge, and Mark All as Seen. */
export function registerChanges(context: ChangesContext): ChangesApi {
  const { services, log, treeDrag, localReports } = context;
  const { tree, store } = registerTree<ChangesNode, ChangesTree>(viewIds.changes, treeDrag, {}, async (view) => {
    const { ChangesTree } = await import('./tree.ts');
    return new ChangesTree(context, view, localReports);
  });
  store.add(
    registerCommand('markAllSeen', log, async () => {
      const { library } = await services.library();
      await library.markSeen();
      (await tree.loaded())?.reload();
    }),
  );
  return { tree, dispose: () => store.dispose() };
}
