import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../scripts/places.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { enterBaseUrl, submit } from '../test/support/browser/signIn.ts';
import { startTestDemo, type TestDemo } from '../test/support/demo/testDemo.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../test/support/demo/tinyCatalog.ts';
import { expandFocused, typeLetter } from './keyToPaint.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { packagePlainPick } from './plainPick.ts';
import { type PlainTree, packagePlainTree } from './plainTree.ts';

const turns = sizeOf('BENCH_TURNS', 15);
const children = 100;
const firstYear = 1990;
const yearOf = (turn: number) => firstYear + turn;
const folderOf = (turn: number) => `folder-${firstYear + turn}`;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One company with as many fiscal years as there are turns, a hundred reports in each: no year is opened twice. */
function catalog() {
  const key = 'XTST_MANY';
  const reports = Array.from({ length: (turns + 1) * children }, (_, index) => {
    const year = yearOf(Math.floor(index / children));
    return tinyReport(index + 1, key, {
      report_key: `${key}_${year}_SR_${index + 1}`,
      report_year: year,
      report_fcyear: year,
      report_title: `${letters[index % letters.length]?.repeat(3)} Report ${index + 1}`,
    });
  });
  return tinyCatalog([tinyCompany(key)], reports);
}

async function signIn(editor: EditorWindow, service: TestDemo): Promise<void> {
  await editor.openContainer('Report Library');
  await enterBaseUrl(editor, service.baseUrl);
  await submit(editor, service.key.reveal());
  await editor.treeRow('Watchlist', 'MANY Works').waitFor();
  await editor.usage().locator('.codicon-library').waitFor({ timeout: 120_000 });
}

/** Leaves one view open in our container, so that both trees paint as many rows. */
async function closeOtherViews(editor: EditorWindow): Promise<void> {
  for (const title of ['Reports', "What's New", 'Downloads']) {
    const header = editor.page.locator(`.pane-header[aria-label^="${title}"]`);
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }
}

/** Expands this row for the first time, and shuts it again. A click alone only puts the focus on it, by a setting. */
async function expandRow(editor: EditorWindow, container: string, view: string, text: string): Promise<number> {
  await editor.openContainer(container);
  await editor.treeRow(view, text).first().click();
  const shut = editor.focusedRow(text).and(editor.page.locator('[aria-expanded=false]'));
  await shut.waitFor();
  const spent = await expandFocused(editor.page);
  await editor.page.keyboard.press('ArrowLeft');
  await shut.waitFor();
  return spent;
}

/** A hundred reports in the Watchlist beside a hundred files in the Explorer, in turns; none was opened before. */
async function trees(editor: EditorWindow, plain: PlainTree): Promise<BenchmarkResult> {
  const ours: number[] = [];
  const explorer: number[] = [];
  const memory: number[] = [];
  const years = Array.from({ length: turns + 1 }, (_, turn) => yearOf(turns - turn));
  await closeOtherViews(editor);
  await editor.treeRow('Watchlist', 'MANY Works').first().click();
  await editor.page.keyboard.press('ArrowRight');
  await editor.treeRow('Watchlist', `Fiscal year ${years[0]}`).waitFor();
  for (const [turn, year] of years.entries()) {
    const peers = [
      () => expandRow(editor, 'Report Library', 'Watchlist', `Fiscal year ${year}`),
      () => expandRow(editor, 'Explorer', 'Explorer', folderOf(turn)),
      () => expandRow(editor, plain.container, 'Plain', plain.rowOf(turn)),
    ];
    const spent: number[] = [];
    for (const [index, expand] of turn % 2 === 0 ? [...peers.entries()] : [...peers.entries()].reverse())
      spent[index] = await expand();
    // The first turn loads code, and counts for nothing.
    if (turn === 0) continue;
    ours.push(spent[0] ?? Number.NaN);
    explorer.push(spent[1] ?? Number.NaN);
    memory.push(spent[2] ?? Number.NaN);
  }
  const ratio = percentile(ours, 0.5) / percentile(explorer, 0.5);
  return {
    name: `a tree's row with ${children} children, key to painted, ${turns} turns`,
    goal: '<= 1.35x the Explorer with as many files',
    unit: 'ms',
    rows: [
      rowOf('fiscal year in the Watchlist', ours),
      rowOf('folder in the Explorer', explorer),
      rowOf('an extension’s tree that answers from memory', memory),
    ],
    ratio: round(ratio),
    met: ratio <= 1.35,
  };
}

/** The first letter in Find Company or Report…, beside a quick pick that answers from memory, in turns. */
async function picks(editor: EditorWindow, plain: { wake: string; displayName: string }): Promise<BenchmarkResult> {
  const lists = new Map<string, number[]>();
  const peers = [
    { name: 'Find Company or Report', title: 'Report Library: Find Company or Report…' },
    { name: plain.displayName, title: plain.wake },
  ];
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const { name, title } of turn % 2 === 0 ? peers : peers.toReversed()) {
      await editor.command(title);
      await editor.quickTitle().filter({ hasText: name }).waitFor();
      const spent = await typeLetter(editor.page, letters[turn % letters.length] ?? 'a');
      if (turn > 0) lists.set(name, [...(lists.get(name) ?? []), spent]);
      await editor.page.keyboard.press('Escape');
      await editor.quickTitle().waitFor({ state: 'hidden' });
    }
  }
  const [ours = [], memory = []] = [...peers.map(({ name }) => lists.get(name))];
  const ratio = percentile(ours, 0.5) / percentile(memory, 0.5);
  return {
    name: `quick pick over ${(turns + 1) * children} reports, key to painted, ${turns} turns`,
    goal: '<= 1.25x a quick pick that answers from memory',
    unit: 'ms',
    rows: [rowOf('Find Company or Report', ours), rowOf('answers from memory', memory)],
    ratio: round(ratio),
    met: ratio <= 1.25,
  };
}

/** What the sidebar and the quick pick take, in one window of a real editor. */
export async function run(): Promise<readonly BenchmarkResult[]> {
  const plain = await packagePlainPick(join(cache, 'bench'));
  const tree = await packagePlainTree(join(cache, 'bench'), turns, children);
  const service = await startTestDemo({ catalog: catalog() });
  try {
    const settings = { 'workbench.reduceMotion': 'on', 'workbench.tree.expandMode': 'doubleClick' };
    const editor = await openEditor('trees', { settings, extensions: [plain.vsix, tree.vsix] });
    try {
      for (let turn = 0; turn <= turns; turn += 1) {
        const folder = join(editor.workspace, folderOf(turn));
        await mkdir(folder);
        for (let file = 0; file < children; file += 1) await writeFile(join(folder, `${file} Report.txt`), '');
      }
      await editor.page.setViewportSize({ width: 1400, height: 1300 });
      await editor.reload();
      await signIn(editor, service);
      return [await trees(editor, tree), await picks(editor, plain)];
    } catch (error) {
      await editor.screenshot('failed-bench-trees');
      throw error;
    } finally {
      await editor.close();
    }
  } finally {
    await service.dispose();
  }
}
