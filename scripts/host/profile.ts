import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fingerprint } from '../install/fingerprint.ts';
import type { Host } from '../install/hosts.ts';
import { root } from '../places.ts';
import { step } from '../progress.ts';
import type { Vsix } from '../vsix.ts';
import { terminalSettings } from './environment.ts';
import { type EditorOptions, installExtension } from './server.ts';
import { writeSettings } from './settings.ts';

/** A person's editor profile with the extension in it and a copy of the sample workspace, all in one ignored folder. */
export interface Profile {
  readonly workspace: string;
  readonly options: Omit<EditorOptions, 'port'>;
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? readFile(file, 'utf8') : undefined;
}

/**
 * Makes or refreshes the profile in `folder`. The person's settings and files stay; the extension is replaced when the
 * VSIX changed, and the sample's own files when those did.
 */
export async function prepareProfile(
  host: Host,
  vsix: Vsix,
  folder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<Profile> {
  const options = {
    userDataFolder: join(folder, 'user'),
    extensionsFolder: join(folder, 'extensions'),
    configFile: join(folder, 'config.yaml'),
    logFile: join(folder, 'editor.log'),
  };
  const workspace = join(folder, 'sample');
  await mkdir(folder, { recursive: true });
  // Without a file of its own, code-server makes one up with a password in it.
  await writeFile(options.configFile, 'auth: none\ncert: false\n');
  await writeSettings(join(options.userDataFolder, 'User', 'settings.json'), { ...terminalSettings(), ...settings });

  const sampleStamp = join(folder, 'sample.stamp');
  const sample = await fingerprint(join(root, 'sample'), ['**/*', '.vscode/*']);
  if ((await textOf(sampleStamp)) !== sample || !existsSync(workspace)) {
    await cp(join(root, 'sample'), workspace, { recursive: true });
    await writeFile(sampleStamp, sample);
  }

  const extensionStamp = join(folder, 'extension.stamp');
  if ((await textOf(extensionStamp)) !== vsix.stamp) {
    await step('Putting the extension into the editor', () => installExtension(host, vsix.file, options));
    await writeFile(extensionStamp, vsix.stamp);
  }
  return { workspace, options };
}

/** The address that opens `workspace` in the editor at `port`. */
export function workspaceUrl(port: number, workspace: string): string {
  const path = workspace.replaceAll('\\', '/');
  const folder = path.startsWith('/') ? path : `/${path}`;
  return `http://127.0.0.1:${port}/?folder=${encodeURI(folder).replaceAll('#', '%23').replaceAll('&', '%26')}`;
}
