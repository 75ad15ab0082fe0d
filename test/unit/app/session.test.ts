import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import type { Entitlements } from '../../../src/api/schemas/meta.ts';
import { ApiError } from '../../../src/api/transport/errors.ts';
import { type Connection, type LocalLibrary, Services, type Session } from '../../../src/app/session.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Secret } from '../../../src/base/secret.ts';
import { type LibraryChange, noChange } from '../../../src/library/libraryChange.ts';

const connection: Connection = {
  id: 'one',
  name: 'One',
  baseUrl: 'https://reports.example.com/api/v2',
  key: new Secret('rlk_test_live_0123456789'),
  isDemo: false,
};
const other: Connection = { ...connection, id: 'two', name: 'Two' };

const refused = new ApiError({ kind: 'unauthorized', cause: 'The key was refused.', nextStep: 'Replace it.' });
const missing = new ApiError({ kind: 'not-found', cause: 'There is no such report.', nextStep: 'Check the id.' });

interface Made {
  readonly connection: Connection;
  disposed: boolean;
}

/** Services over clients that only remember whether they were ended. */
function setUp(stored: Connection | null) {
  const made: Made[] = [];
  const asked: string[] = [];
  let reads = 0;
  const sessions: Session['kind'][] = [];
  const services = new Services({
    logger: silentLogger,
    async loadConnection() {
      reads += 1;
      return stored;
    },
    async openLibrary() {
      throw new Error('no library here');
    },
    async createClient(of) {
      const entry: Made = { connection: of, disposed: false };
      made.push(entry);
      const client: Pick<Client, 'dispose' | 'entitlements'> = {
        entitlements: async () => {
          asked.push(of.id);
          if (asked.length === 1) throw missing;
          return license;
        },
        dispose() {
          entry.disposed = true;
        },
      };
      return client as Client;
    },
  });
  services.onDidChangeSession((session) => sessions.push(session.kind));
  return { services, made, sessions, asked, reads: () => reads };
}

const license = { client_name: 'Licensee' } as Entitlements;

