import assert from 'node:assert/strict';
import { FakeClock } from '../../support/fakeClock.ts';
import { call, find, TextWorld } from './support/texts.ts';

describe('the windows that read PDFs', () => {
  let world: TextWorld;
  let clock: FakeClock;
  beforeEach(() => {
    world = new TextWorld();
    clock = new FakeClock();
  });
  afterEach(() => world.remove());

  /** Resolves with the path of the next file that a window begins to read, which is held until `goOn`. */
  const holdReading = () => {
    const [begun, goOn] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
    world.reader.hold = (path) => {
      begun.resolve(path);
      return goOn.promise;
    };
    return { begun: begun.promise, goOn: goOn.resolve };
  };

  it('read one at a time', async () => {
    const pdfs = [1, 2, 3, 4, 5, 6].map((n) => world.put(`${n}.pdf`, [`number ${n}`]));
    let reading = 0;
    world.reader.hold = async () => {
      reading += 1;
      assert.equal(reading, 1);
      await clock.sleep(100);
      reading -= 1;
    };
    const windows = await Promise.all([pdfs, pdfs.toReversed()].map((here) => world.lookingAt(here, { clock })));
    await world.until(async () => {
      await clock.advance(100);
      const coverages = await Promise.all(windows.map((window) => call(window, 'coverage', null)));
      assert.ok(coverages.filter((coverage) => coverage.reading !== null).length <= 1);
      return coverages.every(({ waiting }) => waiting === 0);
    });
    assert.equal(world.reader.hashes.length, pdfs.length);
  });

  it('wait for one that reads, and show what they read themselves', async () => {
    const [one, two] = [world.put('one.pdf', ['one']), world.put('two.pdf', ['two'])];
    const { begun, goOn } = holdReading();
    const first = await world.lookingAt([one], { clock });
    assert.equal(await begun, one.path);
    const second = await world.lookingAt([two], { clock });
    await clock.untilSleeping((ms) => ms === 1000);
    // Reading is renewed for as long as it lasts.
    await clock.advance(60_000);
    assert.deepEqual((await call(first, 'coverage', null)).reading, { path: one.path });
    assert.equal((await call(second, 'coverage', null)).reading, null);
    goOn();
    await world.until(() => world.reader.hashes.length === 1);
    await clock.advance(1000);
    await world.settled(second);
    assert.deepEqual(world.reader.paths, [one.path, two.path]);
  });

  it('keep once what two of them read, as one stood still meanwhile', async () => {
    const pdf = world.put('one.pdf', ['some words']);
    const before = holdReading();
    const frozen = await world.lookingAt([pdf], { clock });
    await before.begun;
    // The window stands still; another one thinks that it has gone.
    clock.setBy(15_001);
    const after = holdReading();
    const other = await world.lookingAt([pdf], { clock });
    await after.begun;
    // The first one goes on, and finds that it was taken over from.
    await clock.advance(5000);
    await world.until(async () => (await call(frozen, 'coverage', null)).reading === null);
    assert.deepEqual((await call(other, 'coverage', null)).reading, { path: pdf.path });
    after.goOn();
    await world.settled(other);
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
    const { begun, goOn } = holdReading();
    const reading = await world.lookingAt([a1, a2], { clock });
    await begun;
    const asking = await world.lookingAt([b1, b2], { clock });
    await clock.untilSleeping((ms) => ms === 1000);
    const asked = call(asking, 'readNow', [b2.sha256]);
    await clock.advance(1000);
    goOn();
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
