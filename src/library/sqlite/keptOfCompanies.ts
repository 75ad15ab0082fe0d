import type { LibraryChange } from '../libraryChange.ts';
import type { Connection } from './connection.ts';

/** Something made from all companies, kept while little changes, and the companies that it is behind on. */
export class KeptOfCompanies<Whole> {
  readonly #mostStale: number;
  readonly #stale = new Set<string>();
  #whole: Whole | null = null;

  /** @param mostStale with more changed companies than this, making it anew is quicker than correcting it */
  constructor(connection: Connection, mostStale = Number.POSITIVE_INFINITY) {
    this.#mostStale = mostStale;
    connection.onRollback(() => this.forget());
  }

  /** What was kept last, correct or not. */
  get whole(): Whole | null {
    return this.#whole;
  }

  keep(whole: Whole): Whole {
    this.#stale.clear();
    this.#whole = whole;
    return whole;
  }

  forget(): void {
    this.#stale.clear();
    this.#whole = null;
  }

  /** To be told of every write, own or another window's. */
  note(change: LibraryChange): void {
    if (!this.#whole) return;
    if (change.companies === 'many' || change.renamed.length > 0) this.forget();
    else for (const key of change.companies) this.#stale.add(key);
    if (this.#stale.size > this.#mostStale) this.forget();
  }

  /**
   * What is kept, corrected; null when there is nothing. `correct` looks at the companies with these keys again, and says
   * no when that does not do: what was kept is forgotten then.
   */
  present(correct: (whole: Whole, stale: readonly string[]) => boolean): Whole | null {
    if (this.#whole && this.#stale.size > 0 && !correct(this.#whole, [...this.#stale])) this.forget();
    this.#stale.clear();
    return this.#whole;
  }
}
