import fonts from '../data/fonts.json' with { type: 'json' };
import { seededRandom } from '../random.ts';
import type { Bitmap } from './paper.ts';

const width = 496;
const height = 702;
const marginX = 50;
const marginY = 46;
const cell = { width: 6, height: 10 };
/** Rows of dots after which the page is a dot farther to the right: it lay askew. */
const rowsPerSlip = 170;

/** Characters a line and lines a page of a scan. */
export const scanColumns = Math.floor((width - 2 * marginX) / cell.width);
export const scanLines = Math.floor((height - 2 * marginY) / cell.height);

/** Glyphs by character, five columns of dots each. */
const glyphs = fonts.dots.map((dots) => Buffer.from(dots, 'hex'));

/** A typed page as a scanner of old sees it: black dots on white, askew, with specks. Only ASCII is shown. */
export function scanOf(lines: readonly string[], seed: number): Bitmap {
  const bytesPerRow = width / 8;
  const bits = new Uint8Array(bytesPerRow * height).fill(0xff);
  const dot = (x: number, y: number) => {
    const at = y * bytesPerRow + (x >> 3);
    bits[at] = (bits[at] ?? 0xff) & ~(0x80 >> (x & 7));
  };
  lines.slice(0, scanLines).forEach((line, row) => {
    const y = marginY + row * cell.height;
    for (let column = 0; column < Math.min(line.length, scanColumns); column++) {
      const x = marginX + column * cell.width + Math.floor(y / rowsPerSlip);
      glyphs[line.charCodeAt(column) - 32]?.forEach((dots, across) => {
        for (let down = 0; down < 8; down++) if (dots & (1 << down)) dot(x + across, y + down);
      });
    }
  });
  const random = seededRandom(seed);
  for (let speck = 0; speck < 60; speck++) dot(Math.floor(random() * width), Math.floor(random() * height));
  return { width, height, bits };
}

/** Breaks a text into lines of at most so many characters. */
export function wrapColumns(text: string, columns = scanColumns): string[] {
  return text.match(new RegExp(`.{1,${columns}}(?:\\s|$)|\\S+`, 'g'))?.map((line) => line.trimEnd()) ?? [];
}
