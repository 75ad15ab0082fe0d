import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launch } from '../scripts/host/page.ts';
import { installBrowser } from '../scripts/install/browser.ts';
import { root } from '../scripts/places.ts';
import { Paper } from '../src/demo/pdf/paper.ts';
import { openReadable } from '../test/browser/pdfStage.ts';
import { startPreviewServer } from '../test/browser/previewServer.ts';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { type BenchmarkResult, percentile, rowOf, sizeOf } from './libraryBenchmark.ts';

const turns = sizeOf('BENCH_TURNS', 12);
const pages = 60;
/** Some 60 px each: as fast as a wheel that is turned without a rest. */
const scrollSteps = sizeOf('PDF_SCROLL_STEPS', 9000);
const patience = 30_000;
const file = 'sixty-pages.pdf';

const manyPages = 500;

function paperOf(count: number): Uint8Array<ArrayBuffer> {
  const paper = new Paper({ title: `${count} pages`, author: 'Us', language: 'en', created: '2026-01-01', fileId: 1 });
  for (let page = 1; page <= count; page += 1) {
    paper.addPage();
    for (let line = 0; line < 50; line += 1)
      paper.text(`Page ${page}, line ${line}: emissions of 1,234 tonnes`, 60, 60 + line * 13.2, { size: 11 });
  }
  return paper.bytes();
}

/** pdf.js's own viewer component as a page of its own, with its files beside it. */
const stockPage = `<!doctype html><link rel="stylesheet" href="/web/pdf_viewer.css">
<style>#container { position: absolute; inset: 0; overflow: auto }</style><div id="container"><div class="pdfViewer"></div></div>
<script type="module">
import { getDocument, GlobalWorkerOptions } from '/build/pdf.min.mjs';
const { EventBus, PDFLinkService, PDFViewer } = await import('/web/pdf_viewer.mjs');
GlobalWorkerOptions.workerSrc = '/build/pdf.worker.min.mjs';
const eventBus = new EventBus();
const linkService = new PDFLinkService({ eventBus });
const viewer = new PDFViewer({ container: document.querySelector('#container'), eventBus, linkService });
eventBus.on('pagesinit', () => { viewer.currentScaleValue = 'page-width'; });
const url = (path) => new URL(path, location).href;
const document_ = await getDocument({ url: url('/${file}'), standardFontDataUrl: url('/standard_fonts/'),
  cMapUrl: url('/cmaps/'), wasmUrl: url('/wasm/'), useSystemFonts: false }).promise;
viewer.setDocument(document_);
linkService.setDocument(document_);
</script>`;

