import { Emitter, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Pause } from './budgetRow.ts';

/** What the last answers said about the key's rate, and what the client waits for. Times are ms since the epoch. */
export interface RateLimitStatus {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When `remaining` was read. */
  readonly readAt: number | null;
  /** Set while requests wait because the service asked for it. */
  readonly waiting: Pause | null;
}

/** What a person sees of the request budget. */
export class RateStatus {
  readonly #logger: Logger;
  readonly #emitter = new Emitter<RateLimitStatus>();
  /** The waits that the service asked for, by the requests that they hold. */
  readonly #pauses = new Map<string, Pause>();
  #current: RateLimitStatus = { limit: null, remaining: null, readAt: null, waiting: null };

  readonly onDidChange: Event<RateLimitStatus> = this.#emitter.event;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get current(): RateLimitStatus {
    return this.#current;
  }

  setRate(limit: number | null, remaining: number | null, readAt: number): void {
    this.#show({ limit, remaining, readAt });
  }

  /** Shows a wait, or with null that it is over. */
  setPause(name: string, pause: Pause | null): void {
    if (pause) this.#pauses.set(name, pause);
    else this.#pauses.delete(name);
    const [waiting = null] = this.#pauses.values();
    if (waiting?.until !== this.#current.waiting?.until) this.#show({ waiting });
  }

  clearPauses(): void {
    this.#pauses.clear();
    this.#show({ waiting: null });
  }

  dispose(): void {
    this.#emitter.dispose();
  }

  #show(change: Partial<RateLimitStatus>): void {
    this.#current = { ...this.#current, ...change };
    try {
      this.#emitter.fire(this.#current);
    } catch {
      // A view that fails to show the rate must not fail the request.
      this.#logger.warn('A listener of the request rate failed.');
    }
  }
}
