import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from '../install/fingerprint.ts';
import type { Host } from '../install/hosts.ts';
import { cache, root } from '../places.ts';
import { step } from '../progress.ts';
import type { Vsix } from '../vsix.ts';
import { terminalSettings } from './environment.ts';
import { type EditorOptions, installExtension, type Server } from './server.ts';
import { writeSettings } from './settings.ts';

/** A person's editor profile with the extension in it and a copy of the sample workspace, all in one ignored folder. */
export interface Profile {
  readonly workspace: string;
  readonly options: Omit<EditorOptions, 'port' | 'workspaceTrust'>;
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, 'utf8') : undefined;
}

/** Where an editor keeps its things, all of it in `folder`, which is made. */
async function editorFolders(folder: string): Promise<Profile['options']> {
  const configFile = join(folder, 'config.yaml');
  await mkdir(folder, { recursive: true });
  // Without a file of its own, code-server makes one up with a password in it.
  await writeFile(configFile, 'auth: none\ncert: false\n');
  return {
    userDataFolder: join(folder, 'user'),
    extensionsFolder: join(folder, 'extensions'),
    configFile,
    logFile: join(folder, 'editor.log'),
  };
}

/** Puts the extension into an editor's folder of extensions, unless it is what was put there last. */
async function install(host: Host, vsix: Vsix, options: Profile['options']): Promise<void> {
  const stamp = `${options.extensionsFolder}.stamp`;
  if ((await textOf(stamp)) === vsix.stamp) return;
  await step('Putting the extension into the editor', () => installExtension(host, vsix.file, options));
  await writeFile(stamp, vsix.stamp);
}

/**
 * A folder with our extension alone in it, for all editors that install no other: putting it there takes as long as half
 * a start of the editor. To be made before two ask for it at once.
 */
export async function sharedExtensions(host: Host, vsix: Vsix): Promise<string> {
  const options = await editorFolders(join(cache, 'extensions', host.name));
  await install(host, vsix, options);
  return options.extensionsFolder;
}

/**
 * Makes or refreshes the profile in `folder`. The person's settings and files stay; the extension is replaced when the
 * VSIX changed, and the sample's own files when those did. `extensions` is a folder that has the extension already.
 */
export async function prepareProfile(
  host: Host,
  vsix: Vsix,
  folder: string,
  settings: Readonly<Record<string, unknown>>,
  extensions?: string,
): Promise<Profile> {
  const own = await editorFolders(folder);
  const options = { ...own, extensionsFolder: extensions ?? own.extensionsFolder };
  const workspace = join(folder, 'sample');
  await writeSettings(join(options.userDataFolder, 'User', 'settings.json'), { ...terminalSettings(), ...settings });

  const sampleStamp = join(folder, 'sample.stamp');
  const sample = await fingerprint(join(root, 'sample'), ['**/*', '.vscode/*']);
  if ((await textOf(sampleStamp)) !== sample || !existsSync(workspace)) {
    await cp(join(root, 'sample'), workspace, { recursive: true });
    await writeFile(sampleStamp, sample);
  }

  if (extensions === undefined) await install(host, vsix, options);
  return { workspace, options };
}

/** The address that opens `workspace` in the editor. */
export function workspaceUrl(editor: Server, workspace: string): string {
  const path = workspace.replaceAll('\\', '/');
  const folder = path.startsWith('/') ? path : `/${path}`;
  return editor.url(`/?folder=${encodeURI(folder).replaceAll('#', '%23').replaceAll('&', '%26')}`);
}
