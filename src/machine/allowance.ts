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
  | { readonly kind: 'taken' }
  | { readonly kind: 'too-many'; readonly left: number; readonly by: keyof Caps }
  | { readonly kind: 'unknown' };

const dayLength = 86_400_000;

/** Something that may be done only so often, counted before it is done: a window that dies in the middle has used it up. */
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
    return isTaken ? { kind: 'taken' } : { kind: 'too-many', left: Math.max(0, perDay - day.before), by: 'perDay' };
  }

  /** Gives back what was taken and not needed. */
  async giveBack(amount: number): Promise<void> {
    this.#window = Math.max(0, this.#window - amount);
    await this.#change((count) => Math.max(0, count - amount));
  }

  /** Null where the other windows can't be seen. */
  async spending(): Promise<Spending | null> {
    const day = await this.#change((count) => count);
    return day && { ...this.#options.caps(), window: this.#window, day: day.after };
  }

  async #change(change: (count: number) => number): Promise<{ before: number; after: number } | null> {
    const { state, name, now } = this.#options;
    const today = Math.floor(now() / dayLength);
    const result = await state.update(name, (stored) => {
      const held = isObject(stored) ? stored : {};
      // A clock that was set back gives nothing back.
      const day = Math.max(today, whole(held.day));
      const before = whole(held.day) === day ? whole(held.count) : 0;
      const after = change(before);
      const result = { before, after };
      return after === before ? { result } : { store: { day, count: after }, result };
    });
    return state.isBlind ? null : result;
  }
}

const whole = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
