import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { inHtml } from '../../scripts/inHtml.ts';
import { slimPdf } from '../../scripts/slimPdf.ts';
import { pageHtml } from '../../src/protocol/page.ts';

const root = new URL('../../', import.meta.url);

/** Serves built panels on loopback, as the editor would: the same HTML, the same policy, the same files. */
export interface PreviewServer {
  readonly origin: string;
  /** The text of a worker's script, by its name. */
  script(name: string): string;
  close(): Promise<void>;
}

/** What is served besides the panels. */
export interface PreviewScripts {
  readonly workers?: readonly string[];
  readonly given?: Readonly<Record<string, string>>;
  /** The reader's language, and what the product's sentences are called in it. */
  readonly speech?: Speech;
}

export interface Speech {
  readonly language: string;
  readonly words?: Readonly<Record<string, string>>;
}

/**
 * Builds the scripts of panels and of their workers (`pdfPreview/pdfWorker`), and serves them with their styles, and
 * pages for scripts given as text, by their names.
 */
export async function startPreviewServer(
  panels: readonly string[],
  { workers = [], given = {}, speech = { language: 'en' } }: PreviewScripts = {},
): Promise<PreviewServer> {
  const scripts = new Map<string, string>(Object.entries(given));
  const pages = panels.map((name) => ({ in: `src/webview/${name}/main.ts`, out: name }));
  const others = workers.map((name) => ({ in: `src/webview/${name}.ts`, out: name.split('/').at(-1) ?? '' }));
  const build = (entryPoints: typeof pages, format: 'iife' | 'esm') =>
    esbuild.build({
      absWorkingDir: fileURLToPath(root),
      entryPoints,
      outdir: 'dist/webview',
      bundle: true,
      minify: true,
      format,
      target: 'es2024',
      plugins: [slimPdf],
      write: false,
      logLevel: 'error',
    });
  for (const { outputFiles } of await Promise.all([build(pages, 'iife'), build(others, 'esm')])) {
    for (const { path, text } of outputFiles) scripts.set(basename(path, '.js'), text);
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const panel = /^\/panel\/([a-zA-Z]+)$/.exec(path)?.[1];
    const script = panel === undefined ? undefined : scripts.get(panel);
    if (panel !== undefined && script !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(await htmlOf(panel, script, workers, speech));
    }
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const script = (name: string) => scripts.get(name) ?? '';
  return { origin: originOf(server), script, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function htmlOf(panel: string, script: string, workers: readonly string[], speech: Speech): Promise<string> {
  const media = (name: string) => readFile(new URL(`media/panels/${name}.css`, root), 'utf8');
  const icons = new URL('node_modules/@vscode/codicons/dist/', root);
  const font = (await readFile(new URL('codicon.ttf', icons))).toString('base64');
  const codicons = await readFile(new URL('codicon.css', icons), 'utf8');
  return pageHtml({
    nonce: randomBytes(16).toString('base64url'),
    ...speech,
    title: panel,
    styles: [
      codicons.replace(/url\("[^"]*"\)/, `url("data:font/ttf;base64,${font}")`),
      await media('panel'),
      // Not every script that is given has styles of its own.
      await media(panel).catch(() => ''),
    ],
    scripts: [inHtml(script)],
    hasWorker: workers.some((name) => name.startsWith(`${panel}/`)),
  });
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
