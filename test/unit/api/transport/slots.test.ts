import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Slot, Slots, shareSlots } from '../../../../src/api/transport/slots.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { FakeWires, nowhere } from '../../../support/fakeWires.ts';

const api = 'https://reports.example.org';
const files = 'https://files.example';
const start = Date.parse('2026-03-01T12:00:00Z');

/** Takes a slot, waiting for another origin's to make way, and for its connection to open. */
async function take(
  slots: Slots,
  origin = api,
  priority: 'interactive' | 'background' = 'interactive',
): Promise<Slot | null> {
  for (let look = 0; look < 3; look++) {
    const slot = slots.use(origin);
    if (slot) return slot;
    slots.prepare(origin, priority, 1);
    await settled();
    await settled();
  }
  return slots.use(origin);
}

/** Windows that share one state. */
function machine(state: SharedState = memoryState()) {
  const clock = new FakeClock();
  const failed: string[] = [];
  const onFail = (origin: string) => void failed.push(origin);
  const window = () => {
    const made = new FakeWires();
    const slots = new Slots({
      state,
      scope: api,
      clock,
      logger: silentLogger,
      ...{ connect: made.make, onFree() {}, onFail },
    });
    return { slots, made };
  };
  return { clock, failed, window };
}

async function takeAll(slots: Slots, origin = api): Promise<Slot[]> {
  const taken: Slot[] = [];
  for (;;) {
    const slot = await take(slots, origin, 'interactive');
    if (!slot) return taken;
    taken.push(slot);
  }
}

