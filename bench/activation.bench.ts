import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../scripts/places.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { packageEmptyExtension } from './emptyExtension.ts';
import { type BenchmarkResult, percentile, rowOf, sizeOf } from './libraryBenchmark.ts';

const windows = sizeOf('BENCH_WINDOWS', 10);
const ours = 'Report Library';
const spent = /Activation: (\d+)ms/;

/** Milliseconds that the editor says each of these extensions took to activate; waits until it says so. */
async function readActivations(editor: EditorWindow, names: Iterable<string>): Promise<Map<string, number>> {
  await editor.command('Developer: Show Running Extensions');
  const rows = editor.page.locator('.runtime-extensions-editor .extension');
  const found = new Map<string, number>();
  for (const name of names) {
    const row = rows.filter({ hasText: new RegExp(`^\\s*${name}\\s*\\d`) }).filter({ hasText: spent });
    found.set(name, Number(spent.exec(await row.first().innerText())?.[1]));
  }
  return found;
}

/**
 * Activation by the editor's own account, in fresh windows: ours, and empty extensions that are woken the same way (by
 * a command, in turns), beside two built-in extensions that start with the window.
 */
export async function run(): Promise<BenchmarkResult> {
  const folder = join(cache, 'bench');
  await rm(folder, { recursive: true, force: true });
  const empty = await packageEmptyExtension(folder, 'commonjs');
  const module = await packageEmptyExtension(folder, 'module');
  const wakes = [`${ours}: Show Log`, empty.wake, module.wake];
  const editor = await openEditor('activation', {
    settings: { 'workbench.editor.useModal': 'off' },
    extensions: [empty.vsix, module.vsix],
  });
  await editor.page.setViewportSize({ width: 1400, height: 3000 });
  const measured = new Map<string, number[]>(
    [ours, empty.displayName, module.displayName, 'Git', 'GitHub'].map((n) => [n, []]),
  );
  try {
    for (let window = 0; window < windows; window += 1) {
      if (window > 0) await editor.reload();
      await editor.whenQuiet();
      for (let turn = 0; turn < wakes.length; turn += 1)
        await editor.command(wakes[(window + turn) % wakes.length] ?? '');
      for (const [name, milliseconds] of await readActivations(editor, measured.keys()))
        measured.get(name)?.push(milliseconds);
    }
  } finally {
    await editor.close();
  }
  const ratio = percentile(measured.get(ours) ?? [], 0.5) / percentile(measured.get(empty.displayName) ?? [], 0.5);
  return {
    name: `activation, ${windows} windows`,
    goal: '<= 1.25x an empty extension',
    unit: 'ms',
    rows: [...measured].map(([peer, list]) => rowOf(peer, list)),
    ratio,
    met: ratio <= 1.25,
  };
}
