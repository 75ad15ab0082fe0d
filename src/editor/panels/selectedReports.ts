import { unlessAborted } from '../../base/clock.ts';
import { Semaphore } from '../../base/semaphore.ts';

import type { RowsToSelect } from '../../protocol/reportTable.ts';

type SelectHow = RowsToSelect['how'];

/** Which reports are selected: some by their ids, or all that the filter leaves but some. */
export class SelectedReports {
  readonly #ids = new Set<number>();
  #isAll = false;
  readonly #turns = new Semaphore(1);
  /** Ends what is still being selected. */
  #asking = new AbortController();
  readonly #ended = new AbortController();

  get isAll(): boolean {
    return this.#isAll && this.#ids.size === 0;
  }

  has(id: number): boolean {
    return this.#ids.has(id) !== this.#isAll;
  }

  /** Whether some are selected one by one, and this is true of each. */
  every(is: (id: number) => boolean): boolean {
    return !this.#isAll && this.#ids.size > 0 && [...this.#ids].every(is);
  }

  /** How many they are, of so many that the filter leaves. */
  count(total: number): number {
    return this.#isAll ? Math.max(0, total - this.#ids.size) : this.#ids.size;
  }

  /**
   * Selects, one after the other; what selects anew ends what is still being read for a selection before it.
   * @param isWhole whether these are all that the filter leaves
   * @param read gives the ids; unasked where none are needed
   */
  async select(how: SelectHow, isWhole: boolean, read: (signal: AbortSignal) => Promise<number[]>): Promise<void> {
    if (how === 'only' || how === 'all' || how === 'none') {
      this.#asking.abort();
      this.#asking = new AbortController();
    }
    const signal = AbortSignal.any([this.#asking.signal, this.#ended.signal]);
    const work = async () => {
      signal.throwIfAborted();
      if (how === 'all' || how === 'none' || (how === 'only' && isWhole)) return this.#clear(how !== 'none');
      const ids = await unlessAborted(read(signal), signal);
      if (how === 'keep' && ids.every((id) => this.has(id))) return;
      if (how !== 'toggle') this.#clear(false);
      for (const id of ids) this.#set(id, how !== 'toggle' || !this.has(id));
    };
    await this.#turns.run(work).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Does something with what is selected once all that was asked for before is; what comes later waits for it. */
  inTurn<T>(use: () => Promise<T>): Promise<T> {
    this.#asking = new AbortController();
    return this.#turns.run(use);
  }

  /** Another selection takes its place: nothing more is read for it. */
  dispose(): void {
    this.#ended.abort();
  }

  /** Their ids; `left` gives those that the filter leaves. */
  async ids(left: () => Promise<readonly number[]>): Promise<readonly number[]> {
    return this.#isAll ? (await left()).filter((id) => !this.#ids.has(id)) : [...this.#ids];
  }

  #clear(isAll: boolean): void {
    this.#ids.clear();
    this.#isAll = isAll;
  }

  #set(id: number, isSelected: boolean): void {
    if (isSelected !== this.#isAll) this.#ids.add(id);
    else this.#ids.delete(id);
  }
}
