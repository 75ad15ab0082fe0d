import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { LibraryError } from '../../../src/library/libraryError.ts';
import { libraryVersion } from '../../../src/library/libraryName.ts';
import { openDatabase } from '../../../src/library/sqlite/openDatabase.ts';
import { openStore } from '../../../src/library/sqlite/openStore.ts';
import {
  checkShape,
  chooseJournal,
  problemOfError,
  SqliteConnection,
  walIsSafe,
} from '../../../src/machine/sqliteFile.ts';
import { bring, following, look, openFile, temporaryDirectory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

describe('the library file', function () {
  this.timeout(20_000);
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'deeper', 'library.db');
  });
  afterEach(() => directory.remove());

  it('is the user’s own: directory 0700, files 0600', () => {
    const store = openFile(path);
    bring(store, [report(1)]);
    assert.equal(statSync(join(directory.path, 'deeper')).mode & 0o777, 0o700);
    for (const name of readdirSync(join(directory.path, 'deeper'))) {
      assert.equal(statSync(join(directory.path, 'deeper', name)).mode & 0o777, 0o600, name);
    }
    store.close();
  });

  it('is still there after it was closed', () => {
    const first = openFile(path);
    bring(first, [report(1), report(2)]);
    first.close();
    const second = openFile(path);
    assert.deepEqual(second.report(3)?.report, report(1));
    assert.equal(second.reports({ text: 'report' }, { limit: 10 }).items.length > 0, true);
    second.close();
    assert.deepEqual(look(path, 'PRAGMA user_version'), [[libraryVersion]]);
  });

  it('takes less than 0.8 of the JSON, everything included', () => {
    const store = openFile(path);
    const all = Array.from({ length: 5000 }, (_, index) => report(index + 1));
    for (let at = 0; at < all.length; at += 200) bring(store, all.slice(at, at + 200));
    store.close();
    const json = all.reduce((sum, { other: _, ...given }) => sum + Buffer.byteLength(JSON.stringify(given)), 0);
    assert.ok(statSync(path).size < json * 0.8, `${statSync(path).size} of ${json}`);
  });

  it('of another version than its name says is set aside', () => {
    const store = openFile(path);
    bring(store, [report(1)]);
    store.close();
    look(path, `PRAGMA user_version = ${libraryVersion + 1}`);
    const begun = openFile(path);
    const { setAside } = begun.status;
    assert.ok(setAside);
    assert.equal(begun.totals().listed, 0);
    begun.close();
    assert.deepEqual(look(setAside, 'SELECT count(*) FROM reports'), [[1]]);
    assert.deepEqual(look(path, 'PRAGMA user_version'), [[libraryVersion]]);
    // At the very same time once more: what was set aside before stays.
    look(path, `PRAGMA user_version = ${libraryVersion + 1}`);
    const again = openFile(path);
    assert.equal(again.status.setAside, `${setAside}-1`);
    again.close();
    assert.deepEqual(look(setAside, 'SELECT count(*) FROM reports'), [[1]]);
  });

  it('leaves the file of another version as it is, and begins empty beside it', () => {
    const file = (version: number) => join(directory.path, `${'a'.repeat(32)}.v${version}.sqlite`);
    writeFileSync(file(libraryVersion - 1), 'of an earlier version');
    const store = openFile(file(libraryVersion));
    assert.deepEqual([store.status.notice, store.totals().listed, store.syncRecord().phase], [null, 0, 'empty']);
    store.close();
    assert.equal(readFileSync(file(libraryVersion - 1), 'utf8'), 'of an earlier version');
  });

  it('is set aside, though it can be read, when it has lost a table or another window marked it as damaged', () => {
    for (const spoil of [() => look(path, 'DROP TABLE companies'), () => writeFileSync(`${path}.is-damaged`, '')]) {
      openFile(path).close();
      spoil();
      const store = openFile(path);
      assert.ok(store.status.setAside);
      assert.equal(bring(store, [report(1)]).counts.added, 1);
      store.close();
      assert.equal(existsSync(`${path}.is-damaged`), false);
    }
  });

  it('leaves alone what is in its place and no damaged library', () => {
    mkdirSync(path, { recursive: true });
    assert.throws(
      () => openFile(path),
      (error) => error instanceof LibraryError && error.problem === 'not-writable',
    );
    assert.deepEqual(readdirSync(join(directory.path, 'deeper')), ['library.db']);
  });

  it('forgets what was logged long ago', () => {
    const store = openFile(path);
    following(store);
    bring(store, [report(1)]);
    store.close();
    // The log as it is after many changes: the oldest of 20,000 that are kept is number 501 once number 20,500 is noted.
    look(path, "UPDATE sqlite_sequence SET seq = 20499 WHERE name = 'changes'");
    look(path, 'INSERT INTO changes(seq, at, kind, report_id) VALUES (500, 0, 0, 3), (501, 0, 0, 3)');
    const again = openFile(path);
    bring(again, [report(2)]);
    assert.deepEqual(
      again.changes({ limit: 10 }).map(({ seq }) => seq),
      [20_500, 501],
    );
    again.close();
  });

  for (const [damage, spoil] of [
    ['is no database', () => Buffer.from('this is no database'.repeat(500))],
    ['has lost its schema', (bytes: Buffer) => bytes.fill(0xff, 100, 4096)],
    ['was cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
  ] as const) {
    it(`is set aside and begun anew when it ${damage}`, () => {
      const store = openFile(path);
      bring(store, [report(1)]);
      store.close();
      const spoilt = spoil(readFileSync(path));
      writeFileSync(path, spoilt);
      const rebuilt = openFile(path);
      const { setAside, notice } = rebuilt.status;
      assert.ok(setAside !== null && existsSync(setAside));
      assert.match(notice ?? '', /set aside/);
      assert.deepEqual(readFileSync(setAside), spoilt);
      assert.equal(rebuilt.report(3), null);
      bring(rebuilt, [report(2)]);
      assert.ok(rebuilt.report(6));
      rebuilt.close();
    });
  }

  it('undoes a write that fails half-way, and goes on', () => {
    const store = openFile(path);
    const broken = { ...report(2), metadata: null as never };
    assert.throws(() => bring(store, [report(1), broken]));
    assert.equal(store.report(3), null);
    assert.equal(store.totals().listed, 0);
    assert.equal(store.coverage().counts.length, 0);
    bring(store, [report(1)]);
    assert.deepEqual(store.report(3)?.report, report(1));
    assert.equal(store.countReports({ text: report(1).company_lei ?? '' }), 1);
    store.close();
    assert.deepEqual(look(path, 'PRAGMA integrity_check'), [['ok']]);
  });

  it('leaves nothing of removed words in the index', () => {
    const store = openFile(path);
    bring(store, [report(1)]);
    const metadata = { ...report(1).metadata, title: 'Entirely Different' };
    const renamed = { ...report(1), report_type: 'ESGD', metadata };
    bring(store, [renamed]);
    bring(store, [{ ...renamed, report_fcyear: 2001 }]);
    assert.equal(store.countReports({ text: 'entirely' }), 1);
    assert.equal(store.countReports({ text: 'sustainability' }) + store.countReports({ text: 'statement' }), 0);
    store.close();
    const db = new DatabaseSync(path);
    const [found] = db
      .prepare("SELECT count(*) AS n FROM report_text WHERE report_text MATCH 'report OR entirely'")
      .all();
    assert.equal(found?.n, 1);
    db.close();
  });

  it('shows one window what another wrote', () => {
    const here = openFile(path);
    const there = openFile(path);
    here.poll();
    assert.deepEqual(here.poll().reports, []);
    bring(there, [report(1)]);
    const change = here.poll();
    assert.deepEqual(change.reports, [3]);
    assert.deepEqual(change.companies, [report(1).company_key]);
    assert.ok(here.report(3));
    bring(here, [report(2)]);
    assert.deepEqual(here.poll().reports, []);
    bring(there, [report(3)]);
    bring(there, [report(4)]);
    assert.deepEqual(here.poll().reports, [9, 12]);
    here.close();
    there.close();
  });

  it('is nothing where SQLite is missing: it says so, holds nothing, and refuses to be synced', async () => {
    const lacking = { DatabaseSync: class extends DatabaseSync {} };
    lacking.DatabaseSync.prototype.exec = () => {
      throw new Error('no such module: fts5');
    };
    const loads = [() => Promise.reject(new Error('No such built-in module')), async () => lacking as never];
    for (const load of loads) {
      const store = await openStore({ path, now: () => 0, load });
      assert.match(store.status.notice ?? '', /Update the editor/);
      assert.equal(store.report(3), null);
      assert.deepEqual(store.reports({ text: 'a' }, { limit: 5 }), { items: [], next: null });
      assert.deepEqual(store.answers(['q'], 0), []);
      const { keys, counts, marks } = store.coverage();
      assert.deepEqual([keys.length, counts.length, marks.length], [0, 0, 0]);
      // What a resolved identifier would keep is dropped without a word.
      store.keepAnswers([{ question: 'q', at: 0, answer: '1' }], 0);
      const lacks = (error: unknown) => error instanceof LibraryError && error.problem === 'no-sqlite';
      assert.throws(() => store.beginRun(), lacks);
      assert.throws(() => store.applyReport(report(1), 3), lacks);
      store.close();
    }
    assert.equal(existsSync(path), false);
  });
});

