import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { type Leases, machineLeases } from '../machine/lease.ts';
import { systemCode } from './disk.ts';

const schema = z.readonly(
  z.object({
    id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
    /** When it was begun, ms since the epoch. */
    begunAt: z.number(),
    /** How often it was taken up again by itself. */
    resumed: z.int(),
    /** The connection whose reports they are. */
    connection: z.string(),
    /** Absolute path of the workspace folder, or of the folder that stands for it. */
    root: z.string(),
    /** Whether the very bytes of the lock are meant, whatever the service publishes now. */
    exactly: z.boolean(),
    reportIds: z.readonly(z.array(z.int().check(z.positive()))),
  }),
);

/** What is remembered of a batch that has not ended: which reports, and where to. Never a link. */
export type PendingBatch = z.infer<typeof schema>;

/** What there is to remember when a batch begins. */
export type BegunBatch = Omit<PendingBatch, 'id' | 'begunAt'>;

/** A batch that is under way. */
export type RememberedBatch = Awaited<ReturnType<PendingBatches['begin']>>;

/** Shortest time between two writes of one batch, in ms. */
const writeInterval = 1000;

/** A batch that nobody came back to for so long, in ms, is forgotten. */
const forgottenAfter = 30 * 24 * 60 * 60 * 1000;

/**
 * Remembers the batches under way in files of the editor's own storage, one a batch, so that they can be taken up again
 * after a crash or a reload. A batch that ended in any way, cancelled ones too, is forgotten.
 */
export class PendingBatches implements Disposable {
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #leases: Leases;
  /** The batches that this process downloads. */
  readonly #own = new Set<string>();
  #closed = false;

  /** @param batchLeases by which processes see which batches go on */
  constructor(directory: string, clock: Clock, logger: Logger, batchLeases: Leases = machineLeases()) {
    this.#directory = directory;
    this.#clock = clock;
    this.#logger = logger;
    this.#leases = batchLeases;
  }

  /** Remembers a batch; one that is taken up again keeps its id. A disk that refuses costs the memory alone. */
  async begin(batch: BegunBatch, id: string = randomUUID()) {
    const left = new Set(batch.reportIds);
    const begun = { ...batch, id, begunAt: this.#clock.now() };
    const [held, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#own.add(id);
    const holding = this.#leases.lease(leaseOf(id), () => {
      held.resolve();
      return ended.promise;
    });
    holding.catch(held.reject).finally(() => this.#own.delete(id));
    await held.promise;
    let writing = this.#write(begun);
    let writtenAt = this.#clock.monotonic();
    await writing;
    return {
      /** This report needs no further download. */
      done: (reportId: number): void => {
        // Cancelled by the end of the window: the next window downloads it.
        if (this.#closed) return;
        left.delete(reportId);
        const now = this.#clock.monotonic();
        if (left.size === 0 || now - writtenAt < writeInterval) return;
        writtenAt = now;
        writing = writing.then(() => this.#write({ ...begun, reportIds: [...left] }));
      },
      /** All have ended. */
      end: async (): Promise<void> => {
        await writing;
        // Downloads that end because the window does have not ended.
        if (!this.#closed) await this.forget(id);
        ended.resolve();
      },
    };
  }

  /** Batches that no process downloads any longer, the oldest first. */
  async left(): Promise<readonly PendingBatch[]> {
    const batches: PendingBatch[] = [];
    for (const batch of await this.#all()) {
      if (this.#clock.now() - batch.begunAt > forgottenAfter) await this.forget(batch.id);
      else if (!(await this.#leases.isLeased(leaseOf(batch.id)))) batches.push(batch);
    }
    return batches.sort((a, b) => a.begunAt - b.begunAt);
  }

  /** Whether another process downloads batches that it may yet leave behind. */
  async othersRun(): Promise<boolean> {
    for (const { id } of await this.#all())
      if (!this.#own.has(id) && (await this.#leases.isLeased(leaseOf(id)))) return true;
    return false;
  }

  async forget(id: string): Promise<void> {
    await this.#quietly(() => rm(this.#file(id), { force: true }));
  }

  /** From now on nothing is forgotten: what fails, fails because the window ends. */
  dispose(): void {
    this.#closed = true;
  }

  async #all(): Promise<PendingBatch[]> {
    const batches: PendingBatch[] = [];
    for (const name of (await this.#quietly(() => readdir(this.#directory))) ?? []) {
      if (!name.endsWith('.json')) continue;
      const text = await this.#quietly(() => readFile(join(this.#directory, name), 'utf8'));
      const batch = schema.safeParse(parsed(text));
      if (batch.success) batches.push(batch.data);
      // A file that is no batch, and none that is just being removed.
      else if (text !== undefined) await this.#quietly(() => rm(join(this.#directory, name), { force: true }));
    }
    return batches;
  }

  async #write(batch: PendingBatch): Promise<void> {
    const file = this.#file(batch.id);
    await this.#quietly(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, JSON.stringify(batch), { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'ENOENT') this.#logger.warn(`Interrupted downloads could not be noted: ${code ?? 'unknown error'}`);
      return undefined;
    }
  }
}

const leaseOf = (id: string) => `download batch ${id}`;

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
