import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Services } from '../../services.ts';
import { registerCommands, setContextKey } from '../common/commands.ts';
import { secretPrefix } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { Connections, ConnectionsContext } from './connections.ts';

/** What the connections need from outside: where they are stored, clients to try a key with, their libraries. */
type SignInPorts = Omit<ConnectionsContext, 'services' | 'log' | 'offerLeftLibrary'>;

/**
 * Sign In…, Sign Out, Switch Connection…, and keeping up with other windows. Stored connections are read, and shown in
 * the Accounts menu, once somebody uses the library.
 */
export function registerSignIn(
  services: Services,
  secrets: vscode.SecretStorage,
  ports: () => Promise<SignInPorts>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  const made = once(async (): Promise<Connections> => {
    const { Connections } = await import('./connections.ts');
    const offerLeftLibrary: ConnectionsContext['offerLeftLibrary'] = async (...args) =>
      (await import('./switchConnection.ts')).offerLeftLibrary(...args);
    store.add(vscode.window.tabGroups.onDidChangeTabs(tellWalkthrough));
    return store.add(new Connections({ services, log, offerLeftLibrary, ...(await ports()) }));
  });
  store.add(
    registerCommands(['signIn', 'signOut', 'switchConnection'], log, async () => {
      const connections = await made.get();
      return {
        signIn: async () => (await import('./signIn.ts')).signIn(connections),
        signOut: () => connections.signOut(),
        switchConnection: async () => (await import('./switchConnection.ts')).switchConnection(connections),
      };
    }),
  );
  store.add(
    services.onDidChangeSession(async (session) => {
      if (session.kind === 'unknown') return;
      void setContextKey('reportLibrary.loaded', false);
      void setContextKey('reportLibrary.session', session.kind);
      (await made.get()).onSession(session);
    }),
  );
  store.add(
    secrets.onDidChange(async ({ key }) => {
      if (key.startsWith(secretPrefix) && services.session.kind !== 'unknown') await (await made.get()).onSecrets(key);
    }),
  );
  return store;
}

/** The walkthrough overlooks what was done before it opened, and is told once it is: such a page has no input. */
async function tellWalkthrough({ opened }: vscode.TabChangeEvent): Promise<void> {
  if (opened.every(({ input }) => input !== undefined)) return;
  await setContextKey('reportLibrary.pageOpened', true);
  await setContextKey('reportLibrary.pageOpened', false);
}
