import assert from 'node:assert/strict';
import { existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import type { Library } from '../../../src/library/library.ts';
import { openLibrary } from '../../../src/library/library.ts';
import { type LibraryError, type LibraryProblem, libraryError } from '../../../src/library/libraryError.ts';
import { openDatabase } from '../../../src/library/sqlite/openDatabase.ts';
import { openStore } from '../../../src/library/sqlite/openStore.ts';
import type { LibraryStatus } from '../../../src/library/store.ts';
import { fileAt, setFileAside } from '../../../src/machine/sqliteFile.ts';
import { bring, look, openFile, temporaryDirectory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const script = new URL('../../../src/library/worker.ts', import.meta.url);
const holding = new URL('./support/holdingWorker.ts', import.meta.url);

const is = (problem: LibraryProblem) => (error: unknown) => (error as LibraryError).problem === problem;

describe('a damaged library in two windows', function () {
  this.timeout(20_000);
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;
  const open: Library[] = [];
  const told: (string | null)[] = [];

  const window = (pollInterval: number, worker = script): Library => {
    const library = openLibrary({ path, worker, pollInterval });
    library.onDidOpen(({ notice }: LibraryStatus) => told.push(notice));
    open.push(library);
    return library;
  };
  const damage = () => {
    const { size } = statSync(path);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(size, 0xff), 0, size, 0);
  };
  const bringOne = (library: Library, n: number) => library.applyReport(report(n), report(n).report_id);
  /** Asks until the window has gone over to the new file, or is closed. */
  const untilEmpty = async (library: Library) => {
    for (;;) {
      const listed = await library.totals().then(
        (totals) => totals.listed,
        (error) => (error as LibraryError).problem,
      );
      if (listed === 0 || listed === 'worker-stopped') return;
      await new Promise((done) => setImmediate(done));
    }
  };

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
    told.length = 0;
    const store = openFile(path);
    for (let n = 1; n <= 200; n++) bring(store, [report(n)]);
    store.close();
  });
  afterEach(async () => {
    for (const library of open.splice(0)) await library.dispose();
    directory.remove();
  });

  it('is set aside once; both go on with the new file, and are told', async () => {
    const here = window(0);
    const there = window(0);
    assert.equal((await here.totals()).listed, 200);
    assert.equal((await there.totals()).listed, 200);
    damage();
    await assert.rejects(here.reportIds({ state: 'all' }), is('corrupt'));
    await bringOne(here, 1);
    // The other window still has the damaged file open: what it finds there must not cost the new one.
    await assert.rejects(there.reportIds({ state: 'all' }), (error) =>
      /set aside/.test((error as LibraryError).message),
    );
    assert.equal((await there.report(3))?.report.report_key, report(1).report_key);
    await bringOne(there, 2);
    assert.equal((await here.totals()).listed, 2);
    assert.equal(readdirSync(directory.path).filter((name) => /damaged-\d+$/.test(name)).length, 1);
    for (const library of open.splice(0)) await library.dispose();
    assert.deepEqual(look(path, 'PRAGMA integrity_check'), [['ok']]);
  });

  it('is noticed by the window that meets no damage itself', async () => {
    const here = window(0);
    const there = window(10);
    assert.equal((await there.totals()).listed, 200);
    await here.totals();
    damage();
    await assert.rejects(here.reportIds({ state: 'all' }), is('corrupt'));
    told.length = 0;
    await here.totals();
    await untilEmpty(there);
    assert.equal(told.filter((notice) => /damaged/.test(notice ?? '')).length, 1);
  });

  it('which can’t be renamed while the other holds it: both let go, then begin anew', async () => {
    const here = window(0, holding);
    const there = window(10, holding);
    await there.totals();
    await here.totals();
    writeFileSync(`${path}.held`, '');
    damage();
    await assert.rejects(here.reportIds({ state: 'all' }), is('corrupt-held'));
    await assert.rejects(here.totals(), is('corrupt-held'));
    if (process.platform !== 'win32') assert.equal(statSync(`${path}.is-damaged`).mode & 0o777, 0o600);
    rmSync(`${path}.held`);
    await untilEmpty(there);
    await untilEmpty(here);
    await bringOne(here, 1);
    assert.equal((await there.totals()).listed, 1);
    assert.equal(existsSync(`${path}.is-damaged`), false);
  });
});

describe('a damaged library that another window replaces meanwhile', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;
  /** SQLite for a window in whose first opening of the file, once it has it open, another window does something. */
  const meanwhile = (act: () => void): typeof sqlite => {
    let left = 1;
    class Slow extends sqlite.DatabaseSync {
      constructor(...given: ConstructorParameters<typeof sqlite.DatabaseSync>) {
        super(...given);
        if (left-- > 0) act();
      }
    }
    return { ...sqlite, DatabaseSync: Slow };
  };
  const asideFiles = () => readdirSync(directory.path).filter((name) => name.includes('damaged'));
  const replace = () => {
    setFileAside(path, fileAt(path), 1, libraryError);
    const other = openFile(path);
    bring(other, [report(1)]);
    other.close();
  };

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
  });
  afterEach(() => directory.remove());

  it('is set aside once: the new file of the other window stays', () => {
    writeFileSync(path, 'this is no database'.repeat(500));
    const { db, setAside } = openDatabase({ path, sqlite: meanwhile(replace), now: () => 2 });
    assert.deepEqual(asideFiles(), ['library.db.damaged-1']);
    assert.equal(setAside, null);
    assert.equal(db.number('SELECT count(*) FROM reports'), 1);
    db.close();
  });

  it('is not taken for the new file, which a window would else move away when it finds the damage later', () => {
    openFile(path).close();
    const { db, file } = openDatabase({ path, sqlite: meanwhile(replace), now: () => 2 });
    assert.notEqual(file, fileAt(path));
    assert.equal(setFileAside(path, file, 3, libraryError), null);
    assert.deepEqual(asideFiles(), ['library.db.damaged-1']);
    db.close();
  });
});

describe('a place that can’t be written', () => {
  it('is told in plain words; the library holds nothing, and refuses what it can’t keep', async () => {
    const directory = temporaryDirectory();
    const blocked = join(directory.path, 'file');
    writeFileSync(blocked, '');
    const store = await openStore({ path: join(blocked, 'library.db'), now: () => 0 });
    assert.match(store.status.notice ?? '', /read-only, or the path is blocked/);
    assert.equal(store.report(3), null);
    assert.throws(() => store.applyReport(report(1), report(1).report_id), is('not-writable'));
    directory.remove();
  });

  it('does not lose a damaged file that is gone already', () => {
    const directory = temporaryDirectory();
    assert.match(setFileAside(join(directory.path, 'gone.db'), null, 5, libraryError) ?? '', /damaged-5$/);
    directory.remove();
  });
});
