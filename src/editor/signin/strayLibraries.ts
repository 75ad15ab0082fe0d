import * as vscode from 'vscode';
import type { Connections, StrayLibrary } from './connections.ts';

/** How much these take, in words. */
export function strayText(libraries: readonly StrayLibrary[]): string {
  const megabytes = (libraries.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  return libraries.length === 1
    ? vscode.l10n.t('1 library, {0} MB', megabytes)
    : vscode.l10n.t('{0} libraries, {1} MB', libraries.length, megabytes);
}

/** Removes, once a person has said so, the libraries that no connection leads to any more. */
export async function removeStrayLibraries(connections: Connections): Promise<void> {
  const libraries = await connections.strayLibraries();
  if (libraries.length === 0) return;
  const newest = new Date(Math.max(...libraries.map(({ changedAt }) => changedAt)));
  const remove = vscode.l10n.t('Remove');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove what signed-out connections left on this machine ({0})?', strayText(libraries)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'It is metadata that keys which are no longer stored here could read, last synced on {0}. Signing in with such a key again loads it anew. Downloaded PDFs stay.',
        newest.toLocaleDateString(),
      ),
    },
    remove,
  );
  if (answer !== remove) return;
  // Somebody may have signed in to one of them meanwhile.
  const still = new Set((await connections.strayLibraries()).map(({ path }) => path));
  const removed = libraries.filter(({ path }) => still.has(path));
  await connections.context.deleteStray(removed);
  void vscode.window.showInformationMessage(vscode.l10n.t('Removed: {0}.', strayText(removed)));
}
