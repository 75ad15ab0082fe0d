import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { keyPrefix } from '../../base/secret.ts';
import { byteSize, counted } from '../../base/words.ts';
import { commandIds } from '../common/contributions.ts';
import type { KeptLibrary } from '../common/libraryFiles.ts';
import { labelText, notificationText } from '../common/messages.ts';
import { showUntilAnswered, tick } from '../common/pickWhileTyping.ts';
import type { StoredConnection } from './connectionStore.ts';
import type { Connections } from './connections.ts';
import { nameProblem, tidyName } from './signIn.ts';

interface ConnectionItem extends vscode.QuickPickItem {
  readonly connection?: StoredConnection;
  readonly run?: () => unknown;
}

/** Switch Connection…: the stored connections, the demo library, and the way to one more. */
export async function switchConnection(connections: Connections): Promise<void> {
  for (;;) {
    const stored = await connections.context.connections.list();
    const items = itemsOf(connections, stored, await connections.strayLibraries());
    const chosen = await pick(items, stored.length === 0);
    if (!chosen) return;
    const { connection } = chosen.item;
    if (!connection || !chosen.button) return void (await chosen.item.run?.());
    if (chosen.button === chosen.item.buttons?.[0]) await rename(connections, connection, stored);
    else await removeConnection(connections, connection);
  }
}

function itemsOf(
  connections: Connections,
  stored: readonly StoredConnection[],
  stray: readonly KeptLibrary[],
): ConnectionItem[] {
  const { session } = connections.context.services;
  const current = 'connection' in session ? session.connection : undefined;
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const items = stored.map((connection): ConnectionItem => {
    const isCurrent = current?.id === connection.id;
    return {
      label: labelText(connection.name),
      iconPath: tick(isCurrent),
      ...(isCurrent && { description: vscode.l10n.t('in use') }),
      detail: vscode.l10n.t('{0} · key {1}…', new URL(connection.baseUrl).origin, keyPrefix(connection.key)),
      ...(isCurrent && { picked: true }),
      buttons: [
        { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Rename {0}…', connection.name) },
        { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove {0}…', connection.name) },
      ],
      connection,
      run: () => (isCurrent ? undefined : connections.use(connection)),
    };
  });
  const isDemo = current?.isDemo === true;
  const strayItem = {
    label: vscode.l10n.t('Remove Libraries of Signed-Out Connections…'),
    iconPath: new vscode.ThemeIcon('trash'),
    description: strayText(stray),
    run: () => removeStrayLibraries(connections),
  };
  return [
    ...items,
    ...(items.length > 0 ? [separator] : []),
    {
      label: vscode.l10n.t('Demo Library'),
      iconPath: tick(isDemo),
      description: vscode.l10n.t('fictional companies, no key needed'),
      run: () => (isDemo ? undefined : vscode.commands.executeCommand(commandIds.openDemoLibrary)),
    },
    {
      label: vscode.l10n.t('Add Connection (Sign In…)'),
      iconPath: new vscode.ThemeIcon('add'),
      run: () => vscode.commands.executeCommand(commandIds.signIn),
    },
    ...(stray.length > 0 ? [separator, strayItem] : []),
  ];
}

interface ChosenConnection {
  readonly item: ConnectionItem;
  readonly button?: vscode.QuickInputButton;
}

function pick(items: readonly ConnectionItem[], isEmpty: boolean): Promise<ChosenConnection | undefined> {
  const box = vscode.window.createQuickPick<ConnectionItem>();
  box.title = vscode.l10n.t('Switch Connection');
  box.placeholder = isEmpty
    ? vscode.l10n.t('No connections yet')
    : vscode.l10n.t('Choose the service and key to work with');
  box.matchOnDetail = true;
  box.items = items;
  // None at all would leave Enter without an effect.
  const [active = items[0]] = items.filter(({ picked }) => picked);
  if (active) box.activeItems = [active];
  return showUntilAnswered<ChosenConnection>(box, (resolve) => {
    box.onDidAccept(() => {
      const [item] = box.selectedItems;
      if (item) resolve({ item });
    });
    box.onDidTriggerItemButton(resolve);
    return undefined;
  });
}

async function rename(
  connections: Connections,
  connection: StoredConnection,
  stored: readonly StoredConnection[],
): Promise<void> {
  const taken = stored.filter(({ id }) => id !== connection.id).map(({ name }) => name);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Connection'),
    prompt: vscode.l10n.t('The name of the connection to {0}.', new URL(connection.baseUrl).host),
    value: connection.name,
    validateInput: (value) => nameProblem(value, taken),
  });
  if (name !== undefined && tidyName(name) !== connection.name) await connections.rename(connection, tidyName(name));
}

