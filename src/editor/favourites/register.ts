import type * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import type { FavouriteMarks } from '../common/favouriteMarks.ts';
import type { Log } from '../common/log.ts';
import type { TreeDragController } from '../common/treeDrag.ts';

/** Stars, notes and tags, and the list that a team shares. Nothing is read before a tree or a panel asks. */
export function registerFavourites(
  services: Services,
  log: Log,
  treeDrag: TreeDragController,
  globalFolder: vscode.Uri,
): FavouriteMarks & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const made = once(async () => {
    const { ConnectionFavourites } = await import('./connectionFavourites.ts');
    const { LibraryFiles } = await import('../common/libraryFiles.ts');
    const files = new LibraryFiles(globalFolder.fsPath);
    const kept = await files.openFavourites(log);
    const favourites = store.add(new ConnectionFavourites(services, log, files, kept));
    favourites.onDidChange(() => changed.fire());
    return favourites;
  });
  store.add(
    registerCommands(
      ['addFavourite', 'removeFavourite', 'toggleFavourite', 'editFavouriteNote', 'editFavouriteTags'],
      log,
      async () => (await import('./commands.ts')).favouriteCommands(services, await made.get(), treeDrag),
    ),
  );
  store.add(
    registerCommands(['writeFavouritesList', 'readFavouritesList'], log, async () =>
      (await import('./sharedList.ts')).listCommands(await made.get(), async () => (await services.library()).library),
    ),
  );
  return {
    look: async () => (await made.get()).look(),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
