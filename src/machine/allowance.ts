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
  /** Asked anew each time: a person may change them. */
  caps(): Caps;
  /** ms since the epoch. */
  now(): number;
}

/** What has been done, and what may be. */
export interface Spending extends Caps {
  readonly window: number;
  readonly day: number;
}

/** What came of asking for some: `unknown` where the other windows can't be seen, and nothing may be done. */
export type Taken =
  /** `day` is the one that it counts for. */
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
    const day = await this.#change((count) => (count + amount > perDay ? count : count + amount));
    const isTaken = day !== null && day.after - day.before === amount;
    if (!isTaken) this.#window -= amount;
    if (day === null) return { kind: 'unknown' };
    return isTaken
      ? { kind: 'taken', day: day.day }
      : { kind: 'too-many', left: Math.max(0, perDay - day.before), by: 'perDay' };
  }

  /** Gives back what was taken on a day and not needed. Another day has none of it to give back. */
  async giveBack(amount: number, taken: number): Promise<void> {
    this.#window = Math.max(0, this.#window - amount);
    await this.#change((count, day) => (day === taken ? Math.max(0, count - amount) : count));
  }

  /** Null where the other windows can't be seen. */
  async spending(): Promise<Spending | null> {
    const day = await this.#change((count) => count);
    return day && { ...this.#options.caps(), window: this.#window, day: day.after };
  }

  async #change(change: (count: number, day: number) => number) {
    const { state, name, now } = this.#options;
    const today = Math.floor(now() / dayLength);
    const result = await state.update(name, (value) => {
      const held = isObject(value) ? value : {};
      const stored = whole(held.day);
      // A clock that was set back gives nothing back; one that ran far ahead is no reason to wait until then.
      const day = stored > today + 1 ? today : Math.max(today, stored);
      const before = stored >= day ? whole(held.count) : 0;
      const after = change(before, day);
      const result = { before, after, day };
      return after === before && stored <= day ? { result } : { store: { day, count: after }, result };
    });
    return state.isShared ? result : null;
  }
}

const whole = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
