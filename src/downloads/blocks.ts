import { freeMemory } from '../base/freeMemory.ts';

/**
 * Bytes of a block: what is gathered for one write. A write awaited per chunk costs a third of the speed. A page less than
 * 1 MiB: for whole ones Linux looks for as much memory in one piece, which took it six times as long where we measured.
 */
export const blockBytes = (1 << 20) - 4096;

/**
 * Blocks of memory that downloads share, so that many files take no more of it than those that are open at once. They
 * are given up when nobody uses any.
 */
export class Blocks {
  readonly #free: Buffer[] = [];
  #taken = 0;

  /** A block of {@link blockBytes} with anything in it; to be given back once nobody reads or writes it any more. */
  take(): Buffer {
    this.#taken++;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
  }

  giveBack(block: Buffer): void {
    this.#taken--;
    this.#free.push(block);
    if (this.#taken > 0) return;
    for (const free of this.#free) freeMemory(free);
    this.#free.length = 0;
  }

  /** Blocks that somebody has, and blocks that are kept for the next. */
  get counts(): { readonly taken: number; readonly free: number } {
    return { taken: this.#taken, free: this.#free.length };
  }
}

/** Those of this process. */
export const sharedBlocks = new Blocks();
