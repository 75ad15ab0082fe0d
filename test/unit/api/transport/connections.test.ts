import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Client } from 'undici';
import { type Connection, Connections } from '../../../../src/api/transport/connections.ts';
import type { LeaseHolder } from '../../../../src/base/leases.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';

const api = 'https://reports.example.org';
const files = 'https://files.example';
const nowhere = 'https://nowhere.example';

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly #onDestroy: () => void;

  constructor(onDestroy: () => void) {
    super();
    this.#onDestroy = onDestroy;
  }

  destroy(): void {
    this.destroyed = true;
    this.#onDestroy();
    this.emit('close');
  }
}

/** Takes a connection, waiting for it to be opened where there is a place. */
async function take(
  connections: Connections,
  origin = api,
  priority: 'interactive' | 'background' = 'interactive',
): Promise<Connection | null> {
  const ready = await connections.take(origin, priority);
  if (ready) return ready;
  await settled();
  await settled();
  return connections.take(origin, priority);
}

/** Windows that share one state, with clients that only remember whether they were destroyed. */
function machine(state: SharedState = memoryState()) {
  const clock = new FakeClock();
  const alive = new Set<number>();
  const window = (pid: number) => {
    alive.add(pid);
    const open = new Map<string, FakeSocket>();
    let opened = 0;
    const holder: LeaseHolder = { pid, host: 'here', ttl: 30_000, isAlive: (other) => alive.has(other) };
    const connections = new Connections({
      state,
      scope: api,
      clock,
      logger: silentLogger,
      holder,
      async open(origin) {
        await settled();
        if (origin === nowhere) throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
        const name = `${origin} ${++opened}`;
        open.set(name, new FakeSocket(() => open.delete(name)));
        return { client: { destroy: async () => {} } as Client, socket: open.get(name) as unknown as Socket };
      },
      onFree() {},
    });
    return { connections, open };
  };
  return { clock, alive, window };
}

async function takeAll(connections: Connections, origin = api): Promise<Connection[]> {
  const taken: Connection[] = [];
  for (;;) {
    const connection = await take(connections, origin, 'interactive');
    if (!connection) return taken;
    taken.push(connection);
  }
}

describe('connections', () => {
  it('are never more than 8 over all windows', async () => {
    const { window } = machine();
    const [one, two] = [window(1), window(2)];
    const held: Connection[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const connection = await take((turn % 2 === 0 ? one : two).connections);
      if (connection) held.push(connection);
      assert.ok(one.open.size + two.open.size <= 8);
    }
    assert.equal(held.length, 8);
  });

  it('leave one place to interactive requests', async () => {
    const { window } = machine();
    const { connections } = window(1);
    for (let turn = 0; turn < 7; turn++) assert.ok(await take(connections, files, 'background'));
    assert.equal(await take(connections, files, 'background'), null);
    assert.ok(await take(connections, api, 'interactive'));
  });

  it('are used again while they are open, and closed when nobody needs them', async () => {
    const { clock, window } = machine();
    const { connections, open } = window(1);
    const first = await take(connections, api, 'interactive');
    const second = await take(connections, api, 'interactive');
    assert.ok(first && second);
    connections.giveBack(first);
    connections.giveBack(second);
    assert.equal(await take(connections, api, 'interactive'), first);
    connections.giveBack(first);
    assert.equal(open.size, 2);
    await clock.advance(1500);
    assert.equal(open.size, 1);
    await clock.advance(4000);
    assert.equal(open.size, 0);
    assert.equal((await takeAll(window(2).connections)).length, 8);
  });

  it('are opened ahead of the request, as many as are wanted and no more than three at once', async () => {
    const { window } = machine();
    const { connections, open } = window(1);
    for (let turn = 0; turn < 5; turn++) assert.equal(await connections.take(api, 'interactive', 2), null);
    await settled();
    await settled();
    assert.equal(open.size, 2);
    for (let turn = 0; turn < 9; turn++) await connections.take(files, 'interactive', 20);
    await settled();
    await settled();
    assert.equal(open.size, 5);
  });

  it('that the server closed are not used again, and give their place back', async () => {
    const { window } = machine();
    const { connections, open } = window(1);
    const [first, second] = [await take(connections), await take(connections)];
    assert.ok(first && second);
    connections.giveBack(first);
    for (const socket of open.values()) socket.destroy();
    assert.equal(await connections.take(api, 'interactive'), null);
    connections.giveBack(second);
    await settled();
    assert.equal((await takeAll(window(2).connections)).length, 7);
  });

  it('that can not be opened say why, once, and give their place back', async () => {
    const { clock, window } = machine();
    const { connections } = window(1);
    await assert.rejects(take(connections, nowhere), /refused/);
    assert.equal(await connections.take(nowhere, 'interactive'), null);
    await settled();
    await clock.advance(2000);
    assert.equal(await connections.take(nowhere, 'interactive'), null, 'nobody waits for an old failure');
    await settled();
    assert.equal((await takeAll(window(2).connections)).length, 8);
  });

  it('make way for another host', async () => {
    const { window } = machine();
    const { connections, open } = window(1);
    for (const connection of await takeAll(connections)) connections.giveBack(connection);
    assert.equal(await take(connections, files, 'interactive'), null);
    await settled();
    assert.ok(await take(connections, files, 'interactive'));
    assert.equal(open.size, 8);
  });

  it('of a window that crashed are free at once', async () => {
    const { alive, window } = machine();
    await takeAll(window(1).connections);
    const two = window(2);
    assert.equal(await take(two.connections, api, 'interactive'), null);
    alive.delete(1);
    assert.equal((await takeAll(two.connections)).length, 8);
  });

  it('of a window that still works stay its own, however long it works', async () => {
    const { clock, window } = machine();
    await takeAll(window(1).connections);
    await clock.advance(10 * 60_000);
    assert.equal(await window(2).connections.take(api, 'interactive'), null);
  });

  it('of a window that slept go to others, and it closes its sockets when it wakes', async () => {
    const state = memoryState();
    let asleep = false;
    // A process that is suspended renews nothing; its clock goes on without it.
    const sleepy: SharedState = {
      ...state,
      update: (name, change) => (asleep ? Promise.reject(new Error('suspended')) : state.update(name, change)),
    };
    const { clock, window } = machine(sleepy);
    const one = window(1);
    const [first] = await takeAll(one.connections);
    assert.ok(first);
    one.connections.giveBack(first);
    asleep = true;
    clock.setBy(31_000);
    asleep = false;
    const two = window(2);
    assert.equal((await takeAll(two.connections)).length, 8);
    assert.equal(await take(one.connections, api, 'interactive'), null, 'the lost place is not used again');
    await clock.advance(10_000);
    assert.equal(one.open.size, 0);
  });

  it('are closed with the client, those in use too, and the places given back', async () => {
    const { window } = machine();
    const one = window(1);
    await takeAll(one.connections);
    await one.connections.dispose();
    assert.equal(one.open.size, 0);
    assert.equal((await takeAll(window(2).connections)).length, 8);
    await take(one.connections, api, 'interactive');
    assert.equal(one.open.size, 0);
  });
});