describe('a transaction', () => {
  it('fails with its error, keeps nothing of itself, and ends', () => {
    const db = new SqliteConnection(new DatabaseSync(':memory:'));
    db.exec('CREATE TABLE kept (value INTEGER)');
    const keep = (value: number) => db.run('INSERT INTO kept VALUES (?)', value);
    const failing = () =>
      db.transaction(() => {
        keep(1);
        throw new Error('half-way');
      });
    assert.throws(failing, { message: 'half-way' });
    assert.equal(db.number('SELECT count(*) FROM kept'), 0);
    assert.equal(
      db.transaction(() => keep(2)),
      1,
    );
    assert.deepEqual(db.all('SELECT value FROM kept'), [[2]]);
    db.close();
  });
});

describe('a failed call of SQLite', () => {
  it('is told by what a person can do about it', () => {
    const meant = (members: object) => problemOfError(Object.assign(new Error('failed'), members));
    for (const [problem, codes] of [
      ['busy', [5, 6, 261]],
      ['not-writable', [8, 14]],
      ['unreadable', [10, 778]],
      ['corrupt', [11, 26, 267, 1032]],
      ['disk-full', [13]],
      ['unexpected', [1, 19]],
    ] as const)
      for (const errcode of codes) assert.equal(meant({ errcode }), problem, String(errcode));
    assert.deepEqual(
      ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR'].map((code) => meant({ code })),
      Array(6).fill('not-writable'),
    );
    assert.deepEqual(
      ['ENOSPC', 'EDQUOT', 'ENOENT'].map((code) => meant({ code })),
      ['disk-full', 'disk-full', null],
    );
    for (const other of [new Error('x'), Object.assign(new Error('x'), { errcode: '5' }), { errcode: 5 }, 'x', null])
      assert.equal(problemOfError(other), null);
  });
});

