import type * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import type { FavoriteMarks } from '../common/favoriteMarks.ts';
import type { Log } from '../common/log.ts';
import type { TreeDragController } from '../common/treeDrag.ts';

/** Favorites and their commands. Nothing is read before a tree or a page needs them. */
export function registerFavorites(
  services: Services,
  log: Log,
  treeDrag: TreeDragController,
  globalFolder: vscode.Uri,
): FavoriteMarks & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const made = once(async () => {
    const { ConnectionFavorites } = await import('./connectionFavorites.ts');
    const { LibraryFiles } = await import('../common/libraryFiles.ts');
    const files = new LibraryFiles(globalFolder.fsPath);
    const kept = await files.openFavorites(log);
    const favorites = store.add(new ConnectionFavorites(services, log, files, kept));
    favorites.onDidChange(() => changed.fire());
    return favorites;
  });
  store.add(
    registerCommands(['addFavourite', 'removeFavourite', 'toggleFavourite'], log, async () =>
      (await import('./commands.ts')).favoriteCommands(services, await made.get(), treeDrag),
    ),
  );
  return {
    read: async () => (await made.get()).read(),
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
