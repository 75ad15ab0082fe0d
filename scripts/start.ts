import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installFirstLook, startSettings } from './host/firstLook.ts';
import { isFree, wantedPort } from './host/port.ts';
import { prepareProfile, workspaceUrl } from './host/profile.ts';
import { startEditor } from './host/server.ts';
import { installHost } from './install/hosts.ts';
import { cache } from './places.ts';
import { endOnSignals, isEnding } from './process/owned.ts';
import { main, PlainFailure, say, seconds } from './progress.ts';
import { packageVsix } from './vsix.ts';

/** The port of the last time if it is free: the browser keeps an editor's layout and secrets by address. */
async function usualPort(file: string): Promise<number> {
  const last = existsSync(file) ? Number(await readFile(file, 'utf8')) : 0;
  return Number.isInteger(last) && last > 0 && (await isFree(last)) ? last : 0;
}

endOnSignals(async () => say('\nEnding the editor …'));
await main(async () => {
  const began = performance.now();
  const unknown = process.argv.slice(2).find((argument) => argument !== '--no-demo');
  if (unknown !== undefined) throw new PlainFailure(`Unknown option ${unknown}: only --no-demo is known.`);
  const demo = !process.argv.includes('--no-demo');
  const wanted = await wantedPort(process.env.PORT);

  const host = await installHost('newest');
  const vsix = await packageVsix();
  const folder = join(cache, 'start', demo ? 'demo' : 'no-demo');
  // Signed out means signed out: nothing of an earlier time, at an address whose secrets nobody has kept.
  if (!demo) await rm(folder, { recursive: true, force: true });
  const profile = await prepareProfile(host, vsix, folder, startSettings(demo));
  await installFirstLook(host, folder, profile);

  const portFile = join(folder, 'port');
  const port = wanted ?? (await usualPort(portFile));
  const editor = await startEditor(host, { ...profile.options, port, workspaceTrust: true });
  await mkdir(folder, { recursive: true });
  await writeFile(portFile, String(editor.port));
  say(`Ready after ${seconds(began)}. Ctrl-C ends it. Open this in a browser:`);
  process.stdout.write(`${workspaceUrl(editor, profile.workspace)}\n`);
  const code = await editor.exited;
  if (isEnding()) return undefined;
  throw new PlainFailure(`The editor ended by itself with code ${code}; see ${profile.options.logFile}.`);
});
