import assert from 'node:assert/strict';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Database } from '../../../src/library/sqlite/openDatabase.ts';

/** A database that counts what it prepares. */
class CountingDatabase extends DatabaseSync {
  readonly prepared: string[] = [];

  override prepare(sql: string): StatementSync {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

describe('a database', () => {
  let db: CountingDatabase;
  let database: Database;

  beforeEach(() => {
    db = new CountingDatabase(':memory:');
    database = new Database(db);
  });
  afterEach(() => database.close());

  it('prepares a statement once', () => {
    for (let turn = 0; turn < 5; turn++) assert.equal(database.number('SELECT 7 + ?', turn), 7 + turn);
    assert.deepEqual(db.prepared, ['SELECT 7 + ?']);
  });

  it('forgets what it prepared once that is much, and prepares it again', () => {
    for (let n = 0; n < 1000; n++) assert.equal(database.number(`SELECT ${n}`), n);
    assert.equal(database.number('SELECT 0'), 0);
    assert.equal(db.prepared.filter((sql) => sql === 'SELECT 0').length, 2);
    assert.equal(db.prepared.length, 1001);
  });
});
