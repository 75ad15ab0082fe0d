import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { round } from './libraryBenchmark.ts';

/** How late a loop was, in ms. */
interface Delay {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Share of the time in which the loop was busy. */
  readonly busy: number;
}

/** What a loop suffers, over several stretches of time: a machine's own unrest falls on idle and loading alike. */
export class ObservedLoop {
  readonly #stretches: IntervalHistogram[] = [];
  #active = 0;
  #idle = 0;

  async during(work: () => Promise<void>): Promise<void> {
    const start = performance.eventLoopUtilization();
    // One that is switched on again would count the time between.
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await work();
    delay.disable();
    this.#stretches.push(delay);
    const { active, idle } = performance.eventLoopUtilization(start);
    this.#active += active;
    this.#idle += idle;
  }

  /** The percentiles of the stretch in the middle, and the worst delay of all. */
  delay(): Delay {
    const ms = (nanoseconds: number) => round(nanoseconds / 1e6);
    const middle = (percent: number) => {
      const sorted = this.#stretches.map((delay) => delay.percentile(percent)).sort((a, b) => a - b);
      return ms(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
    };
    return {
      p50: middle(50),
      p95: middle(95),
      p99: middle(99),
      max: ms(Math.max(...this.#stretches.map(({ max }) => max))),
      busy: round((this.#active / (this.#active + this.#idle)) * 100),
    };
  }
}
