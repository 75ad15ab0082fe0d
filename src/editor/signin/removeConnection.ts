import * as vscode from 'vscode';
import { keyPrefix } from '../../base/secret.ts';
import { notificationText } from '../common/messages.ts';
import type { StoredConnection } from './connectionStore.ts';
import type { Connections } from './connections.ts';

interface Answer extends vscode.QuickPickItem {
  readonly remove: 'nothing' | 'key' | 'all';
}

/** Asks what is to go, and says what becomes of what is on this machine. Enter alone changes nothing. */
export async function removeConnection(connections: Connections, connection: StoredConnection): Promise<void> {
  const bytes = await connections.context.libraryBytes(connection);
  const size = bytes === null ? '' : ` (${(bytes / 1e6).toFixed(1)} MB)`;
  const answers: Answer[] = [
    { label: vscode.l10n.t('Keep This Connection'), detail: vscode.l10n.t('Nothing is removed.'), remove: 'nothing' },
    {
      label: vscode.l10n.t('Remove the Key'),
      detail:
        bytes === null
          ? vscode.l10n.t('There is no library of it on this machine.')
          : vscode.l10n.t('Its library on this machine{0} stays, in case you sign in again.', size),
      remove: 'key',
    },
  ];
  if (bytes !== null) {
    answers.push({
      label: vscode.l10n.t('Remove the Key and Its Library'),
      detail: vscode.l10n.t('The metadata on this machine{0} is deleted too. Downloaded PDFs stay.', size),
      remove: 'all',
    });
  }
  const answer = await vscode.window.showQuickPick(answers, {
    title: vscode.l10n.t('Remove {0}', connection.name),
    placeHolder: vscode.l10n.t('Key {0}… would go from the secret storage, in all windows', keyPrefix(connection.key)),
  });
  if (!answer || answer.remove === 'nothing') return;
  await connections.remove(connection, answer.remove === 'all');
  void vscode.window.showInformationMessage(vscode.l10n.t('Removed: {0}.', notificationText(connection.name)));
}
