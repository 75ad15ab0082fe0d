import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { type EditorWindow, openEditor } from '../test/support/browser/editor.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';

const pages = sizeOf('PDF_MEMORY_PAGES', 5000);
/** How long all of the pages take to go by, ms. */
const passage = sizeOf('PDF_MEMORY_MS', 50_000);
/** After so long nothing is on its way any more, and what was left over has been tidied up, ms. */
const calm = 60_000;
const side = 182;
/** Pages in a node of the tree of pages. */
const kids = 50;
const goal = 400;

/** A PDF with a picture of 100 kB of its own on each page, which no compression makes smaller. */
async function writePdf(path: string, count: number): Promise<void> {
  const file = await open(path, 'w');
  try {
    await writeObjects(file, count);
  } finally {
    await file.close();
  }
}

async function writeObjects(file: FileHandle, count: number): Promise<void> {
  const places: number[] = [];
  let at = 0;
  const write = async (bytes: Buffer | string) => {
    const { bytesWritten } = await file.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    at += bytesWritten;
  };
  const object = async (number: number, head: string, body?: Buffer) => {
    places[number] = at;
    if (!body) return write(`${number} 0 obj\n${head}\nendobj\n`);
    await write(`${number} 0 obj\n<< ${head} /Length ${body.length} >>\nstream\n`);
    await write(body);
    await write('\nendstream\nendobj\n');
  };
  const nodes = Math.ceil(count / kids);
  const nodeOf = (page: number) => 4 + Math.floor(page / kids);
  const pageOf = (page: number) => 4 + nodes + 3 * page;
  const list = (numbers: readonly number[]) => `[${numbers.map((number) => `${number} 0 R`).join(' ')}]`;
  const all = Array.from({ length: count }, (_, page) => page);
  const nodeNumbers = [...new Set(all.map(nodeOf))];
  await write('%PDF-1.7\n');
  await object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  await object(2, `<< /Type /Pages /Count ${count} /Kids ${list(nodeNumbers)} >>`);
  await object(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const node of nodeNumbers) {
    const own = all.filter((page) => nodeOf(page) === node).map(pageOf);
    await object(node, `<< /Type /Pages /Parent 2 0 R /Count ${own.length} /Kids ${list(own)} >>`);
  }
  // Beside one another, as writers of large files have them: who looks for a page need not read the whole file.
  for (const page of all) {
    const number = pageOf(page);
    const resources = `<< /Font << /F 3 0 R >> /XObject << /I ${number + 1} 0 R >> >> /Contents ${number + 2} 0 R`;
    await object(
      number,
      `<< /Type /Page /Parent ${nodeOf(page)} 0 R /MediaBox [0 0 595 842] /Resources ${resources} >>`,
    );
  }
  const size = `/Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceRGB`;
  for (const page of all) {
    await object(pageOf(page) + 1, `/Type /XObject /Subtype /Image ${size}`, randomBytes(side * side * 3));
    const lines = Array.from({ length: 30 }, (_, line) => `(Page ${page + 1}, line ${line}) Tj 0 -14 Td`);
    const drawn = `q 400 0 0 300 60 60 cm /I Do Q BT /F 11 Tf 60 800 Td ${lines.join('\n')} ET`;
    await object(pageOf(page) + 2, '', Buffer.from(drawn));
  }
  const start = at;
  const rows = Array.from(
    { length: places.length },
    (_, number) => `${String(places[number] ?? 0).padStart(10, '0')} 00000 n \n`,
  );
  rows[0] = '0000000000 65535 f \n';
  await write(`xref\n0 ${rows.length}\n${rows.join('')}trailer\n<< /Size ${rows.length} /Root 1 0 R >>\n`);
  await write(`startxref\n${start}\n%%EOF\n`);
}

/** What the editor, its extension host and the browser hold together, MB, each page that they share counted once. */
function memoryOf(parent: number): number {
  const children = (pid: number): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
          return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) === pid ? [Number(name)] : [];
        } catch {
          // It ended meanwhile.
          return [];
        }
      });
  const own = (pid: number) => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) / 1000;
    } catch {
      return 0;
    }
  };
  return children(parent).reduce((sum, pid) => sum + own(pid) + memoryOf(pid), 0);
}

/** Opens a file of the workspace from the editor's list, and waits for its first page. */
async function preview(editor: EditorWindow, name: string): Promise<Frame> {
  await editor.page.getByRole('treeitem', { name }).click();
  await editor.webview().locator('.page[data-page-number="1"] .canvasWrapper canvas').waitFor();
  for (const frame of editor.page.frames()) if ((await frame.locator('.pdfViewer .page').count()) > 0) return frame;
  throw new Error('The preview has no frame.');
}

/** All pages go by, each drawn or not as the time allows. */
const scrolledBy = `new Promise((resolve) => {
  const scroller = document.querySelector('.pdfViewer').parentElement;
  const begun = performance.now();
  const step = () => {
    const part = (performance.now() - begun) / ${passage};
    scroller.scrollTop = part * (scroller.scrollHeight - scroller.clientHeight);
    if (part >= 1) resolve(null);
    else requestAnimationFrame(step);
  };
  step();
})`;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a PDF of 500 MB takes in the real editor, over a preview of a small one. */
export async function run(): Promise<BenchmarkResult> {
  const editor = await openEditor('pdfMemory', {
    settings: { 'workbench.editorAssociations': { '*.pdf': 'reportLibrary.pdfPreview' } },
  });
  try {
    await writePdf(join(editor.workspace, 'small.pdf'), 1);
    await writePdf(join(editor.workspace, 'large.pdf'), pages);
    await editor.reload();
    await editor.whenQuiet();
    await editor.openContainer('Explorer');
    await preview(editor, 'small.pdf');
    await pause(calm / 4);
    const hasProc = existsSync('/proc/self/smaps_rollup');
    const empty = hasProc ? memoryOf(process.pid) : Number.NaN;
    const frame = await preview(editor, 'large.pdf');
    const opened = memoryOf(process.pid) - empty;
    let most = opened;
    const watch = setInterval(() => {
      most = Math.max(most, memoryOf(process.pid) - empty);
    }, 2000);
    await frame.evaluate(scrolledBy);
    const after = memoryOf(process.pid) - empty;
    await pause(calm);
    clearInterval(watch);
    const later = memoryOf(process.pid) - empty;
    const row = (peer: string, value: number) => ({ peer, p50: round(value), p95: round(value) });
    return {
      name: `PDF preview: memory of ${pages} pages of 100 kB, over a small one`,
      goal: `host and page together <= ${goal} MB over an empty preview`,
      unit: 'MB',
      rows: [
        row('first page shown', opened),
        row(`all pages went by in ${passage / 1000} s`, after),
        row(`${calm / 1000} s later`, later),
        row('most', most),
      ],
      ratio: round(most / goal),
      met: hasProc ? most <= goal : null,
    };
  } catch (error) {
    await editor.screenshot('failed-bench-pdfMemory');
    throw error;
  } finally {
    await editor.close();
  }
}
