import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { changeFile, readText } from '../files/changeFile.ts';
import { DiskProblem, systemCode } from '../files/guard.ts';
import { type Leases, machineLeases } from '../machine/lease.ts';

const schema = z.readonly(
  z.object({
    id: z.string(),
    /** When it was begun, ms since the epoch. */
    begunAt: z.number(),
    /** How often it was resumed automatically. */
    resumed: z.int(),
    /** The connection whose reports they are. */
    connection: z.string(),
    /** Absolute path of the workspace folder, or of the folder used in its place. */
    root: z.string(),
    /** Whether the very bytes of the lock are meant, whatever the service publishes now. */
    exactly: z.boolean(),
    reportIds: z.readonly(z.array(z.int().check(z.positive()))),
  }),
);

/** An unfinished batch: which reports, and where to. Never a link. */
export type PendingBatch = z.infer<typeof schema>;

/** The facts of a batch that begins. */
export type BegunBatch = Omit<PendingBatch, 'id' | 'begunAt'>;

/** A batch that wasn't resumed for this long, in ms, is deleted. */
const forgottenAfter = 30 * 24 * 60 * 60 * 1000;

const fileName = 'batches.json';

/** Remembers running batches in a file, so that they can be resumed after a crash or a reload. */
export class PendingBatches implements Disposable {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #leases: Leases;
  /** The batches that this process downloads. */
  readonly #own = new Set<string>();
  #closed = false;

  /** @param batchLeases show which batches some process still downloads */
  constructor(directory: string, clock: Clock, logger: Logger, batchLeases: Leases = machineLeases()) {
    this.#directory = directory;
    this.#clock = clock;
    this.#logger = logger;
    this.#leases = batchLeases;
  }

  /**
   * Remembers a batch; a resumed one keeps its id. A disk that refuses costs the memory alone. All reports stay named
   * until the end: a PDF that was saved may not be in the lock file or the table yet.
   * @returns a function that forgets the batch, for when it has ended
   */
  async begin(batch: BegunBatch, id: string = randomUUID()): Promise<() => Promise<void>> {
    const begunAt = this.#clock.now();
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#own.add(id);
    const holding = this.#leases.lease(leaseOf(id), () => {
      held.resolve();
      return ended.promise;
    });
    holding.catch(held.reject).finally(() => this.#own.delete(id));
    await held.promise;
    await this.#change((others) => [...others.filter((one) => one.id !== id), { ...batch, id, begunAt }]);
    return async () => {
      // Downloads that end with the window have to be resumed.
      if (!this.#closed) await this.forget(id);
      ended.resolve();
    };
  }

  /** Batches that no process downloads any longer, the oldest first. */
  async left(): Promise<readonly PendingBatch[]> {
    const isOld = ({ begunAt }: PendingBatch) => this.#clock.now() - begunAt > forgottenAfter;
    const all = await this.#all();
    if (all.some(isOld)) await this.#change((batches) => batches.filter((batch) => !isOld(batch)));
    const left: PendingBatch[] = [];
    for (const batch of all) if (!isOld(batch) && !(await this.#leases.isLeased(leaseOf(batch.id)))) left.push(batch);
    return left.sort((a, b) => a.begunAt - b.begunAt);
  }

  /** Whether another process downloads batches, which it may still leave behind. */
  async othersRun(): Promise<boolean> {
    for (const { id } of await this.#all())
      if (!this.#own.has(id) && (await this.#leases.isLeased(leaseOf(id)))) return true;
    return false;
  }

  async forget(id: string): Promise<void> {
    await this.#change((batches) => batches.filter((batch) => batch.id !== id));
  }

  /** From now on nothing is forgotten: downloads fail because the window ends. */
  dispose(): void {
    this.#closed = true;
  }

  async #all(): Promise<readonly PendingBatch[]> {
    return (await this.#quietly(async () => batchesIn(await readText(this.#at)))) ?? [];
  }

  async #change(change: (batches: readonly PendingBatch[]) => readonly PendingBatch[]): Promise<void> {
    await this.#quietly(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await changeFile(this.#at, (text) => JSON.stringify(change(batchesIn(text))));
    });
  }

  get #at() {
    return { root: this.#directory, path: fileName, isPrivate: true };
  }

  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof DiskProblem ? systemCode(error.cause) : systemCode(error);
      // The storage is made by the first batch.
      if (code !== 'ENOENT') this.#logger.warn(`Interrupted downloads could not be noted: ${code ?? 'unknown error'}`);
      return undefined;
    }
  }
}

const leaseOf = (id: string) => `download batch ${id}`;

/** The batches that a file holds; none in one that holds anything else. */
function batchesIn(text = '[]'): readonly PendingBatch[] {
  try {
    return z.array(schema).safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}
