import type { Disposable } from '../../base/disposable.ts';
import { registerCommand } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { type LazyTree, registerTree } from '../common/lazyTree.ts';
import type { LibraryTreeContext } from '../common/libraryTree.ts';
import type { ChangesNode, ChangesTree } from './tree.ts';

export interface ChangesApi extends Disposable {
  readonly tree: LazyTree<ChangesNode, ChangesTree>;
}

/** The What's New view, its badge, and Mark All as Seen. */
export function registerChanges(context: LibraryTreeContext): ChangesApi {
  const { services, log, treeDrag } = context;
  const { tree, store } = registerTree<ChangesNode, ChangesTree>(
    viewIds.changes,
    treeDrag,
    {},
    async (view) => new (await import('./tree.ts')).ChangesTree(context, view),
  );
  store.add(
    registerCommand('markAllSeen', log, async () => {
      const { library } = await services.library();
      await library.markSeen();
      (await tree.loaded())?.reload();
    }),
  );
  return { tree, dispose: () => store.dispose() };
}
