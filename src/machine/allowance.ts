import { isObject } from '../base/json.ts';
import type { SharedState } from '../base/sharedState.ts';

/** How much may be done: by this window until it closes, and by all windows on this machine in a day (UTC). */
export interface Caps {
  readonly perWindow: number;
  readonly perDay: number;
}

export interface AllowanceOptions {
  /** What all windows share. */
  readonly state: SharedState;
  /** The name that it is counted under. */
  readonly name: string;
  /** Read each time: a person may change them. */
  caps(): Caps;
  /** ms since the epoch. */
  now(): number;
}

/** What has been done, and what may be. */
export interface Spending extends Caps {
  readonly window: number;
  readonly day: number;
}

/** `day` is the one that it counts for. `unknown`: the other windows can't be seen, and nothing may be done. */
export type Taken =
  | { readonly kind: 'taken'; readonly day: number }
  | { readonly kind: 'too-many'; readonly left: number; readonly by: keyof Caps }
  | { readonly kind: 'unknown' };

const dayLength = 86_400_000;

/** A limited number of actions, counted before each: a window that dies in the middle has used its action up. */
export class Allowance {
  readonly #options: AllowanceOptions;
  #window = 0;

  constructor(options: AllowanceOptions) {
    this.#options = options;
  }

  /** Takes all of it, or nothing where that is more than is left. */
  async take(amount: number): Promise<Taken> {
    const { perWindow, perDay } = this.#options.caps();
    const left = Math.max(0, perWindow - this.#window);
    if (amount > left) return { kind: 'too-many', left, by: 'perWindow' };
    // Before anything is waited for, so that a second call of this window finds it taken.
    this.#window += amount;
    const counted = await this.#count((count) => (count + amount > perDay ? 0 : amount));
    if (counted?.added === amount) return { kind: 'taken', day: counted.day };
    this.#window -= amount;
    return counted
      ? { kind: 'too-many', left: Math.max(0, perDay - counted.count), by: 'perDay' }
      : { kind: 'unknown' };
  }

  /** Gives back what was taken on a day and not needed. Another day has none of it to give back. */
  async giveBack(amount: number, taken: number): Promise<void> {
    this.#window = Math.max(0, this.#window - amount);
    await this.#count((count, day) => (day === taken ? -Math.min(count, amount) : 0));
  }

  /** Null where the other windows can't be seen. */
  async spending(): Promise<Spending | null> {
    const counted = await this.#count(() => 0);
    return counted && { ...this.#options.caps(), window: this.#window, day: counted.count };
  }

  /** Adds to the count of the day; null where the other windows can't be seen. */
  async #count(amount: (count: number, day: number) => number) {
    const { state, name, now } = this.#options;
    const day = Math.floor(now() / dayLength);
    const counted = await state.update(name, (value) => {
      const stored = isObject(value) ? value : {};
      const before = stored.day === day ? Number(stored.count) : 0;
      const added = amount(before, day);
      const count = before + added;
      return { store: { day, count }, result: { day, count, added } };
    });
    return state.isShared ? counted : null;
  }
}
