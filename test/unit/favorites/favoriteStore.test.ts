import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { FavoriteStore } from '../../../src/favorites/favoriteStore.ts';
import { type Favorite, joined } from '../../../src/favorites/favorites.ts';
import { temporaryFolder } from '../downloads/fixtures.ts';

const child = fileURLToPath(new URL('starringChild.ts', import.meta.url));
const star = (report_id: number | null): Favorite => ({ company_key: 'A', report_id, report_key: null });
const options = { clock: systemClock, logger: silentLogger };
const adding =
  (...more: Favorite[]) =>
  (items: readonly Favorite[]) =>
    joined([...items, ...more]);

describe('the favorites of a connection', () => {
  const home = temporaryFolder();
  const folder = () => join(home.path, 'storage', 'favorites');
  const stores: FavoriteStore[] = [];
  const window = () => {
    const store = new FavoriteStore(folder(), options);
    stores.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of stores.splice(0)) store.dispose();
  });

  it('are none at first, and then those that were starred, found by what they are of', async () => {
    const store = window();
    assert.deepEqual((await store.read('one.json')).items, []);
    await store.change('one.json', adding(star(7), star(null)));
    const favorites = await store.read('one.json');
    assert.deepEqual(favorites.items, [star(null), star(7)]);
    assert.ok(favorites.has({ company_key: 'Z', report_id: 7 }));
    assert.ok(favorites.has({ company_key: 'A', report_id: null }));
    assert.ok(!favorites.has({ company_key: 'A', report_id: 8 }));
    assert.deepEqual((await store.read('two.json')).items, []);
  });

  it('are for this user alone', async function () {
    if (process.platform === 'win32') this.skip();
    await window().change('one.json', adding(star(7)));
    assert.equal((await stat(folder())).mode & 0o777, 0o700);
    assert.equal((await stat(join(folder(), 'one.json'))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder()), ['one.json']);
  });

  it('are the same in every window: a change in one is told in the other', async () => {
    const [here, there] = [window(), window()];
    assert.deepEqual((await there.read('one.json')).items, []);
    const told = new Promise<void>((resolve) => there.onDidChange(resolve));
    await here.change('one.json', adding(star(7)));
    await told;
    assert.deepEqual((await there.read('one.json')).items, [star(7)]);
  });

  it('lose nothing when several windows star at once', async function () {
    this.timeout(60_000);
    const each = 15;
    const windows = [100, 200, 300].map((first) =>
      spawn(process.execPath, ['--no-warnings', child, folder(), 'one.json', `${first}`, `${each}`], {
        stdio: 'inherit',
      }),
    );
    const ends = await Promise.all(windows.map((started) => once(started, 'exit')));
    assert.deepEqual(
      ends.map(([code]) => code),
      [0, 0, 0],
    );
    const { items } = await window().read('one.json');
    assert.equal(items.length, 3 * each);
    assert.deepEqual(await readdir(folder()), ['one.json']);
  });

  it('are not changed when they would become too many', async () => {
    const store = window();
    await store.change('one.json', adding(star(1)));
    const many = Array.from({ length: 50_000 }, (_, index) => star(index + 2));
    await assert.rejects(store.change('one.json', adding(...many)), /at most 50000 favorites/);
    assert.deepEqual((await store.read('one.json')).items, [star(1)]);
  });

  it('stay on disk as they are when they can’t be understood', async () => {
    const store = window();
    await store.change('one.json', adding(star(1)));
    await writeFile(join(folder(), 'one.json'), '{"version": 1, "items": [');
    await assert.rejects(store.read('one.json'), /Can’t read your favorites/);
    await assert.rejects(store.change('one.json', adding(star(2))), /Can’t read your favorites/);
    assert.equal(await readFile(join(folder(), 'one.json'), 'utf8'), '{"version": 1, "items": [');
  });

  it('stay quick when there are 10,000', async function () {
    this.timeout(20_000);
    const store = window();
    const many = Array.from({ length: 10_000 }, (_, index) => star(index + 1));
    await store.change('one.json', adding(...many));
    await store.read('one.json');
    const start = process.cpuUsage();
    const worked = () => process.cpuUsage(start).user / 1000;
    await store.change('one.json', adding(star(10_001)));
    assert.equal((await store.read('one.json')).items.length, 10_001);
    const changed = worked();
    for (let look = 0; look < 100; look++) await store.read('one.json');
    const looked = worked() - changed;
    assert.ok(changed < 2_000 && looked < 1_000, `${changed} ms, ${looked} ms`);
  });
});
