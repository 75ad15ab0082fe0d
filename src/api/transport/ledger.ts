import type { Clock } from '../../base/clock.ts';
import type { Priority } from '../schemas/page.ts';

/** What requests are spent on. */
export const workKinds = ['sync', 'browsing', 'downloads', 'resolving', 'account'] as const;
export type Work = (typeof workKinds)[number];

/** A request that went out, each try by itself. */
export interface SentRequest {
  /** Path template below the base URL. */
  readonly route: string;
  readonly priority: Priority;
  /** When it went out, ms since the epoch. */
  readonly at: number;
  /** The answer's status; null when none came. */
  readonly status: number | null;
}

/** What was counted, for the whole life of the ledger and by the minute. */
export interface LedgerReading {
  /** When counting began, ms since the epoch. */
  readonly since: number;
  /** When this was read. */
  readonly at: number;
  readonly totals: Readonly<Record<Work, number>>;
  /** Among them: refused because the rate was exceeded (429), and those that failed otherwise. */
  readonly refused: number;
  readonly failed: number;
  /** Requests of the last 60 minutes, the running minute last. */
  readonly minutes: Readonly<Record<Work, readonly number[]>>;
}

const minute = 60_000;
const kept = 60;

/**
 * Counts what this process asks of one service: in memory, for the person alone; it is sent nowhere and ends with the
 * window. The service's own count (`/meta/usage`) covers every window and program that uses the key.
 */
export class RequestLedger {
  readonly #clock: Clock;
  readonly #since: number;
  readonly #totals = noRequests();
  /** By minutes since the epoch. */
  readonly #minutes = new Map<number, Record<Work, number>>();
  #refused = 0;
  #failed = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  note(request: SentRequest): void {
    const work = workOf(request);
    this.#totals[work]++;
    if (request.status === 429) this.#refused++;
    else if (request.status === null || request.status < 200 || request.status > 299) this.#failed++;
    const key = Math.floor(request.at / minute);
    const counts = this.#minutes.get(key) ?? noRequests();
    counts[work]++;
    this.#minutes.set(key, counts);
    for (const old of this.#minutes.keys()) if (old <= key - kept) this.#minutes.delete(old);
  }

  read(): LedgerReading {
    const at = this.#clock.now();
    const first = Math.floor(at / minute) - kept + 1;
    const minutes = byWork((work) =>
      Array.from({ length: kept }, (_, index) => this.#minutes.get(first + index)?.[work] ?? 0),
    );
    const totals = { ...this.#totals };
    return { since: this.#since, at, totals, refused: this.#refused, failed: this.#failed, minutes };
  }
}

/** What a request is for: its route tells, and for lists whether a person waits for it. */
export function workOf({ route, priority }: Pick<SentRequest, 'route' | 'priority'>): Work {
  if (route === '/reports/{report_id}/download') return 'downloads';
  if (route === '/companies/resolve' || route === '/reports/lookup') return 'resolving';
  if (route === '/health' || route === '/entitlements' || route === '/meta/usage') return 'account';
  return priority === 'background' ? 'sync' : 'browsing';
}

/** A value for each kind of work. */
export function byWork<T>(make: (work: Work) => T): Record<Work, T> {
  return Object.fromEntries(workKinds.map((work) => [work, make(work)])) as Record<Work, T>;
}

function noRequests(): Record<Work, number> {
  return byWork(() => 0);
}
