import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openLibrary } from '../src/library/libraryClient.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { pageBytes, pageSize } from './libraryPages.ts';

/** Pages a second that the service permits. */
const pace = 8;
/** Before the loop is left alone again for as long. */
const turnsInARow = 10;

interface Delay {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** Share of the time in which the loop was busy. */
  readonly busy: number;
}

/** What the main thread's loop suffers while pages come in at the permitted pace and the worker stores them. */
export async function run(): Promise<BenchmarkResult> {
  const count = sizeOf('LOOP_PAGES', 80);
  const pages = Array.from({ length: count }, (_, p) => pageBytes(p));
  const directory = mkdtempSync(join(tmpdir(), 'report-library-loop-'));
  const worker = new URL('../src/library/worker.ts', import.meta.url);
  const library = openLibrary({ path: join(directory, 'library.db'), worker });
  try {
    await library.totals();
    const before = process.memoryUsage.rss();
    const idleLoop = new ObservedLoop();
    const loadingLoop = new ObservedLoop();
    for (let at = 0; at < pages.length; at += turnsInARow) {
      const some = pages.slice(at, at + turnsInARow);
      await idleLoop.during(some, async () => {});
      await loadingLoop.during(some, async (bytes) => {
        await library.takeReports({ incoming: { body: bytes, serverTime: null }, chain: null, generation: null });
      });
    }
    const [idle, loading] = [idleLoop.delay(), loadingLoop.delay()];
    const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
    const over = loading.p99 - idle.p99;
    return {
      name: `the main thread while ${count * pageSize} reports load at ${pace} pages a second`,
      goal: "p99 over idle <= 1 ms, max <= 16 ms or idle's, busy <= 5 %",
      unit: 'ms of delay',
      rows: [
        { peer: `idle (p99 ${idle.p99}, max ${idle.max}, busy ${idle.busy} %)`, p50: idle.p50, p95: idle.p95 },
        {
          peer: `loading (p99 ${loading.p99}, max ${loading.max}, busy ${loading.busy} %, memory +${round(grown)} MB)`,
          p50: loading.p50,
          p95: loading.p95,
        },
      ],
      ratio: round(over),
      met: over <= 1 && loading.max <= Math.max(16, idle.max) && loading.busy <= 5,
    };
  } finally {
    await library.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What a loop suffers, over several stretches of time: a machine's own unrest falls on idle and loading alike. */
class ObservedLoop {
  readonly #stretches: IntervalHistogram[] = [];
  #active = 0;
  #idle = 0;

  async during<T>(turns: readonly T[], work: (turn: T) => Promise<void>): Promise<void> {
    const start = performance.eventLoopUtilization();
    // One that is switched on again would count the time between.
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const underway: Promise<void>[] = [];
    for (const turn of turns) {
      underway.push(work(turn));
      await new Promise((resolve) => setTimeout(resolve, 1000 / pace));
    }
    await Promise.all(underway);
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
