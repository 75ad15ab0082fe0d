import assert from 'node:assert/strict';
import * as sqlite from 'node:sqlite';
import { openPages } from '../../../src/text/pagesFile.ts';
import { staleAfter, urgencies, WindowTable } from '../../../src/text/windows.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { call, find, TextWorld } from './support/texts.ts';

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
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), true);
    assert.equal(b.begin(urgencies.waiting, '/y.pdf'), false);
    assert.deepEqual([a.reading, b.reading], ['/x.pdf', '/x.pdf']);
    a.end();
    assert.equal(b.reading, null);
    assert.equal(b.begin(urgencies.waiting, '/y.pdf'), true);
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), false);
  });

  it('let the more urgent one go first: PDFs that a person asked for', () => {
    const [a, b] = [table('a'), table('b')];
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), true);
    assert.equal(b.begin(urgencies.asked, '/y.pdf'), false);
    a.end();
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), false);
    b.leave();
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), true);
  });

  it('take over from one that says nothing any more, and from a clock that was set back', async () => {
    const [a, b] = [table('a'), table('b')];
    assert.equal(a.begin(urgencies.asked, '/x.pdf'), true);
    await clock.advance(staleAfter - 1);
    assert.equal(b.begin(urgencies.waiting, '/y.pdf'), false);
    await clock.advance(1);
    assert.equal(b.reading, null);
    assert.equal(b.begin(urgencies.waiting, '/y.pdf'), true);
    clock.setBy(-86_400_000);
    assert.equal(a.begin(urgencies.waiting, '/x.pdf'), true);
  });

  it('keep once what two of them read, as one stood still meanwhile', async () => {
    const pdf = world.put('one.pdf', ['some words']);
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    world.reader.hold = () => {
      begun.resolve();
      return world.reader.paths.length === 1 ? goOn.promise : Promise.resolve();
    };
    const frozen = await world.lookingAt([pdf], { clock });
    await begun.promise;
    // The window stands still; another one thinks that it has gone.
    clock.setBy(staleAfter + 1);
    const other = await world.lookingAt([pdf], { clock });
    await world.settled(other);
    goOn.resolve();
    await world.settled(frozen);
    assert.equal(world.reader.paths.length, 2);
    for (const window of [frozen, other]) {
      assert.deepEqual(await call(window, 'held', null), [pdf.sha256]);
      assert.equal((await find(window, 'words')).length, 1);
    }
  });

  it('read what somebody asked for next, before what waits in whichever window', async () => {
    const [a1, a2, b1, b2] = ['a1', 'a2', 'b1', 'b2'].map((name, at) => world.put(`${name}.pdf`, [name], 10 - at));
    assert.ok(a1 && a2 && b1 && b2);
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.reader.hold = () => {
      begun.resolve();
      return goOn.promise;
    };
    const reading = await world.lookingAt([a1, a2], { clock });
    await begun.promise;
    const asking = await world.lookingAt([b1, b2], { clock });
    await clock.untilSleeping((ms) => ms === 1000);
    const asked = call(asking, 'readNow', [b2.sha256]);
    await clock.advance(1000);
    goOn.resolve();
    await world.until(async () => (await call(reading, 'coverage', null)).searchable === 1);
    await world.until(async () => {
      await clock.advance(1000);
      return world.reader.hashes.length === 4;
    });
    assert.deepEqual(await asked, [{ sha256: b2.sha256, status: 'read', pages: 1 }]);
    assert.deepEqual(world.reader.paths.slice(0, 2), [a1.path, b2.path]);
    assert.deepEqual(world.reader.paths.toSorted(), [a1, a2, b1, b2].map(({ path }) => path).toSorted());
  });
});
