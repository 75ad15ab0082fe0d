import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { cache } from '../scripts/places.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { type BenchmarkResult, percentile, rowOf, sizeOf } from './libraryBenchmark.ts';
import { packagePanelPeers, peerRows } from './panelPeers.ts';

const turns = sizeOf('BENCH_TURNS', 15);
const sizes = { companies: sizeOf('PANEL_COMPANIES', 5000), years: 12, results: sizeOf('PANEL_RESULTS', 10_000) };
/** Longest wait for a paint, ms. */
const patience = 30_000;

/** What stands for each panel's content, all of which comes at once: rows of a report, of results and of the matrix. */
const painted = ['.row[data-row]', '.body > .row', '#painted', '.markdown-body table'];

/** Runs in the window before anything else: keeps the time of the last click. */
const watch = `addEventListener('click', () => { window.clickedAt = performance.timeOrigin + performance.now(); }, true);`;

/** When the largest of what a panel shows was painted; null while its content is not there yet. */
const paintedAt = `document.querySelector(${JSON.stringify(painted.join(', '))}) === null ? null : new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    const last = list.getEntries().at(-1);
    if (last) resolve(performance.timeOrigin + last.startTime);
  });
  observer.observe({ type: 'largest-contentful-paint', buffered: true });
  // What is not painted soon is looked for again, in the frame that is there then.
  setTimeout(() => resolve(null), 1000);
})`;

type Panel = 'report' | keyof typeof peerRows;

/**
 * From the click on a tree row to painted content, in turns in one window: the report panel with its 63 fields, the
 * coverage matrix and a long list of results with made-up content, a panel with one line, and the built-in Markdown
 * preview of a page with as many rows as the report. All are closed again each time, so that each starts anew.
 */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const peers = await packagePanelPeers(join(cache, 'bench'), sizes);
  const editor = await openEditor('reportPanel', {
    settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.reduceMotion': 'on' },
    extensions: [peers.vsix],
  });
  const spent: Record<Panel, number[]> = { report: [], plain: [], coverage: [], results: [], markdown: [] };
  try {
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    await editor.page.addInitScript(watch);
    await editor.reload();
    await editor.openContainer('Report Library');
    await editor.command(`Report Library: Focus on ${peers.view} View`);
    const rows = new Map<Panel, Locator>([['report', await reportRow(editor)]]);
    for (const [panel, text] of Object.entries(peerRows)) {
      const row = editor.treeRow(peers.view, text);
      await row.waitFor();
      rows.set(panel as Panel, row);
    }
    // The first turn loads code and fonts, and counts for nothing.
    for (let turn = 0; turn <= turns; turn++) {
      for (const [panel, row] of turn % 2 === 0 ? rows : [...rows].toReversed()) {
        const time = await timeOf(editor, row);
        if (turn > 0) spent[panel].push(time);
        await editor.closeTabs();
      }
    }
  } catch (error) {
    await editor.screenshot('failed-bench-reportPanel');
    throw error;
  } finally {
    await editor.close();
  }
  const result = (name: string, ours: Panel, peer: Panel, maxRatio: number): BenchmarkResult => {
    const ratio = percentile(spent[ours], 0.5) / percentile(spent[peer], 0.5);
    const words = { ...peerWords, [ours]: name };
    return {
      name: `${name}, click to painted content, ${turns} turns`,
      goal: `<= ${maxRatio}x ${peerWords[peer]}`,
      unit: 'ms',
      rows: [rowOf(words[ours], spent[ours]), rowOf(words[peer], spent[peer])],
      ratio,
      met: ratio <= maxRatio,
    };
  };
  return [
    result('report panel', 'report', 'plain', 1.5),
    result('report panel', 'report', 'markdown', 0.85),
    result(`coverage matrix ${sizes.companies} x ${sizes.years}`, 'coverage', 'plain', 1.6),
    result(`${sizes.results} resolved identifiers`, 'results', 'plain', 1.5),
  ];
}

const peerWords: Readonly<Record<Panel, string>> = {
  report: 'report panel',
  plain: 'a panel with one line',
  coverage: 'coverage matrix',
  results: 'resolved identifiers',
  markdown: 'the built-in Markdown preview',
};

/** Clicks, and measures until the panel that this opens has been painted, ms. */
async function timeOf({ page }: EditorWindow, row: Locator): Promise<number> {
  await row.click();
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    for (const frame of page.frames().filter((each) => /^(pending|active)-frame$/.test(each.name()))) {
      // A frame may go away while it is asked: the next look finds the one that took its place.
      const at = await frame.evaluate(paintedAt).catch(() => null);
      if (typeof at === 'number') return at - ((await page.evaluate('window.clickedAt')) as number);
    }
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
  throw new Error(`Nothing was painted for ${patience} ms.`);
}

async function reportRow(editor: EditorWindow): Promise<Locator> {
  for (const text of ['Aarhorn Pharma AG', 'Fiscal year 2024']) {
    const row = editor.treeRow('Watchlist', text).first();
    await row.click();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await editor.page.keyboard.press('ArrowRight');
  }
  const row = editor.treeRow('Watchlist', 'Integrated Report 2024').first();
  await row.waitFor();
  return row;
}
