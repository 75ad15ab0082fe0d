import * as vscode from 'vscode';
import { keyPrefix } from '../../base/secret.ts';
import { commandIds } from '../common/contributions.ts';
import { labelText } from '../common/messages.ts';
import { nameProblem, tidyName } from './connectionName.ts';
import type { StoredConnection } from './connectionStore.ts';
import type { Connections, StrayLibrary } from './connections.ts';
import { removeConnection } from './removeConnection.ts';
import { removeStrayLibraries, strayText } from './strayLibraries.ts';

interface Entry extends vscode.QuickPickItem {
  readonly connection?: StoredConnection;
  readonly run?: () => unknown;
}

type Outcome =
  | { readonly kind: 'run'; readonly entry: Entry }
  | { readonly kind: 'rename'; readonly connection: StoredConnection }
  | { readonly kind: 'remove'; readonly connection: StoredConnection };

const renameButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: vscode.l10n.t('Rename…'),
};
const removeButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Remove…'),
};

/** Switch Connection…: the stored connections, the demo library, and the way to one more. */
export async function switchConnection(connections: Connections): Promise<void> {
  for (;;) {
    const stored = await connections.context.connections.list();
    const stray = await connections.strayLibraries();
    const outcome = await pick(entriesOf(connections, stored, stray), stored);
    if (!outcome) return;
    if (outcome.kind === 'run') {
      await outcome.entry.run?.();
      return;
    }
    if (outcome.kind === 'rename') await rename(connections, outcome.connection, stored);
    else await removeConnection(connections, outcome.connection);
  }
}

function entriesOf(
  connections: Connections,
  stored: readonly StoredConnection[],
  stray: readonly StrayLibrary[],
): Entry[] {
  const { session } = connections.context.services;
  const current = 'connection' in session ? session.connection : undefined;
  const mark = (isCurrent: boolean) => (isCurrent ? 'check' : 'blank');
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const entries = stored.map((connection): Entry => {
    const isCurrent = current?.id === connection.id;
    return {
      label: `$(${mark(isCurrent)}) ${labelText(connection.name)}`,
      detail: vscode.l10n.t('$(blank) {0} · key {1}…', new URL(connection.baseUrl).origin, keyPrefix(connection.key)),
      ...(isCurrent && { picked: true }),
      buttons: [renameButton, removeButton],
      connection,
      run: () => (isCurrent ? undefined : connections.use(connection)),
    };
  });
  const isDemo = current?.isDemo === true;
  return [
    ...entries,
    ...(entries.length > 0 ? [separator] : []),
    {
      label: vscode.l10n.t('$({0}) Demo Library', mark(isDemo)),
      description: vscode.l10n.t('fictional companies, no key needed'),
      run: () => (isDemo ? undefined : vscode.commands.executeCommand(commandIds.openDemoLibrary)),
    },
    {
      label: vscode.l10n.t('$(add) Add Connection (Sign In…)'),
      run: () => vscode.commands.executeCommand(commandIds.signIn),
    },
    ...(stray.length > 0 ? [separator, leftEntry(connections, stray)] : []),
  ];
}

function leftEntry(connections: Connections, stray: readonly StrayLibrary[]): Entry {
  return {
    label: vscode.l10n.t('$(trash) Remove Libraries of Signed-Out Connections…'),
    description: strayText(stray),
    run: () => removeStrayLibraries(connections),
  };
}

function pick(entries: readonly Entry[], stored: readonly StoredConnection[]): Promise<Outcome | undefined> {
  const box = vscode.window.createQuickPick<Entry>();
  box.title = vscode.l10n.t('Switch Connection');
  box.placeholder =
    stored.length === 0
      ? vscode.l10n.t('No connections yet')
      : vscode.l10n.t('Choose the service and key to work with');
  box.matchOnDetail = true;
  box.items = entries;
  box.activeItems = entries.filter(({ picked }) => picked);
  return new Promise<Outcome | undefined>((resolve) => {
    box.onDidAccept(() => {
      const [entry] = box.selectedItems;
      if (entry) resolve({ kind: 'run', entry });
      box.hide();
    });
    box.onDidTriggerItemButton(({ item, button }) => {
      const { connection } = item;
      if (connection) resolve({ kind: button === renameButton ? 'rename' : 'remove', connection });
      box.hide();
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
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