async function serveStock(pdf: Uint8Array): Promise<{ readonly url: string; close(): void }> {
  const types: Readonly<Record<string, string>> = { css: 'text/css', mjs: 'text/javascript' };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/start') return response.setHeader('content-type', 'text/html').end('<a href="/viewer">open</a>');
    if (pathname === '/viewer') return response.setHeader('content-type', 'text/html').end(stockPage);
    if (pathname === `/${file}`) return response.end(pdf);
    const folder = /^\/(build|web)\//.test(pathname) ? 'legacy' : '';
    const bytes = await readFile(join(root, 'node_modules', 'pdfjs-dist', folder, pathname)).catch(() => undefined);
    if (!bytes) return response.writeHead(404).end();
    return response.setHeader('content-type', types[pathname.split('.').at(-1) ?? ''] ?? 'text/plain').end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** When the first page's picture is painted, in ms since the epoch; null in a frame without a viewer. pdf.js puts it there when it is whole. */
const paintedAt = `document.querySelector('.pdfViewer') === null ? null : new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('.page[data-page-number="1"] .canvasWrapper canvas') !== null;
    requestAnimationFrame(isThere ? () => resolve(performance.timeOrigin + performance.now()) : look);
  };
  look();
})`;

/** Waits until a frame of the page shows the PDF's first page. What is asked of other frames meanwhile takes from its time. */
async function painted(page: Page): Promise<number> {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      // A frame may go away while it is asked: the next look finds the one that took its place.
      const at = await frame.evaluate(paintedAt).catch(() => null);
      if (typeof at === 'number') return at;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Nothing was painted for ${patience} ms.`);
}

/** How the two viewers are opened: again in a window where they were before, or for the first time in a fresh one. */
const openings = {
  again: { words: 'click to the first', maxRatio: 1.3, turns },
  first: { words: 'first click in a fresh window, its extensions still asleep, to the first', maxRatio: 2, turns: 4 },
} as const;

/**
 * From the click on a PDF of 60 pages in the editor's file list to its first page, beside a click on a link to a page
 * with pdf.js's own viewer component, in turns in one browser.
 */
async function opened(editor: EditorWindow, stock: string, how: keyof typeof openings): Promise<BenchmarkResult> {
  const spent = { ours: [] as number[], stock: [] as number[] };
  const { words, maxRatio, turns } = openings[how];
  const row = editor.page.getByRole('treeitem', { name: file });
  const warm = await stockPeer(editor.page.context());
  // The first turn loads code, and counts for nothing.
  for (let turn = 0; turn <= turns; turn += 1) {
    await editor.page.bringToFront();
    if (how === 'first') {
      await editor.reload();
      await editor.whenQuiet();
      await row.waitFor();
    }
    const clicked = Date.now();
    await row.click();
    const ours = (await painted(editor.page)) - clicked;
    await editor.closeTabs();
    const fresh = how === 'first' ? await editor.page.context().browser()?.newContext() : undefined;
    const peer = fresh ? await stockPeer(fresh) : warm;
    await peer.bringToFront();
    await peer.goto(`${stock}/start`);
    const clickedToo = Date.now();
    await peer.locator('a').click({ noWaitAfter: true });
    const theirs = (await painted(peer)) - clickedToo;
    await fresh?.close();
    if (turn === 0) continue;
    spent.ours.push(ours);
    spent.stock.push(theirs);
  }
  await warm.close();
  const ratio = percentile(spent.ours, 0.5) / percentile(spent.stock, 0.5);
  return {
    name: `PDF preview, ${words} of ${pages} pages, ${turns} turns`,
    goal: `<= ${maxRatio}x the stock viewer component`,
    unit: 'ms',
    rows: [rowOf('PDF preview', spent.ours), rowOf('pdf.js viewer component', spent.stock)],
    ratio,
    met: ratio <= maxRatio,
  };
}

async function stockPeer(context: BrowserContext): Promise<Page> {
  const peer = await context.newPage();
  await peer.setViewportSize({ width: 1000, height: 850 });
  return peer;
}

async function openedBoth(): Promise<readonly BenchmarkResult[]> {
  const pdf = paperOf(pages);
  const stock = await serveStock(pdf);
  const editor = await openEditor('pdfPreviewBench', {
    settings: { 'workbench.editorAssociations': { '*.pdf': 'reportLibrary.pdfPreview' } },
  });
  try {
    await writeFile(join(editor.workspace, file), pdf);
    // The file came after the folder was read, and the editor does not watch for such here.
    await editor.reload();
    // Before the extensions are there a PDF opens as text.
    await editor.whenQuiet();
    await editor.openContainer('Explorer');
    await editor.page.getByRole('treeitem', { name: file }).waitFor();
    return [await opened(editor, stock.url, 'again'), await opened(editor, stock.url, 'first')];
  } catch (error) {
    await editor.screenshot('failed-bench-pdfPreview');
    throw error;
  } finally {
    await editor.close();
    stock.close();
  }
}

/** Times between frames, and for how long the page in the middle of the window was blank each time that it was, in ms. */
const scrolledThrough = (steps: number) => `new Promise((resolve) => {
  const scroller = document.querySelector('.pdfViewer').parentElement;
  const { scrollHeight, clientHeight } = scroller;
  const step = (scrollHeight - clientHeight) / ${steps};
  const frames = [];
  const blanks = [];
  const seen = new Set();
  let last;
  let blankSince;
  let top = 0;
  const look = (now) => {
    if (last !== undefined) frames.push(now - last);
    last = now;
    const page = document.elementFromPoint(scroller.getBoundingClientRect().left + scroller.clientWidth / 2, innerHeight / 2)?.closest('.page');
    // Between two pages there is none.
    if (page) seen.add(page.dataset.pageNumber);
    const isBlank = page && page.querySelector('.canvasWrapper canvas') === null;
    if (isBlank) blankSince ??= now;
    else if (blankSince !== undefined) {
      blanks.push(now - blankSince);
      blankSince = undefined;
    }
    if (frames.length >= ${steps}) return resolve({ frames, blanks, seen: seen.size });
    scroller.scrollTop = top += step;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

interface Passage {
  readonly frames: readonly number[];
  readonly blanks: readonly number[];
  readonly seen: number;
}

/** From the first of 500 pages to the last without a rest, as a person does who looks for one. */
async function scrolled(): Promise<readonly BenchmarkResult[]> {
  const server = await startPreviewServer(['pdfPreview']);
  let browser: Browser | undefined;
  try {
    browser = await launch(await installBrowser());
    const panel = await openReadable({ browser, origin: server.origin }, paperOf(manyPages), { width: 1000 });
    const { frames, blanks, seen } = (await panel.page.evaluate(scrolledThrough(scrollSteps))) as Passage;
    // Fewer steps than pages leave some out.
    if (seen < 0.9 * Math.min(manyPages, scrollSteps)) throw new Error(`Only ${seen} of ${manyPages} pages went by.`);
    const longest = Math.max(0, ...blanks);
    const slow = percentile(frames, 0.95);
    return [
      {
        name: `PDF preview: frames while ${manyPages} pages go by in ${scrollSteps} steps`,
        goal: 'p95 <= 34 ms',
        unit: 'ms',
        rows: [rowOf('PDF preview', frames)],
        ratio: slow / 34,
        met: slow <= 34.1,
      },
      {
        name: `PDF preview: blank page in the middle while ${manyPages} pages go by`,
        goal: 'none longer than 200 ms',
        unit: 'ms',
        rows: [rowOf('PDF preview', blanks.length === 0 ? [0] : blanks)],
        ratio: longest / 200,
        met: longest <= 200,
      },
    ];
  } finally {
    await browser?.close();
    await server.close();
  }
}

export async function run(): Promise<readonly BenchmarkResult[]> {
  return [...(await scrolled()), ...(await openedBoth())];
}
