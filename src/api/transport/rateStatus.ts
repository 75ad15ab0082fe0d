import { Emitter, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';

/** What the last answers told about the key's rate, and what the client waits for. Times are ms since the epoch. */
export interface RateLimitStatus {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When `remaining` was read. */
  readonly readAt: number | null;
  /** Set while requests wait because the service asked for it. */
  readonly waiting: { readonly until: number; readonly reason: string } | null;
}

/** Holds the status and tells when it changes. */
export class RateBoard {
  readonly #emitter = new Emitter<RateLimitStatus>();
  readonly #logger: Logger;
  #status: RateLimitStatus = { limit: null, remaining: null, readAt: null, waiting: null };

  readonly onDidChange: Event<RateLimitStatus> = this.#emitter.event;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get status(): RateLimitStatus {
    return this.#status;
  }

  set(change: Partial<RateLimitStatus>): void {
    this.#status = { ...this.#status, ...change };
    try {
      this.#emitter.fire(this.#status);
    } catch {
      // A view that fails to show the rate must not fail the request.
      this.#logger.warn('A listener of the request rate failed.');
    }
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}
