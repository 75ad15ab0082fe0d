/** Which reports are selected: some by their ids, or all that the filter leaves but some. */
export class SelectedReports {
  readonly #ids = new Set<number>();
  #isAll = false;

  get isAll(): boolean {
    return this.#isAll && this.#ids.size === 0;
  }

  has(id: number): boolean {
    return this.#ids.has(id) !== this.#isAll;
  }

  /** How many they are, of so many that the filter leaves. */
  count(total: number): number {
    return this.#isAll ? Math.max(0, total - this.#ids.size) : this.#ids.size;
  }

  all(): void {
    this.#ids.clear();
    this.#isAll = true;
  }

  none(): void {
    this.#ids.clear();
    this.#isAll = false;
  }

  add(ids: readonly number[]): void {
    for (const id of ids) this.#set(id, true);
  }

  toggle(ids: readonly number[]): void {
    for (const id of ids) this.#set(id, !this.has(id));
  }

  /** Their ids; `left` gives those that the filter leaves. */
  async ids(left: () => Promise<readonly number[]>): Promise<readonly number[]> {
    return this.#isAll ? (await left()).filter((id) => !this.#ids.has(id)) : [...this.#ids];
  }

  #set(id: number, isSelected: boolean): void {
    if (isSelected !== this.#isAll) this.#ids.add(id);
    else this.#ids.delete(id);
  }
}
