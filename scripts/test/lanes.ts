import { availableParallelism } from 'node:os';

/** A number of places for work: who finds them all taken waits until one is given back. */
export class Lanes {
  readonly count: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.count = count;
    this.#free = count;
  }

  /** Does the work in a place of its own. Rejects as the work does; the place is free again either way. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** How many editors or browsers work at once: each takes one to one and a half processors. */
export const editorLanes = new Lanes(Math.max(2, Math.min(4, Math.floor(availableParallelism() * 0.75))));

/**
 * Does the work for each item, as far as there are lanes, beginning with the first ones; gives the results in the items'
 * order. The first failure ends it: no further item is begun, and it is thrown once the others have ended.
 */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: Lanes,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  let failed = false;
  const begun = items.map((item) =>
    lanes.run(async () => {
      if (failed) return undefined;
      try {
        return { result: await work(item) };
      } catch (error) {
        failed = true;
        throw error;
      }
    }),
  );
  const ends = await Promise.allSettled(begun);
  const bad = ends.find((end) => end.status === 'rejected');
  if (bad) throw bad.reason;
  return ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value.result] : []));
}
