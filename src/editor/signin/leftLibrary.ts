import * as vscode from 'vscode';
import { notificationText } from '../common/messages.ts';
import type { StoredConnection } from './connectionStore.ts';
import type { Connections } from './connections.ts';

/**
 * After a sign-out: says what is still on this machine, since it is licensed metadata, and removes it when that is
 * wanted. Leaving the message alone removes nothing. Resolves when it has been answered.
 */
export async function offerLeftLibrary(connections: Connections, connection: StoredConnection): Promise<void> {
  const bytes = await connections.context.libraryBytes(connection);
  if (bytes === null) return;
  const remove = vscode.l10n.t('Remove Library');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Signed out of {0}. Its library ({1} MB of metadata) stays on this machine, in case you sign in again. Downloaded PDFs stay either way.',
      notificationText(connection.name),
      (bytes / 1e6).toFixed(1),
    ),
    // The first one is what Enter takes.
    vscode.l10n.t('Keep Library'),
    remove,
  );
  if (answer !== remove) return;
  const removed = await connections.removeLibrary(connection);
  void vscode.window.showInformationMessage(
    removed
      ? vscode.l10n.t('Removed: the library of {0}.', notificationText(connection.name))
      : vscode.l10n.t('You signed in again meanwhile, so the library of {0} stays.', notificationText(connection.name)),
  );
}
