import { cp, glob, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../places.ts';

/**
 * A run of the editor tests: the tests of `test/editor/<name>/` in a copy of `test/workspaces/<name>/`. A file
 * `test/workspaces/<name>.run.json` may change what is not the default.
 */
export interface Label {
  readonly name: string;
  /** User settings for this run, beside the quiet ones. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** False opens the editor without any folder. */
  readonly folder: boolean;
  /** Name of a `.code-workspace` file in the workspace that is opened instead of the folder itself. */
  readonly workspaceFile?: string;
  /** True asks for trust, so that the folder opens in Restricted Mode. */
  readonly restricted: boolean;
}

const workspaces = join(root, 'test', 'workspaces');

async function readLabel(name: string): Promise<Label> {
  const plain: Label = { name, settings: {}, folder: true, restricted: false };
  try {
    const text = await readFile(join(workspaces, `${name}.run.json`), 'utf8');
    return { ...plain, ...(JSON.parse(text) as Partial<Label>) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return plain;
    throw error;
  }
}

/** All labels that have tests, the largest first: it takes longest, and the others fit in beside it. */
export async function findLabels(): Promise<Label[]> {
  const sizes = new Map<string, number>();
  const folder = join(root, 'test', 'editor');
  for await (const file of glob('*/**/*.test.ts', { cwd: folder })) {
    const name = file.split(/[\\/]/)[0] ?? '';
    sizes.set(name, (sizes.get(name) ?? 0) + (await stat(join(folder, file))).size);
  }
  const names = [...sizes].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return Promise.all(names.map(readLabel));
}

/** Copies a label's workspace to `place`, so that tests may write into it. */
export async function copyWorkspace(label: Label, place: string): Promise<void> {
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  if (label.folder) await cp(join(workspaces, label.name), place, { recursive: true });
}
