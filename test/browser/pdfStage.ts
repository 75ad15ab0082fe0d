import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import {
  firstPosition,
  firstReading,
  longestRange,
  type PdfjsFile,
  type Place,
  type Position,
  pdfPreviewProtocol,
  type Range,
  type ReadingHabits,
} from '../../src/protocol/pdfPreview.ts';
import { PdfReader } from '../../src/text/extract.ts';
import type { PreviewOptions } from './editorPage.ts';
import { type OpenPanel, open, type Stage } from './openPanel.ts';

export type Preview = OpenPanel<typeof pdfPreviewProtocol.page>;

/** What the editor would say of a file. */
export interface Start {
  readonly position?: Position;
  readonly place?: Place;
  readonly reading?: ReadingHabits;
  readonly password?: string;
  /** Bytes that come at once; a whole small file unless it is said. */
  readonly head?: number;
  /** Awaited before an opening, counted from 1, is answered; gives the place that it leads to. */
  readonly onOpen?: (version: number) => Promise<Place | undefined>;
  /** Asked before each range is answered. */
  readonly onRange?: (range: Range) => void;
}

const reader = new PdfReader({
  script: join(import.meta.dirname, '..', '..', 'src', 'text', 'reader.worker.ts'),
  clock: systemClock,
  logger: silentLogger,
});

/** The text of a page, as the editor gives it. */
async function placedText(bytes: Uint8Array, page: number) {
  const folder = await mkdtemp(join(tmpdir(), 'report-library-preview-'));
  try {
    const path = join(folder, 'a.pdf');
    await writeFile(path, bytes);
    const placed = await reader.placedText({ path }, page);
    if (!placed) throw new Error('The text of this page can’t be read.');
    return { text: placed.text, boxes: Float32Array.from(placed.boxes) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens a file, or what a file is each time that it is read. */
export function openPdf(
  stage: Stage,
  bytes: Uint8Array | (() => Uint8Array),
  options: PreviewOptions & Start = {},
): Promise<Preview> {
  const present = () => (typeof bytes === 'function' ? bytes() : bytes);
  let version = 0;
  const answers = {
    pdfjs: async ({ folder, name }: PdfjsFile) => {
      return { bytes: new Uint8Array(await readFile(join('node_modules', 'pdfjs-dist', folder, name))) };
    },
    open: async () => ({
      version: ++version,
      place: (await options.onOpen?.(version)) ?? options.place ?? null,
      length: present().length,
      head: new Uint8Array(present().subarray(0, options.head ?? longestRange)),
      position: options.position ?? firstPosition,
      reading: options.reading ?? firstReading,
      password: options.password ?? null,
    }),
    range: (range: Range) => {
      options.onRange?.(range);
      return { bytes: new Uint8Array(present().subarray(range.begin, range.end)) };
    },
    placedText: ({ page }: { readonly page: number }) => placedText(present(), page),
    actions: () => ['showReport', 'copyLink', 'split'],
  };
  return open(stage, 'pdfPreview', pdfPreviewProtocol, options, () => undefined, answers);
}

/** The same, once its text can be selected. */
export async function openReadable(...given: Parameters<typeof openPdf>): Promise<Preview> {
  const panel = await openPdf(...given);
  await panel.page.waitForSelector('.textLayer span');
  return panel;
}

/** Waits until an expression is true in the page; its policy lets no text be run as code again by itself. */
export async function until({ page }: Preview, expression: string): Promise<void> {
  const isTrue = await page.evaluate(`new Promise((resolve, reject) => {
    const deadline = performance.now() + 20_000;
    const look = () => {
      try {
        if (${expression}) resolve(true);
        else if (performance.now() > deadline) resolve(false);
        else requestAnimationFrame(look);
      } catch (error) {
        reject(error);
      }
    };
    look();
  })`);
  if (!isTrue) throw new Error(`This never came true: ${expression}`);
}

/** Waits until the page box holds this. */
export function isOnPage(panel: Preview, wanted: number | string): Promise<void> {
  return until(panel, `document.querySelector('.page-box').value === '${wanted}'`);
}

/** Waits until the page has told the editor this. */
export function told({ port }: Preview, data: string): Promise<void> {
  return new Promise((resolve) => {
    const subscription = port.onMessage((message) => {
      if (JSON.stringify(message).includes(data)) queueMicrotask(() => resolve(subscription.dispose()));
    });
  });
}

/** Waits until the match that is shown lies over these words of a page. */
export function isMarked(panel: Preview, page: number, words: string): Promise<void> {
  return until(
    panel,
    `(() => {
      const sheet = document.querySelector('.page[data-page-number="${page}"]');
      const mark = sheet.querySelector('.highlight.selected')?.getBoundingClientRect();
      const line = [...sheet.querySelectorAll('.textLayer span')].find(({ textContent }) => textContent.includes('${words}'));
      if (!mark || !line) return false;
      const range = document.createRange();
      const start = line.textContent.indexOf('${words}');
      range.setStart(line.firstChild, start + ${words.length - words.trimStart().length});
      range.setEnd(line.firstChild, start + ${words.trimStart().split(' ')[0]?.length ?? 0} + ${words.length - words.trimStart().length});
      const box = range.getBoundingClientRect();
      return Math.abs(mark.left - box.left) + Math.abs(mark.right - box.right) < 4 && mark.top < box.bottom && mark.bottom > box.top;
    })()`,
  );
}
