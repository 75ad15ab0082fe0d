import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { cache } from '../scripts/places.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { type BenchmarkResult, percentile, rowOf, sizeOf } from './libraryBenchmark.ts';
import { packagePlainPanel } from './plainPanel.ts';

const turns = sizeOf('BENCH_TURNS', 15);

/** The last thing that each panel paints: of a report its last column, of the plain panel its line. */
const painted = '[data-row="assurance_scope"], #painted';

/** Runs in every frame: tells when a click came, and when the frame after the content was there has begun. */
const watch = `
  addEventListener('click', () => { if (window === top) window.noteTime('click', performance.timeOrigin + performance.now()); }, true);
  let told = false;
  const look = () => {
    const isThere = document.querySelector(${JSON.stringify(painted)}) !== null;
    if (isThere && told) return;
    if (isThere) {
      told = true;
      requestAnimationFrame(() => window.noteTime('painted', performance.timeOrigin + performance.now()));
    }
    requestAnimationFrame(look);
  };
  if (window !== top) requestAnimationFrame(look);
`;

/**
 * From the click on a tree row to painted content: the report panel with its 63 fields, and a panel with one line that
 * comes the same way, in turns in one window. Both are closed again each time, so that each starts anew.
 */
export async function run(): Promise<BenchmarkResult> {
  const plain = await packagePlainPanel(join(cache, 'bench'));
  const editor = await openEditor('reportPanel', {
    settings: { 'reportLibrary.demo.openAtStart': true, 'workbench.reduceMotion': 'on' },
    extensions: [plain.vsix],
  });
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    await editor.page.setViewportSize({ width: 1400, height: 1300 });
    const times = await timesOf(editor);
    await editor.reload();
    await editor.openContainer('Report Library');
    const peers = [
      [await reportRow(editor), ours],
      [await plainRow(editor, plain.view, plain.row), theirs],
    ] as const;
    // The first turn loads code and fonts, and counts for nothing.
    for (let turn = 0; turn <= turns; turn++) {
      for (const [row, list] of turn % 2 === 0 ? peers : peers.toReversed()) {
        const spent = await times(() => row.click());
        if (turn > 0) list.push(spent);
        await editor.closeTabs();
      }
    }
  } finally {
    await editor.close();
  }
  const ratio = percentile(ours, 0.5) / percentile(theirs, 0.5);
  return {
    name: `panel, click to painted content, ${turns} turns`,
    goal: '<= 1.25x a panel with one line',
    unit: 'ms',
    rows: [rowOf('report panel', ours), rowOf('a panel with one line', theirs)],
    ratio,
    met: ratio <= 1.25,
  };
}

/** Measures from the click that `act` does to the paint that follows it, ms. */
async function timesOf({ page }: EditorWindow): Promise<(act: () => Promise<void>) => Promise<number>> {
  let clicked = 0;
  let onPainted: (at: number) => void = () => {};
  await page.exposeFunction('noteTime', (what: 'click' | 'painted', at: number) => {
    if (what === 'click') clicked = at;
    else onPainted(at);
  });
  await page.addInitScript(watch);
  return async (act) => {
    const paint = new Promise<number>((resolve) => {
      onPainted = resolve;
    });
    await act();
    return (await paint) - clicked;
  };
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

async function plainRow(editor: EditorWindow, view: string, text: string): Promise<Locator> {
  await editor.command(`Report Library: Focus on ${view} View`);
  const row = editor.treeRow(view, text);
  await row.waitFor();
  return row;
}
