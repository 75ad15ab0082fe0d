import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { prepare } from '../../../src/text/pages.ts';
import { loadTextSqlite, openPages } from '../../../src/text/pagesFile.ts';
import { textError } from '../../../src/text/textError.ts';
import { notSearched } from '../../../src/tools/facts.ts';
import { call, find, keep, openInMemory, sha, TextWorld } from './support/texts.ts';

describe('what a PDF lacks', () => {
  it('is kept with it, and counted in the answers of tools', async () => {
    const store = openInMemory();
    const pages = ['text', '', '', ''].map((text) => ({ label: null, text }));
    const lacks = { damaged: [2], unreadable: [3], attachments: ['data.xlsx'], left: 0 };
    const read = { kind: 'read', sha256: sha(1), bytes: 1, pages, ...lacks } as const;
    const prepared = await prepare(read, () => undefined);
    store.db.transaction(() => store.keep(prepared, 1));
    const [pdf] = store.pdfs();
    assert.ok(pdf);
    const { damaged, unreadable, attachments, left, empty } = pdf;
    assert.deepEqual({ damaged, unreadable, attachments, left, empty }, { ...lacks, empty: 1 });
    assert.deepEqual(notSearched([pdf, pdf]), {
      not_searched: { pages_without_text: 2, pages_not_readable: 4, attached_files: 2 },
    });
    assert.deepEqual(notSearched([]), {});
    store.close();
  });
});

describe('the file of texts', () => {
  let world: TextWorld;
  beforeEach(() => {
    world = new TextWorld();
  });
  afterEach(() => world.remove());
  const open = (now = () => 1_700_000_000_000) => openPages({ path: world.path, sqlite, now });
  const damage = (path = world.path) =>
    writeFileSync(path, 'no database at all, but long enough to be looked at'.repeat(100));

  it('is the user’s own: directory 0700, files 0600', async () => {
    const store = open();
    await keep(store, sha(1), 1, ['words']);
    const folder = dirname(world.path);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    store.close();
  });

  it('is set aside and begun anew when it is damaged', async () => {
    const store = open();
    await keep(store, sha(1), 1, ['words']);
    store.close();
    damage();
    const anew = open();
    assert.deepEqual(anew.pdfs(), []);
    anew.close();
    assert.ok(existsSync(`${world.path}.damaged-1700000000000`));
  });

  it('is begun anew when the damage shows in use, and what is here is read again', async () => {
    const pdf = world.put('one.pdf', ['some words']);
    const window = await world.lookingAt([pdf]);
    await world.settled(window);
    const other = new DatabaseSync(world.path);
    other.exec("UPDATE blocks SET body = x'00'");
    other.close();
    await assert.rejects(find(window, 'words'), { problem: 'corrupt' });
    await world.settled(window);
    assert.equal((await find(window, 'words')).length, 1);
    assert.equal(world.reader.hashes.length, 2);
  });

  for (const version of [1, 999]) {
    it(`of version ${version} is replaced, and its PDFs are read again`, async () => {
      const store = open();
      await keep(store, sha(1), 1, ['words']);
      assert.equal(store.pdfs().length, 1);
      store.close();
      const db = new DatabaseSync(world.path);
      db.exec(`PRAGMA user_version = ${version}`);
      db.close();
      const fresh = open();
      assert.deepEqual(fresh.pdfs(), []);
      fresh.close();
      const pdf = world.put('one.pdf', ['some words']);
      const window = await world.lookingAt([pdf]);
      await world.settled(window);
      assert.equal((await find(window, 'words')).length, 1);
      assert.equal(world.reader.hashes.length, 1);
    });
  }

  it('needs an editor with SQLite, and says so in words with each call', async () => {
    await assert.rejects(
      loadTextSqlite(() => Promise.reject(new Error('No such built-in module'))),
      {
        problem: 'no-sqlite',
        message: /^This editor lacks the SQLite/,
      },
    );
    const window = world.window({ sqlite: textError('no-sqlite') });
    await assert.rejects(call(window, 'setHere', []), { problem: 'no-sqlite' });
    await assert.rejects(find(window, 'words'), { problem: 'no-sqlite' });
  });

  it('gives its room back when everything is deleted', async () => {
    const store = open();
    await keep(
      store,
      sha(1),
      1,
      Array.from({ length: 400 }, (_, n) => `page ${n} ${Math.sin(n)} ${'word '.repeat(200)}`),
    );
    const before = statSync(world.path).size + statSync(`${world.path}-wal`).size;
    store.deleteAll();
    const after = statSync(world.path).size + statSync(`${world.path}-wal`).size;
    assert.ok(after < before / 3, `${before} ${after}`);
    assert.deepEqual(store.db.all('SELECT count(*) FROM pages_docsize'), [[0]]);
    store.close();
  });

  it('leaves nothing of a PDF that is forgotten where others could read it', async () => {
    const store = open();
    await keep(store, sha(1), 1, ['stays']);
    await keep(store, sha(2), 2, ['secret wording', 'more']);
    store.db.run('UPDATE blocks SET body = zeroblob(20000000) WHERE id > 8191');
    store.forget([sha(2), sha(3)]);
    assert.equal(store.db.number('PRAGMA freelist_count'), 0);
    assert.deepEqual(
      store.pdfs().map(({ sha256 }) => sha256),
      [sha(1)],
    );
    assert.equal(store.db.number('SELECT count(*) FROM blocks'), 1);
    assert.equal(store.db.number('SELECT count(*) FROM pages_docsize'), 1);
    store.close();
  });

  it('is rid of a PDF that is forgotten, also where another window keeps it from giving the room back', async () => {
    const store = open();
    await keep(store, sha(1), 1, ['words']);
    const run = store.db.exec.bind(store.db);
    store.db.exec = (sql) => {
      if (sql.includes('vacuum')) throw textError('busy');
      run(sql);
    };
    store.forget([sha(1)]);
    assert.deepEqual(store.pdfs(), []);
    store.close();
  });
});
