import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { slimPdf } from '../../scripts/slimPdf.ts';
import { pageHtml } from '../../src/protocol/page.ts';

const root = new URL('../../', import.meta.url);
const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

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
  const scripts = new Map<string, Uint8Array>();
  for (const [name, text] of Object.entries(given)) scripts.set(`${name}.js`, new TextEncoder().encode(text));
  const build = (entryPoints: { readonly in: string; readonly out: string }[], splitting: boolean) =>
    esbuild.build({
      absWorkingDir: fileURLToPath(root),
      entryPoints,
      outdir: 'dist/webview',
      bundle: true,
      minify: true,
      format: 'esm',
      splitting,
      chunkNames: 'shared-[hash]',
      target: 'es2024',
      plugins: [slimPdf],
      write: false,
      logLevel: 'error',
    });
  const pages = panels.map((name) => ({ in: `src/webview/${name}/main.ts`, out: name }));
  const others = workers.map((name) => ({ in: `src/webview/${name}.ts`, out: name.split('/').at(-1) ?? '' }));
  for (const { outputFiles } of await Promise.all([build(pages, true), build(others, false)])) {
    for (const { path, contents } of outputFiles) scripts.set(path.split(/[\\/]/).at(-1) ?? '', contents);
  }

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const panel = /^\/panel\/([a-zA-Z]+)$/.exec(path)?.[1];
    if (panel !== undefined) {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(htmlOf(panel, originOf(server), workers, speech));
    }
    const body = await fileOf(path, scripts);
    if (!body) return response.writeHead(404).end();
    response.setHeader('content-type', types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    return response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const script = (name: string) => new TextDecoder().decode(scripts.get(`${name}.js`));
  return { origin: originOf(server), script, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function htmlOf(panel: string, origin: string, workers: readonly string[], speech: Speech): string {
  return pageHtml({
    nonce: randomBytes(16).toString('base64url'),
    cspSource: origin,
    ...speech,
    title: panel,
    codicons: `${origin}/codicons/codicon.css`,
    stylesheets: [`${origin}/media/panel.css`, `${origin}/media/${panel}.css`],
    script: `${origin}/script/${panel}.js`,
    hasWorker: workers.some((name) => name.startsWith(`${panel}/`)),
  });
}

async function fileOf(path: string, scripts: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array | undefined> {
  const [, place, name] = /^\/(script|media|codicons)\/([\w.-]+)$/.exec(path) ?? [];
  if (place === undefined || name === undefined) return undefined;
  if (place === 'script') return scripts.get(name);
  const folder = place === 'media' ? 'media/panels' : 'node_modules/@vscode/codicons/dist';
  return readFile(new URL(`${folder}/${name}`, root)).catch(() => undefined);
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
