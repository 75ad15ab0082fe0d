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
  const key = `The key ${keyPrefix(connection.key)}… is deleted from the secret storage, in all windows.`;
  const size = bytes === null ? '' : ` (${(bytes / 1e6).toFixed(1)} MB)`;
  const answers: Answer[] = [
    { label: 'Keep This Connection', detail: 'Nothing is removed.', remove: 'nothing' },
    {
      label: 'Remove It',
      detail:
        bytes === null
          ? `${key} No library of it is on this machine.`
          : `${key} Its library on this machine${size} stays, and is at hand again if you sign in with the same key.`,
      remove: 'key',
    },
  ];
  if (bytes !== null) {
    answers.push({
      label: 'Remove It and Delete Its Library',
      detail: `${key} The metadata on this machine${size} is deleted too. Downloaded PDFs stay where they are.`,
      remove: 'all',
    });
  }
  const answer = await vscode.window.showQuickPick(answers, {
    title: `Remove ${connection.name}`,
    placeHolder: 'PDFs in your folders are never touched',
  });
  if (!answer || answer.remove === 'nothing') return;
  await connections.remove(connection, answer.remove === 'all');
  void vscode.window.showInformationMessage(`Removed: ${notificationText(connection.name)}.`);
}
