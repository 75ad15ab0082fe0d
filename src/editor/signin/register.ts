import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Services } from '../../services.ts';
import { registerCommands } from '../common/commands.ts';
import { setContextKey } from '../common/contextKey.ts';
import { authenticationId } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { Connections, ConnectionsContext } from './connections.ts';
import { secretPrefix } from './indexName.ts';

/** What the connections need from outside: where they are stored, clients to try a key with, their libraries. */
export type SignInPorts = Omit<ConnectionsContext, 'services' | 'log' | 'accounts'>;

/** Sign In…, Sign Out, Switch Connection…, the Accounts menu, and keeping up with other windows. */
export function registerSignIn(
  services: Services,
  secrets: vscode.SecretStorage,
  ports: () => Promise<SignInPorts>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  const accounts: ConnectionsContext['accounts'] = store.add(new vscode.EventEmitter());
  const made = lazy(async (): Promise<Connections> => {
    const { Connections } = await import('./connections.ts');
    return store.add(new Connections({ services, log, accounts, ...(await ports()) }));
  });
  store.add(
    registerCommands(['signIn', 'signOut', 'switchConnection'], log, async () => {
      const { signInCommands } = await import('./commands.ts');
      return signInCommands(await made.get());
    }),
  );
  store.add(
    services.onDidChangeSession(async (session) => {
      if (session.kind === 'unknown') return;
      void setContextKey('reportLibrary.session', session.kind);
      (await made.get()).onSession(session);
    }),
  );
  store.add(
    secrets.onDidChange(async ({ key }) => {
      if (key.startsWith(secretPrefix) && services.session.kind !== 'unknown') await (await made.get()).onSecrets(key);
    }),
  );
  store.add(
    vscode.authentication.registerAuthenticationProvider(
      authenticationId,
      'Report Library',
      {
        onDidChangeSessions: accounts.event,
        // The Accounts menu asks without scopes, extensions with some or none: they get nothing, not even names. And
        // before anybody has used the library there is no reason to read what is stored.
        getSessions: async (scopes, { account } = {}) =>
          scopes || services.session.kind === 'unknown' ? [] : (await made.get()).accounts(account),
        createSession: async () => {
          throw new Error('Report Library keeps its keys to itself. Use its command Sign In… instead.');
        },
        removeSession: async (id) => (await made.get()).removeAccount(id),
      },
      { supportsMultipleAccounts: true },
    ),
  );
  return store;
}
