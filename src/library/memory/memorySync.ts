import { libraryError } from '../libraryError.ts';
import type { Lease } from '../store.ts';
import { type Chain, emptySyncRecord, type SyncRecord } from '../sync/syncRecord.ts';

/** Where the sync of a library in memory stands. Only this window sees it, so the lease is always free. */
export class MemorySync {
  readonly #now: () => number;
  #record: SyncRecord = emptySyncRecord;
  #chains: Chain[] = [];
  #lease = { holder: '', generation: 0, expires: 0 };

  constructor(now: () => number) {
    this.#now = now;
  }

  record(): SyncRecord {
    return this.#record;
  }

  update(patch: Partial<SyncRecord>): void {
    this.#record = { ...this.#record, ...patch };
  }

  chains(): readonly Chain[] {
    return this.#chains;
  }

  begin(filters: readonly Chain['filter'][]): void {
    this.#chains = filters.map((filter, index) => ({
      id: index + 1,
      filter,
      cursor: null,
      done: false,
      pages: 0,
      reports: 0,
    }));
  }

  advance(id: number, cursor: string | null, done: boolean, reports: number): void {
    this.#chains = this.#chains.map((chain) =>
      chain.id === id ? { ...chain, cursor, done, pages: chain.pages + 1, reports: chain.reports + reports } : chain,
    );
  }

  end(): void {
    this.#chains = [];
  }

  acquire(holder: string, ttl: number): Lease | null {
    const now = this.#now();
    if (this.#lease.expires > now && this.#lease.holder !== holder) return null;
    this.#lease = { holder, generation: this.#lease.generation + 1, expires: now + ttl };
    return this.#lease;
  }

  renew(generation: number, ttl: number): Lease {
    this.check(generation);
    this.#lease.expires = this.#now() + ttl;
    return this.#lease;
  }

  release(generation: number): void {
    if (generation === this.#lease.generation) this.#lease.expires = 0;
  }

  check(generation: number): void {
    if (generation !== this.#lease.generation) throw libraryError('lease-lost');
  }
}
