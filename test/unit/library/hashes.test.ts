import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bring,
  feed,
  following,
  look,
  openFile,
  openInMemory,
  temporaryDirectory,
  withdrawalOf,
} from './support/stores.ts';
import { report } from './support/wireReports.ts';

const hash = (n: number) => `${String(n).padStart(8, '0')}${'ab'.repeat(28)}`;
const published = (n: number, content_sha256: string | null = hash(n)) => ({ ...report(n), content_sha256 });

describe('reports by the hash of their PDF', () => {
  it('are those that are listed with exactly these bytes', () => {
    const store = openInMemory();
    const sharing = hash(1).replace(/ab$/, 'ac');
    bring(store, [published(1), published(2), published(3, hash(1)), published(4, sharing), published(5, null)]);
    bring(store, [published(6, ` ${hash(6).toUpperCase()} `)]);
    const found = (sha256s: readonly string[]) =>
      store.reportsOfHashes(sha256s).map(({ report_id, sha256 }) => [report_id, sha256]);
    const id = (n: number) => report(n).report_id;
    assert.deepEqual(found([hash(1)]), [
      [id(1), hash(1)],
      [id(3), hash(1)],
    ]);
    assert.deepEqual(found([sharing, hash(6).toUpperCase(), hash(9), '']), [
      [id(4), sharing],
      [id(6), hash(6)],
    ]);
    const generation = following(store);
    feed(store, generation, [withdrawalOf(report(1), '2026-02-01T00:00:00Z')]);
    assert.deepEqual(found([hash(1)]), [[id(3), hash(1)]]);
    bring(store, [published(3, hash(7))]);
    assert.deepEqual(found([hash(1)]), []);
    const [first] = store.reportsOfHashes([hash(7)]);
    assert.deepEqual([first?.report_key, first?.company_key], [report(3).report_key, report(3).company_key]);
    store.close();
  });
});

describe('what other libraries publish', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => directory.remove());
  const file = (name: string) => join(directory.path, name);
  const make = (name: string, numbers: readonly number[], isLoaded = true) => {
    const store = openFile(file(name));
    for (const n of numbers) bring(store, [published(n)]);
    if (isLoaded) following(store);
    return store;
  };

  it('is told of what files hold, whether they are open or not, and loaded whole or not', () => {
    make('closed.db', [1, 2]).close();
    const open = make('open.db', [2, 3], false);
    const mine = openInMemory();
    assert.deepEqual(mine.publishedElsewhere([file('closed.db'), file('open.db')], [hash(1), hash(3), hash(4)]), {
      published: [hash(1), hash(3)],
      complete: true,
    });
    assert.deepEqual(mine.publishedElsewhere([], [hash(1)]), { published: [], complete: true });
    assert.deepEqual(mine.publishedElsewhere([file('missing.db')], [hash(1)]), { published: [], complete: true });
    open.close();
    mine.close();
  });

  it('is not known of what can’t be read, until it has not been written for a month', () => {
    make('good.db', [2]).close();
    writeFileSync(file('odd.db'), 'not a library at all, but long enough to be looked at'.repeat(40));
    const paths = [file('odd.db'), file('good.db')];
    const mine = openInMemory();
    assert.deepEqual(mine.publishedElsewhere(paths, [hash(1), hash(2)]), { published: [hash(2)], complete: false });
    const monthAgo = new Date(Date.now() - 31 * 86_400_000);
    utimesSync(file('odd.db'), monthAgo, monthAgo);
    assert.deepEqual(mine.publishedElsewhere(paths, [hash(1), hash(2)]), { published: [hash(2)], complete: true });
    writeFileSync(file('odd.db-wal'), '');
    assert.equal(mine.publishedElsewhere(paths, [hash(1)]).complete, false);
    mine.close();
  });

  it('is not known of another version’s library', () => {
    make('other.db', [1]).close();
    look(file('other.db'), 'PRAGMA user_version = 77');
    const mine = openInMemory();
    assert.deepEqual(mine.publishedElsewhere([file('other.db')], [hash(1)]), { published: [], complete: false });
    assert.equal(look(file('other.db'), 'PRAGMA user_version')[0]?.[0], 77);
    mine.close();
  });
});
