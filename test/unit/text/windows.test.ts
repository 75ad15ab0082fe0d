import assert from 'node:assert/strict';
import * as sqlite from 'node:sqlite';
import { openPages } from '../../../src/text/pagesFile.ts';
import { staleAfter, urgencies, WindowTable } from '../../../src/text/windows.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { call, TextWorld } from './support/texts.ts';

describe('the windows that read PDFs', () => {
  let world: TextWorld;
  let clock: FakeClock;
  const stores: { close(): void }[] = [];
  const table = (name: string) => {
    const store = openPages({ path: world.path, sqlite, now: () => clock.now() });
    stores.push(store);
    return new WindowTable(store.db, `another-machine 1 ${name}`, () => clock.now());
  };
  beforeEach(() => {
    world = new TextWorld();
    clock = new FakeClock();
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
    world.remove();
  });

  it('take turns, one at a time', () => {
    const [a, b] = [table('a'), table('b')];
    const turn = a.acquire(urgencies.waiting, '/x.pdf');
    assert.equal(turn, 1);
    assert.equal(b.acquire(urgencies.waiting, '/x.pdf'), null);
    assert.equal(b.reading, '/x.pdf');
    a.release(1);
    assert.equal(b.reading, null);
    assert.equal(b.acquire(urgencies.waiting, '/x.pdf'), 2);
    assert.deepEqual([a.renew(1), a.holds(1), b.renew(2)], [false, false, true]);
  });

  it('let the more urgent one go first: asked for before focused before others', () => {
    const [a, b] = [table('a'), table('b')];
    assert.equal(a.acquire(urgencies.waiting, '/x.pdf'), 1);
    b.beat(urgencies.focused);
    assert.equal(a.isOutranked(urgencies.waiting), true);
    assert.equal(a.isOutranked(urgencies.focused), false);
    a.release(1);
    assert.equal(a.acquire(urgencies.waiting, '/x.pdf'), null);
    assert.equal(a.acquire(urgencies.asked, '/x.pdf'), 2);
    a.release(2);
    b.beat(urgencies.none);
    assert.equal(a.acquire(urgencies.waiting, '/x.pdf'), 3);
  });

  it('take over from one that says nothing any more, and from a clock that was set back', async () => {
    const [a, b] = [table('a'), table('b')];
    a.beat(urgencies.asked);
    assert.equal(a.acquire(urgencies.asked, '/x.pdf'), 1);
    await clock.advance(staleAfter - 1);
    assert.equal(b.acquire(urgencies.waiting, '/x.pdf'), null);
    await clock.advance(1);
    assert.equal(b.isOutranked(urgencies.waiting), false);
    assert.equal(b.acquire(urgencies.waiting, '/x.pdf'), 2);
    clock.setBy(-86_400_000);
    assert.equal(a.acquire(urgencies.waiting, '/x.pdf'), 3);
  });

  it('keep nothing that was read by one whose turn was over', async () => {
    const pdf = world.put('one.pdf', ['some words']);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    world.reader.hold = () => {
      begun.resolve();
      return goOn.promise;
    };
    const frozen = await world.lookingAt([pdf], { clock });
    await begun.promise;
    // The window stands still; another one thinks that it has gone.
    const other = table('other');
    clock.setBy(staleAfter + 1);
    const turn = other.acquire(urgencies.waiting, '/x.pdf');
    assert.ok(turn);
    goOn.resolve();
    await world.until(() => clock.slept.includes(1000));
    assert.deepEqual(await call(frozen, 'held', null), []);
    assert.equal((await call(frozen, 'coverage', null)).waiting, 1);
    other.release(turn);
    await clock.advance(1000);
    await world.settled(frozen);
    assert.deepEqual(await call(frozen, 'held', null), [pdf.sha256]);
  });

  it('read on where the one that is looked at has something to read', async () => {
    const pdfs = ['a', 'b', 'c', 'd'].map((name, at) => world.put(`${name}.pdf`, [`words of ${name}`], 10 - at));
    const held = new Map<string, () => void>();
    world.reader.hold = (path) => new Promise((resolve) => held.set(path, resolve));
    const background = world.window();
    await call(background, 'setHere', pdfs.slice(0, 3));
    await call(background, 'setWindow', { focused: false, enabled: true });
    await world.until(() => held.has(pdfs[0]?.path ?? ''));
    const focused = world.window();
    await call(focused, 'setHere', pdfs.slice(3));
    await call(focused, 'setWindow', { focused: true, enabled: true });
    for (const pdf of [pdfs[0], pdfs[3], pdfs[1], pdfs[2]]) {
      const path = pdf?.path ?? '';
      await world.until(() => held.has(path));
      held.get(path)?.();
    }
    await world.settled(background);
    const order = world.reader.paths.map((path) => path.slice(-5, -4));
    assert.deepEqual(order, ['a', 'd', 'b', 'c']);
  });
});
