import { randomUUID } from 'node:crypto';
import type { Connection } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { applicationSetting } from '../common/settings.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Connections } from './connections.ts';
import { keyringNotices } from './keyring.ts';
import { signIn } from './signIn.ts';

/** The connection that was in use last; the demo when that was, or when the user wants it at the first start. */
export async function storedConnection(
  connections: ConnectionStore,
  log: Log,
  demo: () => Promise<Connection>,
): Promise<Connection | null> {
  const choice = await connections.read();
  if (choice.kind === 'lost') keyringNotices.lost(choice.name);
  if (choice.kind === 'stored') {
    log.hide(choice.connection.key);
    return { ...choice.connection, isDemo: false };
  }
  const isWanted = choice.kind === 'fresh' && applicationSetting('reportLibrary.demo.openAtStart');
  return choice.kind === 'demo' || isWanted ? demo() : null;
}

/** Signs in with what the user types; nothing is stored before the service has answered for it. */
export async function signInWith(connections: Connections): Promise<void> {
  const { services, connections: store, createClient, log } = connections.context;
  const { session } = services;
  const refused = session.kind === 'keyRefused' && !session.connection.isDemo ? session.connection : undefined;
  const stored = await store.list();
  await signIn({
    previousBaseUrl: 'connection' in session && !session.connection.isDemo ? session.connection.baseUrl : undefined,
    names: stored.map(({ name }) => name),
    // The first one needs no name to tell it from others, and a key that is replaced keeps the name.
    asksName: stored.length > 0 && refused === undefined,
    replaces: (baseUrl, key) =>
      stored.find((one) => one.baseUrl === baseUrl && (one.key.reveal() === key.reveal() || one.id === refused?.id)),
    async accept({ id = randomUUID(), ...entered }) {
      const connection = { id, ...entered };
      log.hide(connection.key);
      // Connected before it is stored: the store's own change event then finds this window up to date.
      services.connect({ ...connection, isDemo: false });
      const { kept } = await store.save(connection);
      await connections.noteSaved(connection);
      return { kept };
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
