import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
