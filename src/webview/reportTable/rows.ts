import { blockSize, type ShownRow, type TableView } from '../../protocol/reportTable.ts';

interface RowSource {
  /** Asks for a block of rows; null when they are no longer what is shown. */
  ask(version: number, offset: number, signal: AbortSignal): Promise<readonly ShownRow[] | null>;
  came(): void;
  failed(error: unknown): void;
}

/** The most rows of a table. Browsers limit an element to 33 million px, a quarter of that at a zoom of 400 %. */
const maxRows = 300_000;

/** How many rows the table has. Other sort orders and filters show the other reports. */
export function shownCount({ count }: Pick<TableView, 'count'>): number {
  return Math.min(count, maxRows);
}

/** Most blocks that are kept: what is scrolled far away is asked for again. */
const maxBlocks = 40;

/**
 * The rows that are here: blocks of those near the window, asked for as it comes near them. Blocks that have been
 * scrolled past are given up; what comes for an older view is dropped.
 */
export class NearRows {
  readonly #source: RowSource;
  #blocks = new Map<number, readonly ShownRow[]>();
  /** Of the view before, until the new ones come. */
  #old = new Map<number, readonly ShownRow[]>();
  readonly #asked = new Map<number, AbortController>();
  #version = -1;
  #count = 0;
  #near: readonly [first: number, last: number] = [0, 0];

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** Takes a view; rows of the one before stand in until the new ones come, where they are the same reports. */
  take({ version, count, offset, rows }: TableView, isSame: boolean): void {
    this.#version = version;
    this.#count = count;
    this.#renew(isSame);
    if (offset % blockSize === 0) this.#blocks.set(offset / blockSize, rows);
  }

  refresh(): void {
    this.#renew(true);
    this.need(...this.#near);
  }

  #renew(keepsOld: boolean): void {
    for (const asked of this.#asked.values()) asked.abort();
    this.#asked.clear();
    this.#old = keepsOld ? this.#blocks : new Map();
    this.#blocks = new Map();
  }

  at(place: number): ShownRow | undefined {
    const [block, at] = [Math.floor(place / blockSize), place % blockSize];
    return this.#blocks.get(block)?.[at] ?? this.#old.get(block)?.[at];
  }

  /** These rows are near the window now. */
  need(first: number, last: number): void {
    this.#near = [first, last];
    const [from, to] = [Math.floor(first / blockSize), Math.floor(last / blockSize)];
    for (const [block, asked] of this.#asked) {
      if (block >= from && block <= to) continue;
      asked.abort();
      this.#asked.delete(block);
    }
    for (let block = from; block <= to; block++) {
      if (!this.#blocks.has(block) && !this.#asked.has(block) && block * blockSize < this.#count)
        void this.#fetch(block);
    }
  }

  async #fetch(block: number): Promise<void> {
    const asked = new AbortController();
    this.#asked.set(block, asked);
    try {
      const rows = await this.#source.ask(this.#version, block * blockSize, asked.signal);
      if (asked.signal.aborted || rows === null) return;
      this.#blocks.set(block, rows);
      this.#drop(block);
      this.#source.came();
    } catch (error) {
      // The next scroll asks again; until then the row says that it is being read.
      if (!asked.signal.aborted) this.#source.failed(error);
    } finally {
      if (this.#asked.get(block) === asked) this.#asked.delete(block);
    }
  }

  #drop(near: number): void {
    if (this.#blocks.size <= maxBlocks) return;
    const [furthest] = [...this.#blocks.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    if (furthest !== undefined) this.#blocks.delete(furthest);
  }
}
