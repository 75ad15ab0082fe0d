import { libraryError } from '../libraryError.ts';
import type { Lease } from '../store.ts';
import { isHolderGone } from '../sync/lease.ts';
import { type Chain, readSyncRecord, type SyncRecord, type WalkFilter } from '../sync/syncRecord.ts';
import type { Connection } from './connection.ts';

const recordName = 'sync';

const missingSql =
  'FROM reports r WHERE state = 0 AND NOT EXISTS (SELECT 1 FROM marks m WHERE m.report_id = r.report_id)';

/** Where the sync stands: its record, the chains of its walk, the marks of the sweep, and who may write them. */
export class SyncTables {
  readonly #connection: Connection;
  readonly #now: () => number;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  record(): SyncRecord {
    const row = this.#connection.get('SELECT value FROM meta WHERE name = ?', recordName);
    return readSyncRecord(row ? JSON.parse(String(row[0])) : null);
  }

  /** Inside a transaction, after {@link check}. */
  update(patch: Partial<SyncRecord>): void {
    const value = JSON.stringify({ ...this.record(), ...patch });
    this.#connection.run('INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)', recordName, value);
  }

  chains(): Chain[] {
    return this.#connection
      .all('SELECT id, filter, cursor, done, pages, reports FROM chains ORDER BY id')
      .map((row) => ({
        id: Number(row[0]),
        filter: JSON.parse(String(row[1])) as WalkFilter,
        cursor: row[2] === null ? null : String(row[2]),
        done: Number(row[3]) === 1,
        pages: Number(row[4]),
        reports: Number(row[5]),
      }));
  }

  /** Forgets the chains and marks of a walk. */
  end(): void {
    this.#connection.exec('DELETE FROM chains; DELETE FROM marks');
  }

  /** Listed reports that the present walk has not brought. */
  missing(): number[] {
    return this.#connection.all(`SELECT report_id ${missingSql}`).map(([id]) => Number(id));
  }

  countMissing(): number {
    return this.#connection.number(`SELECT count(*) ${missingSql}`);
  }

  begin(filters: readonly WalkFilter[]): void {
    this.end();
    filters.forEach((filter, index) => {
      this.#connection.run('INSERT INTO chains(id, filter) VALUES (?, ?)', index + 1, JSON.stringify(filter));
    });
  }

  advance(id: number, cursor: string | null, done: boolean, reports: number): void {
    this.#connection.run(
      'UPDATE chains SET cursor = ?, done = ?, pages = pages + 1, reports = reports + ? WHERE id = ?',
      cursor,
      done ? 1 : 0,
      reports,
      id,
    );
  }

  acquire(holder: string, ttl: number): Lease | null {
    const now = this.#now();
    const row = this.#connection.get('SELECT holder, generation, expires FROM lease');
    // A clock set back leaves a lease far in the future; one longer than any lease lasts is not believed.
    const running = row !== undefined && Number(row[2]) > now && Number(row[2]) <= now + maxLease;
    if (running && row[0] !== holder && !isHolderGone(String(row[0]))) return null;
    const generation = Number(row?.[1] ?? 0) + 1;
    const expires = now + Math.min(ttl, maxLease);
    this.#connection.run(
      `INSERT INTO lease(one, holder, generation, expires) VALUES (1, ?, ?, ?)
       ON CONFLICT DO UPDATE SET holder = excluded.holder, generation = excluded.generation, expires = excluded.expires`,
      holder,
      generation,
      expires,
    );
    return { generation, expires };
  }

  renew(generation: number, ttl: number): Lease {
    this.check(generation);
    const expires = this.#now() + Math.min(ttl, maxLease);
    this.#connection.run('UPDATE lease SET expires = ?', expires);
    return { generation, expires };
  }

  release(generation: number): void {
    this.#connection.run('UPDATE lease SET expires = 0 WHERE generation = ?', generation);
  }

  /** Throws `lease-lost` unless the generation is the present one. To be called inside the transaction it guards. */
  check(generation: number): void {
    const present = this.#connection.number('SELECT generation FROM lease');
    if (present !== generation) throw libraryError('lease-lost');
  }
}

/** ms. */
const maxLease = 10 * 60_000;
