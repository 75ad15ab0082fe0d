import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { say } from '../scripts/progress.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { PdfReader } from '../src/text/extract.ts';
import { cellsOf, proposedGrid } from '../src/webview/pdfPreview/tableGrid.ts';
import { confirmed, plain } from '../test/support/tables/confirm.ts';
import { demoTables, type MadeTable, madeTables, textOfPage } from '../test/support/tables/madeTables.ts';
import { type BenchmarkResult, round, rowOf } from './libraryBenchmark.ts';

const goal = { right: 0.95, ms: 100 };

/**
 * Tables with known cells: how many cells are right as proposed, and after at most two drags, beside what
 * `pdftotext -layout` makes of the same box when its lines are parted at two blanks; and how long a proposal takes.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const tables = [...madeTables(), ...(await demoTables(10))];
  const folder = mkdtempSync(join(tmpdir(), 'report-library-tables-'));
  const script = join(import.meta.dirname, '..', 'src', 'text', 'reader.worker.ts');
  const reader = new PdfReader({ script, clock: systemClock, logger: silentLogger });
  const put = async (bytes: Uint8Array) => {
    writeFileSync(join(folder, 'page.pdf'), bytes);
    return join(folder, 'page.pdf');
  };
  const times: number[] = [];
  const all = tables.reduce((sum, { cells }) => sum + cells.flat().length, 0);
  let [proposed, right, unmarked] = [0, 0, 0];
  for (const table of tables) {
    const { words } = await textOfPage({ reader, put }, table.bytes);
    const start = performance.now();
    cellsOf(words, proposedGrid(words, table.box));
    times.push(performance.now() - start);
    proposed += confirmed(table, words, 0).right;
    const best = confirmed(table, words);
    right += best.right;
    unmarked += best.unmarked;
  }
  reader.dispose();
  rmSync(folder, { recursive: true, force: true });
  const row = (peer: string, value: number) => ({ peer, p50: round(value), p95: round(value) });
  const peers = await byPdftotext(tables, all);
  const time = rowOf('Copy Table', times);
  return [
    {
      name: `cells of ${tables.length} tables that are right`,
      goal: `>= ${goal.right} after two drags, none wrong and unmarked`,
      unit: 'share of cells',
      rows: [row('as proposed', proposed / all), row('after at most two drags', right / all), ...peers],
      ratio: round(right / all),
      met: right / all >= goal.right && unmarked === 0,
    },
    {
      name: 'rows, columns and cells of a table',
      goal: `<= ${goal.ms} ms`,
      unit: 'ms',
      rows: [time],
      ratio: round(time.p95 / goal.ms),
      met: time.p95 <= goal.ms,
    },
  ];
}

async function byPdftotext(tables: readonly MadeTable[], all: number): Promise<BenchmarkResult['rows'][number][]> {
  if (spawnSync('pdftotext', ['-v']).error) {
    say('pdftotext (Debian: poppler-utils) is not installed: nothing to compare with.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'report-library-tables-'));
  try {
    let right = 0;
    for (const table of tables) right += rightIn(table, layoutOf(table, join(folder, 'table.pdf')));
    const share = round(right / all);
    return [{ peer: 'pdftotext -layout', p50: share, p95: share }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The lines of the box, parted at two blanks and more. Points are pixels at 72 dots an inch. */
function layoutOf({ bytes, box }: MadeTable, file: string): string[][] {
  writeFileSync(file, bytes);
  const [x, y] = [Math.round(box.left), Math.round(box.top)];
  const [width, height] = [Math.round(box.right - box.left), Math.round(box.bottom - box.top)];
  const crop = ['-r', 72, '-x', x, '-y', y, '-W', width, '-H', height].map(String);
  const text = execFileSync('pdftotext', ['-layout', ...crop, file, '-'], { encoding: 'utf8' });
  const lines = text.split(/[\n\f]/).filter((line) => line.trim() !== '');
  return lines.map((line) => line.trimEnd().split(/ {2,}/));
}

/** Cells that are where they belong; one whose row or place in it is another is wrong. Empty ones are not told, and not counted against it. */
function rightIn({ cells }: MadeTable, lines: readonly (readonly string[])[]): number {
  let right = 0;
  cells.forEach((row, y) => {
    const filled = (lines[y] ?? []).map(plain);
    const isLeading = row[0] === '' && filled[0] === '';
    row.forEach((wanted, x) => {
      const at = isLeading || row[0] !== '' ? x : x - 1;
      if (plain(wanted).normalize('NFKC') === (filled[at] ?? '').normalize('NFKC')) right += 1;
    });
  });
  return right;
}
