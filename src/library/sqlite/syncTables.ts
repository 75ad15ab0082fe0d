import { libraryError } from '../libraryError.ts';
import type { Lease } from '../store.ts';
import { isHolderGone } from '../sync/leaseHolder.ts';
import { type Chain, readSyncRecord, type SyncRecord } from '../sync/syncRecord.ts';
import type { WalkFilter } from '../sync/walkFilter.ts';
import type { Connection } from './connection.ts';
import type { MetaTable } from './metaTable.ts';

const recordName = 'sync';

/** Where the sync stands: its record, the chains of its walk, the marks of the sweep, and who may write them. */
export class SyncTables {
  readonly #connection: Connection;
  readonly #meta: MetaTable;
  readonly #now: () => number;

  constructor(connection: Connection, meta: MetaTable, now: () => number) {
    this.#connection = connection;
    this.#meta = meta;
    this.#now = now;
  }

  record(): SyncRecord {
    return readSyncRecord(this.#meta.read(recordName));
  }

  /** Inside a transaction, after {@link check}. */
  update(patch: Partial<SyncRecord>): void {
    this.#meta.write(recordName, { ...this.record(), ...patch });
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

  begin(filters: readonly WalkFilter[]): void {
    this.#connection.exec('DELETE FROM chains; DELETE FROM marks');
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
    const running = row !== undefined && Number(row[2]) > now && Number(row[2]) <= now + longestLease;
    if (running && row[0] !== holder && !isHolderGone(String(row[0]))) return null;
    const generation = Number(row?.[1] ?? 0) + 1;
    const expires = now + Math.min(ttl, longestLease);
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
    const expires = this.#now() + Math.min(ttl, longestLease);
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
const longestLease = 10 * 60_000;
