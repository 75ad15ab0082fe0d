import type { Browser, Page } from 'playwright-core';
import { launch } from '../scripts/host/page.ts';
import { installBrowser } from '../scripts/install/browser.ts';
import { openEditorPage } from '../test/browser/editorPage.ts';
import { openCoverage, openResolved, openTable } from '../test/browser/openPanel.ts';
import { startPreviewServer } from '../test/browser/previewServer.ts';
import { sampleCoverage } from '../test/support/panels/coverage.ts';
import { manyResolved } from '../test/support/panels/resolved.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { plainList, scrolled } from './scrolling.ts';

const turns = sizeOf('PANEL_TURNS', 15);
const companies = sizeOf('PANEL_COMPANIES', 5000);
const years = 12;
const results = sizeOf('PANEL_RESULTS', 10_000);
const reports = sizeOf('PANEL_REPORTS', 1_000_000);
/** Panels that show as little as there can be: one word; a long plain list, which is the least that scrolling costs. */
const given = {
  trivial: `document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Trivial' }));`,
  list: plainList,
};

/**
 * When the page's largest content was painted, ms after it was asked for, without the time that the harness took to
 * bring the content: it is not the editor's.
 */
const painted = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    const observer = new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1);
      if (last) resolve(last.startTime - (at('received') - at('posted')));
    });
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  })`) as Promise<number>;

/** Memory of the page's scripts after a collection, MB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/**
 * The coverage matrix and the table of all reports beside a panel that shows one word, in turns, in one browser: the pages,
 * policy and scripts are the editor's, the frame around them is not.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const server = await startPreviewServer(['coverage', 'resolveResults', 'reportTable'], { given });
  let browser: Browser | undefined;
  try {
    browser = await launch(await installBrowser());
    const stage = { browser, origin: server.origin };
    const view = sampleCoverage(companies, years);
    const entries = manyResolved(results);
    const paints: Record<'trivial' | 'coverage' | 'table', number[]> = { trivial: [], coverage: [], table: [] };
    const frames: Record<'idle' | 'list' | 'coverage' | 'results' | 'table', number[]> = {
      ...{ idle: [], list: [] },
      ...{ coverage: [], results: [], table: [] },
    };
    const heaps: Record<'trivial' | 'coverage', number[]> = { trivial: [], coverage: [] };
    for (let turn = -1; turn < turns; turn++) {
      const plain = await openEditorPage(browser, `${server.origin}/panel/trivial`);
      const panel = await openCoverage(stage, view);
      const table = await openTable(stage, reports);
      await table.page.locator('.body .row').first().waitFor();
      // The first turn fills the caches.
      if (turn >= 0) {
        paints.trivial.push(await painted(plain.page));
        paints.coverage.push(await painted(panel.page));
        paints.table.push(await painted(table.page));
      }
      if (turn >= 0 && turn < 5) {
        const list = await openEditorPage(browser, `${server.origin}/panel/list`);
        const resolved = await openResolved(stage, entries);
        for (const [what, { page }] of [
          ['idle', plain],
          ['list', list],
          ['coverage', panel],
          ['results', resolved],
          ['table', table],
        ] as const) {
          await page.bringToFront();
          frames[what].push(...(await scrolled(page, 120)));
        }
        heaps.trivial.push(await heapOf(plain.page));
        heaps.coverage.push(await heapOf(panel.page));
        await list.close();
        await resolved.close();
      }
      await plain.close();
      await panel.close();
      await table.close();
    }
    const first = percentile(paints.coverage, 0.5) / percentile(paints.trivial, 0.5);
    const rows = percentile(paints.table, 0.5) / percentile(paints.trivial, 0.5);
    const frame = 1000 / 60;
    const scrolling = (name: string, what: 'coverage' | 'results' | 'table'): BenchmarkResult => ({
      name: `${name}: frames while scrolling`,
      goal: 'p95 within one frame of 60 a second, or of the plain list where this browser needs longer for that',
      unit: 'ms',
      rows: [
        rowOf('idle page', frames.idle),
        rowOf('plain list', frames.list),
        rowOf('five rows a frame', frames[what]),
      ],
      ratio: round(percentile(frames[what], 0.95) / frame),
      // Timestamps of frames are rounded to a tenth.
      met: percentile(frames[what], 0.95) <= Math.max(frame, percentile(frames.list, 0.95)) + 0.1,
    });
    const memory = percentile(heaps.coverage, 0.5) - percentile(heaps.trivial, 0.5);
    const what = `${companies} x ${years}`;
    return [
      {
        name: `coverage matrix ${what}: content painted`,
        goal: '<= 1.5x a trivial panel (in the editor: npm run bench -- reportPanel)',
        unit: 'ms',
        rows: [rowOf('trivial panel', paints.trivial), rowOf('coverage matrix', paints.coverage)],
        ratio: round(first),
        met: first <= 1.5,
      },
      scrolling(`coverage matrix ${what}`, 'coverage'),
      scrolling(`${results} resolved identifiers`, 'results'),
      {
        name: `table of ${reports} reports: first rows painted`,
        goal: '<= 1.6x a trivial panel',
        unit: 'ms',
        rows: [rowOf('trivial panel', paints.trivial), rowOf('table of all reports', paints.table)],
        ratio: round(rows),
        met: rows <= 1.6,
      },
      scrolling(`table of ${reports} reports`, 'table'),
      {
        name: `coverage matrix ${what}: memory of its scripts`,
        goal: '<= 20 MB over a trivial panel',
        unit: 'MB',
        rows: [rowOf('trivial panel', heaps.trivial), rowOf('coverage matrix', heaps.coverage)],
        ratio: round(memory),
        met: memory <= 20,
      },
    ];
  } finally {
    await browser?.close();
    await server.close();
  }
}
