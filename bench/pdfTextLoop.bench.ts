import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import type { HerePdf } from '../src/text/textIndex.ts';
import { openTextIndex } from '../src/text/textIndex.ts';
import { catalogOf } from '../test/support/demo/generated.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { ObservedLoop } from './observedLoop.ts';

const count = sizeOf('LOOP_PDFS', 240);
/** PDFs that are read before the loop is left alone for a while, ms. */
const inARow = 40;
const rest = 1500;

/** What the main thread's loop suffers while PDFs are read, stored and indexed. */
export async function run(): Promise<BenchmarkResult> {
  const folder = mkdtempSync(join(tmpdir(), 'report-library-text-loop-'));
  const at = (path: string) => new URL(`../src/text/${path}`, import.meta.url);
  const index = openTextIndex({
    path: join(folder, 'pages.sqlite'),
    reader: fileURLToPath(at('reader.worker.ts')),
    worker: at('text.worker.ts'),
    logger: silentLogger,
  });
  try {
    const pdfs = await drawn(folder);
    await index.setHere(pdfs);
    await index.setPublished(pdfs.map(({ sha256 }) => sha256));
    const [idleLoop, readingLoop] = [new ObservedLoop(), new ObservedLoop()];
    let pages = 0;
    for (let from = 0; from < pdfs.length; from += inARow) {
      const some = pdfs.slice(from, from + inARow).map(({ sha256 }) => sha256);
      await idleLoop.during(() => systemClock.sleep(rest));
      await readingLoop.during(async () => {
        const outcomes = await index.readNow(some);
        pages += outcomes.reduce((sum, outcome) => sum + (outcome.pages ?? 0), 0);
      });
    }
    const [idle, reading] = [idleLoop.delay(), readingLoop.delay()];
    const over = reading.p99 - idle.p99;
    return {
      name: `the main thread while ${pages} pages of ${pdfs.length} PDFs are read`,
      goal: 'p99 over idle <= 1 ms',
      unit: 'ms of delay',
      rows: [
        { peer: `idle (p99 ${idle.p99}, max ${idle.max}, busy ${idle.busy} %)`, p50: idle.p50, p95: idle.p95 },
        {
          peer: `reading (p99 ${reading.p99}, max ${reading.max}, busy ${reading.busy} %)`,
          p50: reading.p50,
          p95: reading.p95,
        },
      ],
      ratio: round(over),
      met: over <= 1,
    };
  } finally {
    await index.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drawn(folder: string): Promise<HerePdf[]> {
  const { reports, pdf } = catalogOf(200);
  const withFiles = reports.filter(({ has_file }) => has_file);
  const step = Math.max(1, Math.floor(withFiles.length / count));
  const pdfs: HerePdf[] = [];
  for (const report of withFiles.filter((_, index) => index % step === 0).slice(0, count)) {
    const path = join(folder, `${report.report_key}.pdf`);
    const { bytes, sha256 } = await pdf(report);
    writeFileSync(path, bytes);
    pdfs.push({ path, sha256, bytes: bytes.length, mtimeMs: statSync(path).mtimeMs, day: 20_000 });
  }
  return pdfs;
}