describe('slots', () => {
  it('are never more than 8 over all windows', async () => {
    const { window } = machine();
    const [one, two] = [window(), window()];
    const held: Slot[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const slot = await take((turn % 2 === 0 ? one : two).slots);
      if (slot) held.push(slot);
      assert.ok(one.made.open + two.made.open <= 8);
    }
    assert.equal(held.length, 8);
  });

  it('are granted to a window that asks for several at once while others have theirs', async () => {
    for (const others of [1, 2, 3, 4]) {
      const state = memoryState();
      // As with a file: all have asked before the first is answered.
      const asked: (() => void)[] = [];
      const late: SharedState = {
        ...state,
        update: (name, change) =>
          new Promise((resolve) => {
            asked.push(() => resolve(state.update(name, change)));
            if (asked.length > 1) return;
            void settled().then(() => {
              for (const answer of asked.splice(0)) answer();
            });
          }),
      };
      const { window } = machine(late);
      for (let other = 0; other < others; other++) assert.ok(await take(window().slots));
      const { slots, made } = window();
      let slot: Slot | null = null;
      for (let look = 0; look < 5 && !slot; look++) {
        slots.prepare(api, 'interactive', 5);
        await settled();
        await settled();
        slot = slots.use(api);
      }
      assert.ok(slot, `beside ${others}`);
      assert.ok(made.open <= Math.max(1, Math.floor(8 / (others + 1))), `${made.open} beside ${others}`);
    }
  });

  it('leave one place to interactive requests', async () => {
    const { window } = machine();
    const { slots } = window();
    for (let turn = 0; turn < 7; turn++) assert.ok(await take(slots, files, 'background'));
    assert.equal(await take(slots, files, 'background'), null);
    assert.ok(await take(slots, api, 'interactive'));
  });

  it('are used again while they are open, and closed when nobody needs them', async () => {
    const { clock, window } = machine();
    const { slots, made } = window();
    const [first, second] = [await take(slots), await take(slots)];
    assert.ok(first && second);
    slots.giveBack(first);
    slots.giveBack(second);
    assert.equal(await take(slots), first);
    slots.giveBack(first);
    await clock.advance(3000);
    assert.equal(made.open, 2);
    await clock.advance(2000);
    assert.equal(made.open, 0);
    assert.equal((await takeAll(window().slots)).length, 8);
  });

  it('are opened ahead of the requests, as many as are wanted and no more than three at once', async () => {
    const { window } = machine();
    const { slots, made } = window();
    for (let turn = 0; turn < 5; turn++) slots.prepare(api, 'interactive', 2);
    await settled();
    await settled();
    assert.equal(made.open, 2);
    for (let turn = 0; turn < 9; turn++) slots.prepare(files, 'interactive', 20);
    await settled();
    await settled();
    assert.equal(made.open, 5);
    assert.ok(slots.use(files));
    assert.equal(made.open, 5, 'one of them is used');
  });

  it('that can not be opened are told of, and give their place back', async () => {
    const { clock, failed, window } = machine();
    const { slots, made } = window();
    slots.prepare(nowhere, 'interactive', 3);
    await clock.advance(5000);
    assert.equal(made.open, 0);
    assert.deepEqual(failed, [nowhere, nowhere, nowhere]);
    assert.equal((await takeAll(slots)).length, 8);
  });

  it('make way for another host', async () => {
    const { window } = machine();
    const { slots, made } = window();
    for (const slot of await takeAll(slots)) slots.giveBack(slot);
    assert.ok(await take(slots, files));
    assert.equal(made.open, 8);
  });

  it('of a window that still works stay its own, however long it works', async () => {
    const { clock, window } = machine();
    await takeAll(window().slots);
    await clock.advance(10 * 60_000);
    assert.equal(await take(window().slots), null);
  });

  it('of a window that slept go to others, and it closes what it held when it wakes, in use or not', async () => {
    const { clock, window } = machine();
    const [one, still] = [window(), window()];
    const held = await takeAll(one.slots);
    for (const slot of held.slice(2)) one.slots.giveBack(slot);
    // A process that is suspended tells nothing; the clock goes on without it.
    clock.setBy(31_000);
    assert.equal((await takeAll(window().slots)).length, 8);
    assert.equal(await take(one.slots), null, 'the lost share is not used again');
    assert.equal(one.made.open, 0);
    for (const slot of held.slice(0, 2)) one.slots.giveBack(slot);
    assert.equal(await take(one.slots), null);
    assert.equal(await take(still.slots), null);
    clock.setBy(31_000);
    assert.equal((await takeAll(still.slots)).length, 8);
  });

  it('in use are cut off by a window that slept also when it asks for nothing more', async () => {
    const { clock, window } = machine();
    const one = window();
    for (const slot of (await takeAll(one.slots)).slice(2)) one.slots.giveBack(slot);
    clock.setBy(31_000);
    const others = await takeAll(window().slots);
    await clock.advance(1000);
    assert.equal(others.length, 8);
    assert.equal(one.made.open, 0);
  });

  it('in use go on where nobody took the share of a window that slept, or whose clock was set forward', async () => {
    const { clock, window } = machine();
    const one = window();
    await takeAll(one.slots);
    clock.setBy(31_000);
    await clock.advance(5000);
    assert.equal(one.made.open, 8);
  });

  it('in use within the limit go on when another window asks while the limit is lower', async () => {
    const { clock, window } = machine({ ...memoryState(), share: 0.25 });
    const [one, two] = [window(), window()];
    assert.equal((await takeAll(one.slots)).length, 2);
    assert.equal(await take(two.slots), null);
    await clock.advance(5000);
    assert.equal(one.made.open, 2);
  });

  it('in use are cut off beyond a share that is less because a window sees none of the others', async () => {
    let share = 1;
    const { clock, window } = machine({
      ...memoryState(),
      get share() {
        return share;
      },
    });
    const one = window();
    const [first] = await takeAll(one.slots);
    assert.ok(first);
    one.slots.giveBack(first);
    share = 0.25;
    await clock.advance(1000);
    assert.equal(one.made.open, 2);
    assert.equal(one.slots.use(api), null, 'what was idle goes first');
    await clock.advance(10_000);
    assert.equal(one.made.open, 2);
  });

  it('in use go on when another window starts to work, and are then given up to its share', async () => {
    const { clock, window } = machine();
    const [one, two] = [window(), window()];
    const held = await takeAll(one.slots);
    assert.equal(await take(two.slots), null);
    await clock.advance(5000);
    assert.equal(one.made.open, 8, 'what is in use is not cut off');
    for (const slot of held.slice(0, 6)) one.slots.giveBack(slot);
    await settled();
    assert.equal(one.made.open, 4);
    assert.equal((await takeAll(two.slots)).length, 4);
    assert.equal(one.made.open + two.made.open, 8);
  });

  it('go round where more than eight windows work, one request each', async () => {
    const { clock, window } = machine();
    const windows = Array.from({ length: 10 }, window);
    const served = windows.map(() => 0);
    for (let round = 0; round < 40; round++) {
      for (const [index, { slots }] of windows.entries()) {
        const slot = await take(slots);
        if (slot) served[index] = (served[index] ?? 0) + 1;
        if (slot) slots.giveBack(slot);
        assert.ok(windows.reduce((sum, { made }) => sum + made.open, 0) <= 8);
      }
      await clock.advance(600);
    }
    assert.ok(Math.min(...served) > 0, served.join());
  });

  it('are closed with the client, those in use too, and the places given back', async () => {
    const { window } = machine();
    const one = window();
    await takeAll(one.slots);
    one.slots.dispose();
    assert.equal(one.made.open, 0);
    assert.equal((await takeAll(window().slots)).length, 8);
    await take(one.slots, api, 'interactive');
    assert.equal(one.made.open, 0);
  });
});

