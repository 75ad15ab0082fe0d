import * as vscode from 'vscode';
import { keyPrefix } from '../../base/secret.ts';
import { notificationText } from '../common/plainText.ts';
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
    { label: 'Keep This Connection', detail: 'Nothing is removed.', remove: 'nothing' },
    {
      label: 'Remove the Key',
      detail:
        bytes === null
          ? 'There is no library of it on this machine.'
          : `Its library on this machine${size} stays, in case you sign in again.`,
      remove: 'key',
    },
  ];
  if (bytes !== null) {
    answers.push({
      label: 'Remove the Key and Its Library',
      detail: `The metadata on this machine${size} is deleted too. Downloaded PDFs stay.`,
      remove: 'all',
    });
  }
  const answer = await vscode.window.showQuickPick(answers, {
    title: `Remove ${connection.name}`,
    placeHolder: `Key ${keyPrefix(connection.key)}… would go from the secret storage, in all windows`,
  });
  if (!answer || answer.remove === 'nothing') return;
  await connections.remove(connection, answer.remove === 'all');
  void vscode.window.showInformationMessage(`Removed: ${notificationText(connection.name)}.`);
}
