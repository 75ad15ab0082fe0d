import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLibrary } from '../src/library/library.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { pageBytes, pageSize } from './libraryPages.ts';
import { ObservedLoop } from './observedLoop.ts';

/** Pages a second that the service permits. */
const pace = 8;
/** Before the loop is left alone again for as long. */
const turnsInARow = 10;

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
      await idleLoop.during(() => paced(some, async () => {}));
      const store = async (body: Uint8Array<ArrayBuffer>) => {
        await library.takeReports({ incoming: { body, serverTime: null }, chain: null, generation: null });
      };
      await loadingLoop.during(() => paced(some, store));
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

async function paced<T>(turns: readonly T[], work: (turn: T) => Promise<void>): Promise<void> {
  const underway: Promise<void>[] = [];
  for (const turn of turns) {
    underway.push(work(turn));
    await new Promise((resolve) => setTimeout(resolve, 1000 / pace));
  }
  await Promise.all(underway);
}
