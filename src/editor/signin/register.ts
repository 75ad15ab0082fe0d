import type * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection, Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { setContextKey } from '../common/contextKey.ts';
import type { Log } from '../common/log.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { indexName } from './indexName.ts';

/** What signing in and out needs: the stored connections, and clients to try a key with. */
export interface SignInPorts {
  readonly connections: ConnectionStore;
  createClient(connection: Connection): Promise<Client>;
}

/** Sign In…, Sign Out, the session's context key, and keeping up with sign-ins in other windows. */
export function registerSignIn(
  services: Services,
  secrets: vscode.SecretStorage,
  ports: () => Promise<SignInPorts>,
  log: Log,
): Disposable {
  const store = new DisposableStore();
  store.add(
    registerCommand('signIn', log, async () => {
      const { signInWith } = await import('./session.ts');
      await signInWith(services, await ports(), log);
    }),
  );
  store.add(
    registerCommand('signOut', log, async () => {
      services.connect(null);
      await (await ports()).connections.signOut();
    }),
  );
  store.add(
    services.onDidChangeSession(async (session) => {
      if (session.kind !== 'unknown') void setContextKey('reportLibrary.session', session.kind);
      if (session.kind === 'keyRefused') (await import('./tellKeyRefused.ts')).tellKeyRefused(session.problem);
    }),
  );
  store.add(
    secrets.onDidChange(async ({ key }) => {
      if (key !== indexName || services.session.kind === 'unknown') return;
      const { followStore } = await import('./session.ts');
      await followStore(services, (await ports()).connections);
    }),
  );
  return store;
}
