import { grey, left, lighter, right } from './flow.ts';
import type { Colour } from './paper.ts';
import { type Paper, pageHeight, pageWidth } from './paper.ts';

const white: Colour = [255, 255, 255];
const tallestTitle = 250;

export interface Cover {
  readonly company: string;
  readonly title: string;
  readonly fiscalYear: string | null;
  readonly revision: string | null;
  readonly note: string;
}

/** Fills the first page. A long title is set smaller until it fits. */
export function drawCover(paper: Paper, accent: Colour, cover: Cover): void {
  const block = 470;
  paper.fill(0, 0, pageWidth, block, accent);
  paper.fill(left, block - 6, 120, 6, lighter(accent));
  const name = { size: 14, bold: true, colour: white };
  paper.text(paper.wrap(cover.company, right - left, name), left, 96, { ...name, leading: 19 });
  let size = 32;
  let lines = paper.wrap(cover.title, right - left, { size, bold: true });
  while (size > 12 && lines.length * size * 1.25 > tallestTitle) {
    size -= 1;
    lines = paper.wrap(cover.title, right - left, { size, bold: true });
  }
  const leading = size * 1.25;
  paper.text(lines, left, block - 50 - (lines.length - 1) * leading, { size, bold: true, colour: white, leading });
  let y = block + 46;
  for (const line of [cover.fiscalYear, cover.revision]) {
    if (line === null) continue;
    paper.text(line, left, y, { size: 12 });
    y += 20;
  }
  paper.text(cover.note, left, pageHeight - 60, { size: 9, colour: grey });
}

/** Fills a page with the contents and adds the bookmarks. */
export function drawContents(
  paper: Paper,
  accent: Colour,
  heading: string,
  entries: readonly { readonly title: string; readonly page: number }[],
): void {
  paper.text(heading, left, 100, { size: 20, bold: true, colour: accent });
  const style = { size: 11 };
  const dot = paper.width(' .', style);
  entries.forEach(({ title, page }, index) => {
    const y = 146 + index * 26;
    const [line = title] = paper.wrap(title, right - left - 60, style);
    paper.text(line, left, y, style);
    paper.textEnding(String(page), right, y, style);
    const from = left + paper.width(line, style) + 6;
    const dots = Math.max(0, Math.floor((right - 24 - from) / dot));
    paper.textEnding(' .'.repeat(dots), right - 22, y, { size: 11, colour: grey });
    paper.bookmark(title, page);
  });
}

/** Writes the head and foot of every page but the cover. */
export function drawMargins(
  paper: Paper,
  words: { readonly company: string; readonly title: string; readonly page: string; readonly note: string },
): void {
  const small = { size: 8, colour: grey };
  const half = (right - left) / 2 - 10;
  const fitted = (text: string) => {
    const [line = text, more] = paper.wrap(text, half, small);
    return more === undefined ? line : `${line} …`;
  };
  for (let page = 2; page <= paper.pages; page++) {
    paper.turnTo(page);
    paper.text(fitted(words.company), left, 50, small);
    paper.textEnding(fitted(words.title), right, 50, small);
    paper.line(left, 57, right, 57, lighter(grey));
    paper.text(words.note, left, pageHeight - 42, small);
    paper.textEnding(`${words.page} ${page} / ${paper.pages}`, right, pageHeight - 42, small);
  }
}
