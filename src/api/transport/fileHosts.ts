import type { Clock } from '../../base/clock.ts';
import { type HostSilence, linkLife } from '../schemas/report.ts';
import { ApiError, comeBack } from './errors.ts';

/**
 * Which hosts of files asked one client to be left alone for longer than a link lasts. Looked at before a link is asked
 * for, since each is counted, and before one is opened.
 */
export class FileHosts {
  readonly #clock: Clock;
  /** By origin; null for one that answered since. */
  readonly #known = new Map<string, HostSilence | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Set while every host that is known wants silence: which one a link leads to is not known before. */
  get silence(): HostSilence | null {
    let soonest: HostSilence | null = null;
    for (const silence of this.#known.values()) {
      if (!silence || silence.until <= this.#clock.monotonic()) return null;
      if (!soonest || silence.until < soonest.until) soonest = silence;
    }
    return soonest;
  }

  answered(origin: string): void {
    this.#known.set(origin, null);
  }

  /** A host asked for a wait of `ms`, and why. */
  refused(origin: string, ms: number, reason: string): void {
    if (ms > linkLife) this.#known.set(origin, { until: this.#clock.monotonic() + ms, reason });
  }

  /** @throws ApiError of kind `rate-limited` while a link to this host would not outlast the wait */
  requireFree(origin: string): void {
    const { until = 0, reason = '' } = this.#known.get(origin) ?? {};
    const left = until - this.#clock.monotonic();
    if (left <= linkLife) return;
    throw new ApiError({ kind: 'rate-limited', cause: reason, nextStep: comeBack(left), retryAfter: left });
  }

  /** A person wants to know: the next request goes out. */
  end(): void {
    this.#known.clear();
  }
}
