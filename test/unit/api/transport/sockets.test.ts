import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/api/transport/errors.ts';
import { forbiddenAddress } from '../../../../src/api/transport/link.ts';
import { type ReadySocket, Sockets } from '../../../../src/api/transport/sockets.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { FakeSockets, nowhere } from '../../../support/fakeSockets.ts';

const api = 'https://reports.example.org';
const files = 'https://files.example';

/** Takes a socket, waiting for it to be opened where there is room. */
async function take(
  sockets: Sockets,
  origin = api,
  priority: 'interactive' | 'background' = 'interactive',
): Promise<ReadySocket | null> {
  const ready = await sockets.take(origin, priority);
  if (ready) return ready;
  await settled();
  await settled();
  return sockets.take(origin, priority);
}

/** Windows that share one state. */
function machine(state: SharedState = memoryState()) {
  const clock = new FakeClock();
  const window = () => {
    const made = new FakeSockets();
    const sockets = new Sockets({ state, scope: api, clock, logger: silentLogger, open: made.opener, onFree() {} });
    return { sockets, made };
  };
  return { clock, window };
}

async function takeAll(sockets: Sockets, origin = api): Promise<ReadySocket[]> {
  const taken: ReadySocket[] = [];
  for (;;) {
    const socket = await take(sockets, origin, 'interactive');
    if (!socket) return taken;
    taken.push(socket);
  }
}

describe('sockets', () => {
  it('are never more than 8 over all windows', async () => {
    const { window } = machine();
    const [one, two] = [window(), window()];
    const held: ReadySocket[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const socket = await take((turn % 2 === 0 ? one : two).sockets);
      if (socket) held.push(socket);
      assert.ok(one.made.open + two.made.open <= 8);
    }
    assert.equal(held.length, 8);
  });

  it('leave one place to interactive requests', async () => {
    const { window } = machine();
    const { sockets } = window();
    for (let turn = 0; turn < 7; turn++) assert.ok(await take(sockets, files, 'background'));
    assert.equal(await take(sockets, files, 'background'), null);
    assert.ok(await take(sockets, api, 'interactive'));
  });

  it('are used again while they are open, and closed when nobody needs them', async () => {
    const { clock, window } = machine();
    const { sockets, made } = window();
    const first = await take(sockets, api, 'interactive');
    const second = await take(sockets, api, 'interactive');
    assert.ok(first && second);
    sockets.giveBack(first);
    sockets.giveBack(second);
    assert.equal(await take(sockets, api, 'interactive'), first);
    sockets.giveBack(first);
    assert.equal(made.open, 2);
    await clock.advance(1500);
    assert.equal(made.open, 1);
    await clock.advance(4000);
    assert.equal(made.open, 0);
    assert.equal((await takeAll(window().sockets)).length, 8);
  });

  it('are opened ahead of the request, as many as are wanted and no more than three at once', async () => {
    const { window } = machine();
    const { sockets, made } = window();
    for (let turn = 0; turn < 5; turn++) assert.equal(await sockets.take(api, 'interactive', 2), null);
    await settled();
    await settled();
    assert.equal(made.open, 2);
    for (let turn = 0; turn < 9; turn++) await sockets.take(files, 'interactive', 20);
    await settled();
    await settled();
    assert.equal(made.open, 5);
  });

  it('that the server closed are not used again, and give their place back', async () => {
    const { window } = machine();
    const { sockets, made } = window();
    const [first, second] = [await take(sockets), await take(sockets)];
    assert.ok(first && second);
    sockets.giveBack(first);
    made.closeAll();
    assert.equal(await sockets.take(api, 'interactive'), null);
    sockets.giveBack(second);
    await settled();
    assert.equal(made.open, 1);
    assert.equal((await takeAll(window().sockets)).length, 4);
  });

  it('that can not be opened say why, once, and give their place back', async () => {
    const { clock, window } = machine();
    const { sockets } = window();
    await assert.rejects(take(sockets, nowhere), /refused/);
    assert.equal(await sockets.take(nowhere, 'interactive'), null);
    await settled();
    await clock.advance(2000);
    assert.equal(await sockets.take(nowhere, 'interactive'), null, 'nobody waits for an old failure');
    await settled();
    assert.equal((await takeAll(window().sockets)).length, 8);
  });

  it('to an address that may not be connected to are refused as that, not as a connection that failed', async () => {
    const open = () => Promise.reject(forbiddenAddress());
    const options = { state: memoryState(), scope: api, clock: new FakeClock(), logger: silentLogger };
    const sockets = new Sockets({ ...options, open, onFree() {} });
    await assert.rejects(take(sockets, files), ({ problem }: ApiError) => problem.kind === 'unexpected-shape');
  });

  it('make way for another host', async () => {
    const { window } = machine();
    const { sockets, made } = window();
    for (const socket of await takeAll(sockets)) sockets.giveBack(socket);
    assert.equal(await take(sockets, files, 'interactive'), null);
    await settled();
    assert.ok(await take(sockets, files, 'interactive'));
    assert.equal(made.open, 8);
  });

  it('of a window that still works stay its own, however long it works', async () => {
    const { clock, window } = machine();
    await takeAll(window().sockets);
    await clock.advance(10 * 60_000);
    assert.equal(await window().sockets.take(api, 'interactive'), null);
  });

  it('of a window that slept go to others, and it closes what it held idle when it wakes', async () => {
    const { clock, window } = machine();
    const one = window();
    for (const socket of await takeAll(one.sockets)) one.sockets.giveBack(socket);
    // A process that is suspended tells nothing; the clock goes on without it.
    clock.setBy(31_000);
    assert.equal((await takeAll(window().sockets)).length, 8);
    assert.equal(await one.sockets.take(api, 'interactive'), null, 'the lost share is not used again');
    assert.equal(one.made.open, 0);
  });

  it('in use go on when another window starts to work, and are then given up to its share', async () => {
    const { clock, window } = machine();
    const [one, two] = [window(), window()];
    const held = await takeAll(one.sockets);
    assert.equal(await take(two.sockets), null);
    await clock.advance(5000);
    assert.equal(one.made.open, 8, 'what is in use is not cut off');
    for (const socket of held.slice(0, 6)) one.sockets.giveBack(socket);
    await settled();
    assert.equal(one.made.open, 4);
    assert.equal((await takeAll(two.sockets)).length, 4);
    assert.equal(one.made.open + two.made.open, 8);
  });

  it('go round where more than eight windows work, one request each', async () => {
    const { clock, window } = machine();
    const windows = Array.from({ length: 10 }, window);
    const served = windows.map(() => 0);
    for (let round = 0; round < 40; round++) {
      for (const [index, { sockets }] of windows.entries()) {
        const socket = await take(sockets);
        if (socket) served[index] = (served[index] ?? 0) + 1;
        if (socket) sockets.giveBack(socket);
        assert.ok(windows.reduce((sum, { made }) => sum + made.open, 0) <= 8);
      }
      await clock.advance(600);
    }
    assert.ok(Math.min(...served) > 0, served.join());
  });

  it('are closed with the client, those in use too, and the places given back', async () => {
    const { window } = machine();
    const one = window();
    await takeAll(one.sockets);
    one.sockets.dispose();
    assert.equal(one.made.open, 0);
    assert.equal((await takeAll(window().sockets)).length, 8);
    await take(one.sockets, api, 'interactive');
    assert.equal(one.made.open, 0);
  });
});
