import type { Connection, Services } from '../../services.ts';
import { applicationSetting } from '../common/configValue.ts';
import type { Log } from '../common/log.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { SignInPorts } from './register.ts';
import { signIn } from './signIn.ts';

/** The connection that was in use last; the demo when that was, or when the user wants it at the first start. */
export async function storedConnection(
  connections: ConnectionStore,
  log: Log,
  demo: () => Promise<Connection>,
): Promise<Connection | null> {
  const choice = await connections.read();
  if (choice.kind === 'stored') {
    log.hide(choice.connection.key);
    return { ...choice.connection, isDemo: false };
  }
  const isWanted = choice.kind === 'fresh' && applicationSetting('reportLibrary.demo.openAtStart');
  return choice.kind === 'demo' || isWanted ? demo() : null;
}

/** Signs in with what the user types; nothing is stored before the service has answered for it. */
export async function signInWith(
  services: Services,
  { connections, createClient }: SignInPorts,
  log: Log,
): Promise<void> {
  const { session } = services;
  await signIn({
    previousBaseUrl: 'connection' in session && !session.connection.isDemo ? session.connection.baseUrl : undefined,
    async accept(stored) {
      log.hide(stored.key);
      // Connected before it is stored: the store's own change event then finds this window up to date.
      services.connect({ ...stored, isDemo: false });
      return connections.save(stored);
    },
    async tryKey(baseUrl, key, signal) {
      log.hide(key);
      const client = await createClient({ id: 'sign-in', name: '', baseUrl, key, isDemo: false });
      try {
        // The person looks at the box: a mistyped address is told at once, not after half a minute of trying.
        return await client.entitlements({ signal, priority: 'interactive', tries: 2 });
      } finally {
        client.dispose();
      }
    },
  });
}

/** Another window signed in, out or over: this window follows. Our own changes find nothing left to follow. */
export async function followStore(services: Services, connections: ConnectionStore): Promise<void> {
  const { session } = services;
  const choice = await connections.read();
  const current = 'connection' in session ? session.connection : undefined;
  const same =
    choice.kind === 'stored'
      ? current?.id === choice.connection.id
      : choice.kind === 'demo'
        ? current?.isDemo === true
        : current === undefined;
  if (!same && services.session === session) await services.reload();
}
