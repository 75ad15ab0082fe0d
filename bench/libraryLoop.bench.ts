import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openLibrary } from '../src/library/libraryClient.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { pageBytes, pageSize } from './libraryPages.ts';

/** Pages a second that the service permits. */
const pace = 8;

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
    const idle = await observe(pages.length, async () => {});
    const before = process.memoryUsage.rss();
    const loading = await observe(pages.length, async (p) => {
      const bytes = pages[p];
      if (!bytes) return;
      await library.takeReports({ incoming: { bytes, serverTime: null }, chain: null, generation: null });
    });
    const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
    const over = loading.p99 - idle.p99;
    return {
      name: `the main thread while ${count * pageSize} reports load at ${pace} pages a second`,
      goal: 'p99 over idle <= 1 ms, max <= 16 ms, busy <= 5 %',
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
      met: over <= 1 && loading.max <= 16 && loading.busy <= 5,
    };
  } finally {
    await library.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function observe(turns: number, work: (turn: number) => Promise<void>): Promise<Delay> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const start = performance.eventLoopUtilization();
  delay.enable();
  const underway: Promise<void>[] = [];
  for (let turn = 0; turn < turns; turn++) {
    underway.push(work(turn));
    await new Promise((resolve) => setTimeout(resolve, 1000 / pace));
  }
  await Promise.all(underway);
  delay.disable();
  const ms = (nanoseconds: number) => round(nanoseconds / 1e6);
  return {
    p50: ms(delay.percentile(50)),
    p95: ms(delay.percentile(95)),
    p99: ms(delay.percentile(99)),
    max: ms(delay.max),
    busy: round(performance.eventLoopUtilization(start).utilization * 100),
  };
}
