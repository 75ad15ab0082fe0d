import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../scripts/places.ts';
import { capture } from '../scripts/process/capture.ts';

/** An extension that does nothing but exist: what activation costs at least. */
export interface EmptyExtension {
  readonly displayName: string;
  /** The palette's title of the command that wakes it. */
  readonly wake: string;
  readonly vsix: string;
}

const scripts = {
  commonjs: "exports.activate = () => require('vscode').commands.registerCommand('ID', () => {});",
  module:
    "import * as vscode from 'vscode';\nexport const activate = () => vscode.commands.registerCommand('ID', () => {});",
};

/** Packages an empty extension, as CommonJS or as an ES module, into a VSIX in `folder`. */
export async function packageEmptyExtension(
  folder: string,
  type: 'commonjs' | 'module',
  displayName = `Empty ${type}`,
): Promise<EmptyExtension> {
  const name = displayName.toLowerCase().replaceAll(' ', '-');
  const command = `${name}.wake`;
  const contributes = { commands: [{ command, title: 'Wake', category: displayName }] };
  const manifest = { name, displayName, type, main: './main.js', contributes };
  const vsix = await packageExtension(join(folder, name), manifest, scripts[type].replace('ID', command));
  return { displayName, wake: `${displayName}: Wake`, vsix };
}

/** Packages a small extension, made in the folder `place`, into a VSIX beside it. Gives the VSIX's path. */
export async function packageExtension(
  place: string,
  manifest: { readonly name: string; readonly displayName: string; readonly [field: string]: unknown },
  script: string,
): Promise<string> {
  const common = {
    publisher: 'bench',
    version: '0.0.1',
    engines: { vscode: '^1.110.0' },
    extensionKind: ['workspace'],
    activationEvents: [],
  };
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), JSON.stringify({ ...common, ...manifest }));
  await writeFile(join(place, 'main.js'), script);
  await writeFile(join(place, 'README.md'), manifest.displayName);
  const vsix = `${place}.vsix`;
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', vsix];
  const { code, output } = await capture(process.execPath, args, { cwd: place });
  if (code !== 0) throw new Error(output);
  return vsix;
}