describe('the shares of windows', () => {
  /** What windows may hold that ask one after the other, each for one more, until none gets another. */
  function divided(windows: number, rounds = 20, share = 1): readonly number[] {
    let stored: unknown;
    const held = Array.from({ length: windows }, () => 0);
    for (let round = 0; round < rounds; round++) {
      held.forEach((sockets, index) => {
        const wish = { id: `${index}`, sockets, wants: 'interactive', share } as const;
        const { store, granted } = shareSlots(stored, wish, start + round);
        stored = JSON.parse(JSON.stringify(store));
        if (granted) held[index] = sockets + 1;
      });
    }
    return held;
  }

  it('are divided evenly among the windows that work, at least one each while there are eight', () => {
    assert.deepEqual(divided(1), [8]);
    assert.deepEqual(divided(2), [4, 4]);
    assert.deepEqual(divided(3), [2, 2, 2]);
    assert.deepEqual(divided(8), [1, 1, 1, 1, 1, 1, 1, 1]);
    assert.deepEqual(divided(1, 20, 0.25), [2]);
  });

  it('are never more than 8, so that the ninth window waits until another has given one up', () => {
    const held = divided(10);
    assert.equal(
      held.reduce((sum, sockets) => sum + sockets),
      8,
    );
    let { store } = shareSlots(undefined, { id: 'a', sockets: 7, wants: 'interactive', share: 1 }, start);
    const late = { id: 'b', sockets: 0, wants: 'interactive', share: 1 } as const;
    const refused = shareSlots(store, late, start);
    assert.deepEqual([refused.granted, refused.share], [false, 4]);
    // The first hears of it, keeps what is in use, and gives the rest up.
    store = shareSlots(refused.store, { id: 'a', sockets: 7, wants: null, share: 1 }, start + 1).store;
    assert.equal(shareSlots(store, late, start + 2).granted, true);
  });

  it('count no window whose process is gone', () => {
    const wish = { sockets: 0, wants: 'interactive', share: 1 } as const;
    const { store } = shareSlots(undefined, { ...wish, id: 'killed', sockets: 7 }, start);
    assert.equal(shareSlots(store, { ...wish, id: 'b' }, start).granted, false);
    const after = shareSlots(store, { ...wish, id: 'b' }, start, (id) => id === 'killed');
    assert.deepEqual([after.granted, after.share, Object.keys(after.store)], [true, 8, ['b']]);
  });

  it('leave one to interactive requests, in whichever window', () => {
    const { store } = shareSlots(undefined, { id: 'a', sockets: 6, wants: 'background', share: 1 }, start);
    const wish = { sockets: 7, share: 1 };
    assert.equal(shareSlots(store, { ...wish, id: 'a', wants: 'background' }, start).granted, false);
    assert.equal(shareSlots(store, { ...wish, id: 'a', wants: 'interactive' }, start).granted, true);
    assert.equal(shareSlots(store, { id: 'b', sockets: 0, wants: 'background', share: 1 }, start).granted, false);
    assert.equal(shareSlots(store, { id: 'b', sockets: 0, wants: 'interactive', share: 1 }, start).granted, true);
  });

  it('of a window that has not been heard of for 15 s count no more, those of one that holds none neither', () => {
    const { store } = shareSlots(undefined, { id: 'a', sockets: 7, wants: 'interactive', share: 1 }, start);
    const late = { id: 'b', sockets: 0, wants: 'interactive', share: 1 } as const;
    assert.equal(shareSlots(store, late, start + 14_999).share, 4);
    assert.equal(shareSlots(store, late, start + 15_000).share, 8);
    const gone = shareSlots(store, { id: 'a', sockets: 0, wants: null, share: 1 }, start + 1);
    assert.deepEqual(gone.store, {});
  });

  it('are a part of the limit, together, while a window is at work that can not see them', () => {
    assert.deepEqual(divided(1, 20, 0.25), [2]);
    assert.deepEqual(divided(3, 20, 0.25), [1, 1, 0]);
  });

  it('are a part of the limit where the others can not be seen, whatever was known of them', async () => {
    const state = memoryState();
    await takeAll(machine(state).window().slots);
    const { window } = machine({ ...state, share: 0.25, isBlind: true });
    assert.equal((await takeAll(window().slots)).length, 2);
  });

  it('are divided anew when what is stored makes no sense', () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const wish = { id: 'a', sockets: 0, wants: 'interactive', share: 1 } as const;
        assert.equal(shareSlots(stored, wish, start).granted, true);
      }),
    );
  });
});
