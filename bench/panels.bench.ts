import type { Browser, Page } from 'playwright-core';
import { launch } from '../scripts/host/page.ts';
import { installBrowser } from '../scripts/install/browser.ts';
import { openEditorPage } from '../test/browser/editorPage.ts';
import { openCoverage } from '../test/browser/openPanel.ts';
import { startPreviewServer } from '../test/browser/previewServer.ts';
import { sampleCoverage } from '../test/support/panels/coverage.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';

const turns = sizeOf('PANEL_TURNS', 15);
const companies = sizeOf('PANEL_COMPANIES', 5000);
const years = 12;
/** A panel that says one word as soon as it can. */
const trivial = `document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Trivial' }));`;

/** When the page's largest content was painted, ms after it was asked for. */
const painted = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      const last = list.getEntries().at(-1);
      if (last) resolve(last.startTime);
    });
    observer.observe({ type: 'largest-contentful-paint', buffered: true });
  })`) as Promise<number>;

/** Times between frames while five rows go by in each, ms. */
const scrolled = (page: Page, frames: number) =>
  page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector('.grid');
    const times = [];
    let last;
    const step = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      if (times.length === ${frames}) return resolve(times);
      if (grid) grid.scrollTop += 130;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`) as Promise<number[]>;

/** Memory of the page's scripts after a collection, MB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/**
 * The coverage matrix beside a panel that shows one word, in turns, in one browser: the pages, policy and scripts are
 * the editor's, the frame around them is not.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const server = await startPreviewServer(['coverage'], { given: { trivial } });
  let browser: Browser | undefined;
  try {
    browser = await launch(await installBrowser());
    const stage = { browser, origin: server.origin };
    const view = sampleCoverage(companies, years);
    const paints: Record<'trivial' | 'coverage', number[]> = { trivial: [], coverage: [] };
    const frames: Record<'idle' | 'scrolling', number[]> = { idle: [], scrolling: [] };
    const heaps: Record<'trivial' | 'coverage', number[]> = { trivial: [], coverage: [] };
    for (let turn = -1; turn < turns; turn++) {
      const plain = await openEditorPage(browser, `${server.origin}/panel/trivial`);
      const panel = await openCoverage(stage, view);
      // The first turn fills the caches.
      if (turn >= 0) {
        paints.trivial.push(await painted(plain.page));
        paints.coverage.push(await painted(panel.page));
      }
      if (turn >= 0 && turn < 5) {
        await plain.page.bringToFront();
        frames.idle.push(...(await scrolled(plain.page, 120)));
        await panel.page.bringToFront();
        frames.scrolling.push(...(await scrolled(panel.page, 120)));
        heaps.trivial.push(await heapOf(plain.page));
        heaps.coverage.push(await heapOf(panel.page));
      }
      await plain.close();
      await panel.close();
    }
    const first = percentile(paints.coverage, 0.5) / percentile(paints.trivial, 0.5);
    const scrolling = percentile(frames.scrolling, 0.95);
    const memory = percentile(heaps.coverage, 0.5) - percentile(heaps.trivial, 0.5);
    const what = `${companies} x ${years}`;
    return [
      {
        name: `coverage matrix ${what}: content painted`,
        goal: '<= 1.5x a trivial panel',
        unit: 'ms',
        rows: [rowOf('trivial panel', paints.trivial), rowOf('coverage matrix', paints.coverage)],
        ratio: round(first),
        met: first <= 1.5,
      },
      {
        name: `coverage matrix ${what}: frames while scrolling`,
        goal: 'p95 within one frame of 60 a second',
        unit: 'ms',
        rows: [rowOf('idle page', frames.idle), rowOf('five rows a frame', frames.scrolling)],
        ratio: round(scrolling / (1000 / 60)),
        // Timestamps of frames are rounded to a tenth.
        met: scrolling <= 1000 / 60 + 0.1,
      },
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