/** Asks what is to go, and says what becomes of what is on this machine. Enter alone changes nothing. */
async function removeConnection(connections: Connections, connection: StoredConnection): Promise<void> {
  const bytes = await connections.context.libraries.bytes(connection);
  const size = bytes === null ? '' : ` (${sizeText(bytes)})`;
  const items: (vscode.QuickPickItem & { readonly remove: 'nothing' | 'key' | 'all' })[] = [
    { label: vscode.l10n.t('Keep This Connection'), detail: vscode.l10n.t('Nothing is removed.'), remove: 'nothing' },
    {
      label: vscode.l10n.t('Remove the Key'),
      detail:
        bytes === null
          ? vscode.l10n.t('No library on this computer.')
          : vscode.l10n.t('Its library on this computer{0} and your favorites stay, in case you sign in again.', size),
      remove: 'key',
    },
  ];
  if (bytes !== null)
    items.push({
      label: vscode.l10n.t('Remove the Key and Its Library'),
      detail: vscode.l10n.t(
        'The metadata on this computer{0} and your favorites are deleted too. Downloaded PDFs stay.',
        size,
      ),
      remove: 'all',
    });
  const answer = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Remove {0}', connection.name),
    placeHolder: vscode.l10n.t('Removes key {0}… from secret storage in all windows', keyPrefix(connection.key)),
  });
  if (!answer || answer.remove === 'nothing') return;
  await connections.remove(connection, answer.remove === 'all');
  void vscode.window.showInformationMessage(vscode.l10n.t('Removed: {0}.', notificationText(connection.name)));
}

/**
 * After a sign-out: says what is still on this machine, since it is licensed metadata, and removes it when that is
 * wanted. Leaving the message alone removes nothing. Resolves when it has been answered.
 */
export async function offerLeftLibrary(connections: Connections, connection: StoredConnection): Promise<void> {
  const bytes = await connections.context.libraries.bytes(connection);
  if (bytes === null) return;
  const remove = vscode.l10n.t('Remove Library and Favorites');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Signed out of {0}. Its library ({1} of metadata) and your favorites stay on this computer, in case you sign in again. Downloaded PDFs stay either way.',
      notificationText(connection.name),
      sizeText(bytes),
    ),
    // The first one is what Enter takes.
    vscode.l10n.t('Keep Library'),
    remove,
  );
  if (answer !== remove) return;
  const removed = await connections.removeLibrary(connection);
  void vscode.window.showInformationMessage(
    removed
      ? vscode.l10n.t('Removed: the library and favorites of {0}.', notificationText(connection.name))
      : vscode.l10n.t(
          'You signed in again in the meantime, so the library of {0} stays.',
          notificationText(connection.name),
        ),
  );
}

function strayText(libraries: readonly KeptLibrary[]): string {
  const count = counted(libraries.length, l10n.later('1 library'), l10n.later('{0} libraries'));
  return `${count}, ${sizeText(libraries.reduce((sum, { bytes }) => sum + bytes, 0))}`;
}

/** Removes, once a person has said so, the libraries that no connection leads to any more. */
async function removeStrayLibraries(connections: Connections): Promise<void> {
  const libraries = await connections.strayLibraries();
  if (libraries.length === 0) return;
  const newest = new Date(Math.max(...libraries.map(({ changedAt }) => changedAt)));
  const remove = vscode.l10n.t('Remove');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove the libraries of signed-out connections from this computer ({0})?', strayText(libraries)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'This is metadata loaded with keys that are no longer stored here, last synced on {0}. Signing in with such a key loads it again, but not the favorites, which are removed too. Downloaded PDFs stay.',
        newest.toLocaleDateString(vscode.env.language),
      ),
    },
    remove,
  );
  if (answer !== remove) return;
  // Somebody may have signed in to one of them meanwhile.
  const still = new Set((await connections.strayLibraries()).map(({ path }) => path));
  const removed = libraries.filter(({ path }) => still.has(path));
  for (const { path } of removed) await connections.context.libraries.remove(path);
  void vscode.window.showInformationMessage(vscode.l10n.t('Removed: {0}.', strayText(removed)));
}

function sizeText(bytes: number): string {
  return byteSize(bytes, vscode.env.language);
}
