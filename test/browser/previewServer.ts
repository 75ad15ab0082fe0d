import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { pageHtml } from '../../src/protocol/page.ts';

const root = new URL('../../', import.meta.url);

/** Serves built panels on loopback, as the editor would: the same HTML, the same policy, the same files. */
export interface PreviewServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** What is served besides the panels. */
export interface PreviewScripts {
  readonly given?: Readonly<Record<string, string>>;
  /** The reader's language, and what the product's sentences are called in it. */
  readonly speech?: Speech;
}

export interface Speech {
  readonly language: string;
  readonly words?: Readonly<Record<string, string>>;
}

/** Builds the scripts of panels, and serves them with their styles, and pages for scripts given as text, by their names. */
export async function startPreviewServer(
  panels: readonly string[],
  { given = {}, speech = { language: 'en' } }: PreviewScripts = {},
): Promise<PreviewServer> {
  const built = new Map<string, string>(Object.entries(given).map(([name, script]) => [`${name}.js`, script]));
  const { outputFiles } = await esbuild.build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: panels.flatMap(scriptsOf).map((name) => ({ in: `src/webview/${name}/main.ts`, out: name })),
    outdir: 'dist/webview',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2024',
    external: ['*.svg', '*.gif'],
    write: false,
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) built.set(basename(path), text);
  built.set('codicons.css', await codicons());

  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const panel = /^\/panel\/([a-zA-Z]+)$/.exec(path)?.[1];
    if (panel !== undefined && built.has(`${panel}.js`)) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(await htmlOf(panel, searchParams.get('look') ?? panel, built, speech));
    }
    const script = built.get(path.slice('/scripts/'.length));
    if (script === undefined || !path.startsWith('/scripts/')) return response.writeHead(404).end();
    response.setHeader('content-type', `text/${path.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`);
    return response.end(script);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: originOf(server), close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** The scripts of a panel; several are no part of its HTML. */
const scriptsOf = (panel: string) => (panel === 'pdfPreview' ? ['pdfWorker', panel] : [panel]);

/** The icons' style sheet with their font in it. */
async function codicons(): Promise<string> {
  const icons = new URL('node_modules/@vscode/codicons/dist/', root);
  const font = (await readFile(new URL('codicon.ttf', icons))).toString('base64');
  const sheet = await readFile(new URL('codicon.css', icons), 'utf8');
  return sheet.replace(/url\("[^"]*"\)/, `url("data:font/ttf;base64,${font}")`);
}

async function htmlOf(
  panel: string,
  look: string,
  built: ReadonlyMap<string, string>,
  speech: Speech,
): Promise<string> {
  const media = (name: string) => readFile(new URL(`media/panels/${name}.css`, root), 'utf8');
  const isLarge = panel === 'pdfPreview';
  const librarySheets = [`${panel}.css`, 'codicons.css'];
  const scripts = scriptsOf(panel).map((name) => `${name}.js`);
  const addresses = (names: readonly string[]) => names.map((name) => `/scripts/${name}`);
  return pageHtml({
    nonce: randomBytes(16).toString('base64url'),
    ...speech,
    title: panel,
    styles: [
      ...(isLarge ? [] : librarySheets.map((name) => built.get(name) ?? '')),
      await media('panel'),
      ...(panel === 'coverage' || panel === 'reportTable' ? [await media('rowGrid')] : []),
      // Not every script that is given has styles of its own.
      await media(look).catch(() => ''),
    ],
    ...(isLarge
      ? { scripts: [], sheets: addresses(librarySheets), sources: addresses(scripts) }
      : { scripts: scripts.map((name) => built.get(name) ?? '') }),
    hasWorker: isLarge,
  });
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
