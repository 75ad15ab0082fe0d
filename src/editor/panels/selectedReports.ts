import { Semaphore } from '../../base/semaphore.ts';
import type { RowsToSelect } from '../../protocol/reportTable.ts';

/** Which reports are selected: some by their ids, or all that the filter leaves but some. */
export class SelectedReports {
  readonly #ids = new Set<number>();
  #isAll = false;
  readonly #turns = new Semaphore(1);

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
   * Selects, one after the other.
   * @param isWhole whether these are all that the filter leaves
   * @param read gives the ids; unasked where none are needed
   */
  select(how: RowsToSelect['how'], isWhole: boolean, read: () => Promise<number[]>): Promise<void> {
    return this.inTurn(async () => {
      if (how === 'all' || how === 'none' || (how === 'only' && isWhole)) return this.#clear(how !== 'none');
      const ids = await read();
      if (how === 'keep' && ids.every((id) => this.has(id))) return;
      if (how !== 'toggle') this.#clear(false);
      for (const id of ids) this.#set(id, how !== 'toggle' || !this.has(id));
    });
  }

  /** Does something with what is selected once all that was asked for before is. */
  inTurn<T>(use: () => Promise<T>): Promise<T> {
    return this.#turns.run(use);
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