describe('Services', () => {
  it('asks for the license once a connection, whoever wants it, and not at all when the sign-in has read it', async () => {
    const { services, asked } = setUp(connection);
    await assert.rejects(services.entitlements(), missing);
    const all = await Promise.all([services.entitlements(), services.entitlements()]);
    assert.deepEqual([all, await services.entitlements(), asked], [[license, license], license, ['one', 'one']]);
    services.connect(other, { ...license, client_name: 'Other' });
    assert.equal((await services.entitlements()).client_name, 'Other');
    services.connect(connection);
    assert.equal((await services.entitlements()).client_name, 'Licensee');
    assert.deepEqual(asked, ['one', 'one', 'one']);
  });

  it('reads the stored connection once, and only when somebody asks', async () => {
    const { services, reads, sessions } = setUp(connection);
    assert.equal(services.session.kind, 'unknown');
    assert.equal(reads(), 0);
    await Promise.all([services.ready(), services.ready(), services.call(async () => undefined)]);
    assert.equal(reads(), 1);
    assert.deepEqual(sessions, ['signedIn']);
  });

  it('tells everybody who waits that reading failed, and reads again for the next one', async () => {
    let reads = 0;
    const services = new Services({
      logger: silentLogger,
      async loadConnection() {
        reads += 1;
        if (reads === 1) throw new Error('The keyring is locked.');
        return connection;
      },
      openLibrary: () => Promise.reject(new Error('Nobody asked for a library.')),
      createClient: () => Promise.reject(new Error('Nobody asked for a client.')),
    });
    const waiting = [services.ready(), services.ready()];
    for (const each of waiting) await assert.rejects(each, /The keyring is locked\./);
    assert.equal(reads, 1);
    assert.equal((await services.ready()).kind, 'signedIn');
  });

  it('makes one client per connection and ends it with the connection', async () => {
    const { services, made } = setUp(connection);
    await services.call(async () => undefined);
    await services.call(async () => undefined);
    assert.equal(made.length, 1);
    services.connect(other);
    await services.call(async () => undefined);
    assert.deepEqual(
      made.map((entry) => [entry.connection.id, entry.disposed]),
      [
        ['one', true],
        ['two', false],
      ],
    );
  });

  it('says so when nobody is signed in, without a client', async () => {
    const { services, made } = setUp(null);
    await assert.rejects(
      services.call(async () => undefined),
      /not signed in.*demo library/,
    );
    assert.equal(made.length, 0);
  });

  it('stops at a refused key: the session moves and nothing more is sent', async () => {
    const { services, made, sessions } = setUp(connection);
    let sent = 0;
    const send = () =>
      services.call(async () => {
        sent += 1;
        throw refused;
      });
    await assert.rejects(send(), refused);
    await assert.rejects(send(), /The key was refused/);
    assert.equal(sent, 1);
    assert.deepEqual(sessions, ['signedIn', 'keyRefused']);
    assert.equal(made[0]?.disposed, true);
  });

  it('notices a refused key in the middle of a list', async () => {
    const { services, sessions } = setUp(connection);
    const list = services.pages(async function* () {
      yield 1;
      throw refused;
    });
    await assert.rejects(async () => {
      for await (const page of list) assert.equal(page, 1);
    }, refused);
    assert.equal(sessions.at(-1), 'keyRefused');
  });

  it('keeps the session for every other problem', async () => {
    const { services, sessions } = setUp(connection);
    await assert.rejects(
      services.call(async () => {
        throw missing;
      }),
      missing,
    );
    assert.deepEqual(sessions, ['signedIn']);
  });

  it('knows whether the service could be reached last, and says so once when that changes', async () => {
    const { services } = setUp(connection);
    const seen: boolean[] = [];
    services.onDidChangeContact(() => seen.push(services.contact.isOffline));
    const unreachable = new ApiError({ kind: 'network', cause: 'There is no network.', nextStep: 'Try again later.' });
    const fails = (error: ApiError) =>
      assert.rejects(
        services.call(async () => {
          throw error;
        }),
        error,
      );
    await fails(unreachable);
    assert.deepEqual(services.contact, { isOffline: true, at: null });
    await fails(unreachable);
    await fails(missing);
    assert.equal(services.contact.isOffline, false, 'a refusal is an answer');
    assert.ok(services.contact.at !== null);
    await fails(unreachable);
    await services.call(async () => undefined);
    assert.deepEqual(seen, [true, false, true, false]);
    services.connect(other);
    assert.deepEqual(services.contact, { isOffline: false, at: null });
  });

  it('does not let a late refusal of an old key end a new session', async () => {
    const { services } = setUp(connection);
    let fail: (error: Error) => void = () => undefined;
    const late = services.call(() => new Promise((_, reject) => (fail = reject)));
    await services.call(async () => undefined);
    services.connect(other);
    fail(refused);
    await assert.rejects(late, refused);
    assert.equal(services.session.kind, 'signedIn');
  });

  it('tries to make a client again after that failed', async () => {
    let attempts = 0;
    const services = new Services({
      logger: silentLogger,
      loadConnection: async () => connection,
      async openLibrary() {
        throw new Error('no library here');
      },
      async createClient() {
        attempts += 1;
        throw new Error('no client');
      },
    });
    await assert.rejects(
      services.call(async () => undefined),
      /no client/,
    );
    await assert.rejects(
      services.call(async () => undefined),
      /no client/,
    );
    assert.equal(attempts, 2);
  });

  it('tells what changed in the library of the connection in use, and nothing of a former one', async () => {
    const changes = new Map<Connection, Emitter<LibraryChange>>();
    const services = new Services({
      logger: silentLogger,
      loadConnection: async () => connection,
      createClient: () => Promise.reject(new Error('Nobody asked for a client.')),
      async openLibrary(of) {
        const changed = new Emitter<LibraryChange>();
        changes.set(of, changed);
        const library = { onDidChange: changed.event };
        return { connection: of, library, dispose: async () => {} } as unknown as LocalLibrary;
      },
    });
    const told: string[] = [];
    services.onDidChangeLibrary(({ local }) => told.push(local.connection.id));
    await services.library();
    changes.get(connection)?.fire(noChange);
    assert.deepEqual(told, ['one']);
    services.connect(other);
    await services.library();
    changes.get(connection)?.fire(noChange);
    assert.deepEqual(told, ['one']);
    changes.get(other)?.fire(noChange);
    assert.deepEqual(told, ['one', 'two']);
  });

  describe('while something slow is under way', () => {
    function setUpSlow() {
      const loads: ((connection: Connection | null) => void)[] = [];
      const opens: { readonly connection: Connection; end(): void; disposed: boolean }[] = [];
      const services = new Services({
        logger: silentLogger,
        loadConnection: () => new Promise((resolve) => loads.push(resolve)),
        createClient: () => Promise.reject(new Error('Nobody asked for a client.')),
        openLibrary: (of) =>
          new Promise((resolve) => {
            const opened = {
              connection: of,
              disposed: false,
              end() {
                const dispose = async () => {
                  opened.disposed = true;
                };
                const library = { onDidChange: () => ({ dispose() {} }) };
                resolve({ connection: of, library, dispose } as unknown as LocalLibrary);
              },
            };
            opens.push(opened);
          }),
      });
      return { services, loads, opens };
    }

    it('keeps a sign-in that happened while the keyring was read', async () => {
      const { services, loads } = setUpSlow();
      const ready = services.ready();
      services.connect(other);
      loads[0]?.(connection);
      assert.deepEqual(await ready, { kind: 'signedIn', connection: other });
      assert.deepEqual(services.session, { kind: 'signedIn', connection: other });
    });

    it('keeps a sign-out that happened while another window’s sign-in was read', async () => {
      const { services, loads } = setUpSlow();
      services.connect(connection);
      const reload = services.reload();
      services.connect(null);
      loads[0]?.(other);
      assert.equal((await reload).kind, 'signedOut');
    });

    it('gives the library of who is signed in by then, and closes the one that came too late', async () => {
      const { services, opens } = setUpSlow();
      services.connect(connection);
      const asked = services.library();
      await services.ready();
      services.connect(other);
      opens[0]?.end();
      await services.settled();
      opens[1]?.end();
      assert.equal((await asked).connection, other);
      assert.deepEqual(
        opens.map(({ disposed }) => disposed),
        [true, false],
      );
    });
  });
});