describe('the shape of a file', () => {
  it('is damaged where a table is missing, and not where the file is in use or its disk is full', () => {
    const explain = (problem: string) => Object.assign(new Error(problem), { problem });
    for (const [met, told] of [
      ['unexpected', 'corrupt'],
      ['busy', 'busy'],
      ['disk-full', 'disk-full'],
    ] as const) {
      const db = {
        all() {
          throw explain(met);
        },
      } as unknown as SqliteConnection;
      assert.throws(() => checkShape(db, explain, ['SELECT 1']), { problem: told });
    }
  });
});

describe('the choice of the journal', () => {
  it('keeps away from a log on a disk that other machines share', () => {
    const directory = temporaryDirectory();
    const open = (name: string, type: number) => {
      const path = join(directory.path, name);
      const opened = openDatabase({ path, sqlite, now: Date.now, fileSystemType: () => type });
      const mode = opened.db.get('PRAGMA journal_mode')?.[0];
      opened.db.close();
      return mode;
    };
    assert.equal(open('nfs.db', 0x6969), 'delete');
    assert.equal(open('cifs.db', 0xff534d42 | 0), 'delete');
    assert.equal(open('disk.db', 0xef53), walIsSafe(process.versions.sqlite ?? '') ? 'wal' : 'delete');
    directory.remove();
  });

  it('stays what another window chose whose file is in use', () => {
    const directory = temporaryDirectory();
    const path = join(directory.path, 'used.db');
    const [other, own] = [new DatabaseSync(path), new SqliteConnection(new DatabaseSync(path))];
    other.exec('CREATE TABLE used (value); BEGIN IMMEDIATE');
    chooseJournal(own, path, () => 0xef53);
    assert.deepEqual([own.get('PRAGMA journal_mode'), own.get('PRAGMA synchronous')], [['delete'], [2]]);
    other.close();
    chooseJournal(own, path, () => 0xef53);
    const sound = walIsSafe(process.versions.sqlite ?? '') ? [['wal'], [1]] : [['delete'], [2]];
    assert.deepEqual([own.get('PRAGMA journal_mode'), own.get('PRAGMA synchronous')], sound);
    own.close();
    directory.remove();
  });

  it('takes a write-ahead log only where resetting it is sound', () => {
    for (const version of ['3.51.3', '3.52.0', '3.53.4', '3.50.7', '3.50.12', '3.44.6', '4.0.0']) {
      assert.equal(walIsSafe(version), true, version);
    }
    for (const version of ['3.51.2', '3.51.0', '3.50.6', '3.44.5', '3.45.0', '3.49.9', '3.7.0', '', 'odd']) {
      assert.equal(walIsSafe(version), false, version);
    }
  });
});
