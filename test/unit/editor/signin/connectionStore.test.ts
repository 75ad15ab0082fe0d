import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import { Secret } from '../../../../src/base/secret.ts';
import { ConnectionStore } from '../../../../src/editor/signin/connectionStore.ts';

/** Secret storage that keeps what it is given, or forgets it as a keyring that is locked. */
class Secrets implements SecretStorage {
  readonly held = new Map<string, string>();
  readonly #forgets: boolean;

  constructor(forgets = false) {
    this.#forgets = forgets;
  }

  readonly onDidChange: SecretStorage['onDidChange'] = () => ({ dispose() {} });

  keys(): Promise<string[]> {
    return Promise.resolve([...this.held.keys()]);
  }

  get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.held.get(name));
  }

  store(name: string, value: string): Promise<void> {
    if (!this.#forgets) this.held.set(name, value);
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.held.delete(name);
    return Promise.resolve();
  }
}

const text = 'abc_live_0123456789abcdef';

function connection(id: string, baseUrl: string) {
  return { id, name: id, baseUrl, key: new Secret(`${text}${id}`) };
}

describe('stored connections', () => {
  it('keeps a key in secret storage, under its own name, and nowhere in the index', async () => {
    const secrets = new Secrets();
    const store = new ConnectionStore(secrets);
    assert.deepEqual(await store.save(connection('one', 'https://one.example/api/v2')), { kept: true });
    const holding = [...secrets.held].filter(([, value]) => value.includes(text)).map(([name]) => name);
    assert.deepEqual(holding, ['reportLibrary.connection.one']);
    await store.signOut();
    assert.ok(![...secrets.held.values()].some((value) => value.includes(text)));
    assert.deepEqual(await store.read(), { kind: 'none' });
  });

  it('gives a key back with the address it was entered for', async () => {
    const store = new ConnectionStore(new Secrets());
    for (const id of ['one', 'two']) {
      await store.save(connection(id, `https://${id}.example/api/v2`));
      const choice = await store.read();
      assert.ok(choice.kind === 'stored');
      const { baseUrl, key } = choice.connection;
      assert.deepEqual([baseUrl, key.reveal()], [`https://${id}.example/api/v2`, `${text}${id}`]);
    }
  });

  it('keeps a key for this session where the keyring forgets it, and says so', async () => {
    const secrets = new Secrets(true);
    const store = new ConnectionStore(secrets);
    assert.deepEqual(await store.save(connection('one', 'https://one.example/api/v2')), { kept: false });
    assert.equal((await store.read()).kind, 'stored');
    assert.equal((await new ConnectionStore(secrets).read()).kind, 'fresh');
  });

  it('holds several, by name, and each can be used, renamed and removed by itself', async () => {
    const secrets = new Secrets();
    const store = new ConnectionStore(secrets);
    const [one, two] = ['one', 'two'].map((id) => connection(id, `https://${id}.example/api/v2`));
    assert.ok(one && two);
    await store.save(two);
    await store.save(one);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      ['one', 'two'],
    );
    await store.use(two);
    await store.rename('two', 'A name');
    assert.deepEqual(
      (await store.list()).map(({ name, baseUrl }) => [name, baseUrl]),
      [
        ['A name', two.baseUrl],
        ['one', one.baseUrl],
      ],
    );
    await store.remove('one');
    const choice = await store.read();
    assert.equal(choice.kind === 'stored' && choice.connection.id, 'two');
    assert.ok(![...secrets.held.values()].some((value) => value.includes(one.key.reveal())));
    await store.signOut();
    assert.deepEqual([await store.read(), await store.list()], [{ kind: 'none' }, []]);
  });

  it('takes nobody over another one’s connection: what two windows add is all there', async () => {
    const secrets = new Secrets();
    const [a, b] = [new ConnectionStore(secrets), new ConnectionStore(secrets)];
    await Promise.all([
      a.save(connection('one', 'https://one.example/api/v2')),
      b.save(connection('two', 'https://two.example/api/v2')),
    ]);
    assert.equal((await a.list()).length, 2);
  });

  it('tells a key that the keyring lost from a sign-out', async () => {
    const secrets = new Secrets();
    const store = new ConnectionStore(secrets);
    await store.save(connection('one', 'https://one.example/api/v2'));
    secrets.held.delete('reportLibrary.connection.one');
    assert.deepEqual(await new ConnectionStore(secrets).read(), { kind: 'lost', name: 'one' });
  });

  it('takes what it can not read for no connection', async () => {
    for (const value of ['', 'x', '[]', '{"version":2}', '{"version":1,"active":{"kind":"stored"}}']) {
      const secrets = new Secrets();
      secrets.held.set('reportLibrary.connections', value);
      assert.equal((await new ConnectionStore(secrets).read()).kind, 'fresh');
    }
    const secrets = new Secrets();
    const store = new ConnectionStore(secrets);
    await store.save(connection('one', 'https://one.example/api/v2'));
    secrets.held.set('reportLibrary.connection.one', '{"version":1,"name":"x","key":7}');
    assert.equal((await store.read()).kind, 'lost');
    assert.deepEqual(await store.list(), []);
  });
});
