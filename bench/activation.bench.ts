import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from '../scripts/places.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { packageBareExtension } from './bareExtension.ts';
import { packageEmptyExtension } from './emptyExtension.ts';
import { type BenchmarkResult, middle, rowOf, sizeOf } from './libraryBenchmark.ts';
import { atRest, packageRestExtension } from './restExtension.ts';

const windows = sizeOf('BENCH_WINDOWS', 10);
const ours = 'Report Library';
/** The editor's own extension for Git, by the name that it shows; it wakes by itself when a window starts. */
const git = 'Git';
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
 * Activation by the editor's own account, in fresh windows: ours, and peers that are woken the same way (by a command,
 * in turns) once the window's own start is over. The first waking of a window goes to none of them. The editor tells
 * whole milliseconds, so the ratio is of the middle halves' means.
 */
export async function run(): Promise<BenchmarkResult> {
  const folder = join(cache, 'bench');
  await rm(folder, { recursive: true, force: true });
  const first = await packageEmptyExtension(folder, 'commonjs', 'First');
  const empty = await packageEmptyExtension(folder, 'commonjs');
  const module = await packageEmptyExtension(folder, 'module');
  const bare = await packageBareExtension(folder);
  const peers = [{ displayName: ours, wake: `${ours}: Show Log` }, empty, module, bare];
  const editor = await openEditor('activation', {
    settings: { 'workbench.editor.useModal': 'off' },
    extensions: [first.vsix, empty.vsix, module.vsix, bare.vsix, await packageRestExtension(join(folder, 'rest'))],
  });
  await editor.page.setViewportSize({ width: 1400, height: 3000 });
  const names = [...peers.map(({ displayName }) => displayName), git];
  const measured = new Map<string, number[]>(names.map((name) => [name, []]));
  try {
    for (let window = 0; window < windows; window += 1) {
      if (window > 0) await editor.reload();
      await editor.statusItem(atRest).waitFor({ timeout: 120_000 });
      await editor.command(first.wake);
      for (let turn = 0; turn < peers.length; turn += 1)
        await editor.command(peers[(window + turn) % peers.length]?.wake ?? '');
      for (const [name, milliseconds] of await readActivations(editor, measured.keys()))
        measured.get(name)?.push(milliseconds);
    }
  } finally {
    await editor.close();
  }
  const ratio = middle(measured.get(ours) ?? []) / middle(measured.get(git) ?? []);
  return {
    name: `activation, ${windows} windows`,
    goal: '<= 0.4x vscode.git',
    unit: 'ms',
    rows: [...measured].map(([peer, list]) => rowOf(peer, list)),
    ratio,
    met: ratio <= 0.4,
  };
}
