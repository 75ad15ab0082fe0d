import fonts from '../data/fonts.json' with { type: 'json' };
import { hashNumber, seededRandom } from '../random.ts';
import { coverLines, coverTitle, paragraphsOf, type Subject, siteTable, tablesOf } from './content.ts';
import type { Table } from './flow.ts';
import type { Bitmap, Paper } from './paper.ts';
import type { DocumentWords } from './words.ts';

const width = 496;
const height = 702;
const marginX = 50;
const marginY = 46;
const cell = { width: 6, height: 10 };
/** Rows of dots after which the page is a dot farther to the right: it lay askew. */
const rowsPerSlip = 170;

/** Characters a line and lines a page of a scan. */
const scanColumns = Math.floor((width - 2 * marginX) / cell.width);
const scanLines = Math.floor((height - 2 * marginY) / cell.height);

/** Glyphs by character, five columns of dots each. */
const glyphs = fonts.dots.map((dots) => Buffer.from(dots, 'hex'));

/** A typed page as a scanner of old sees it: black dots on white, askew, with specks. Only ASCII is shown. */
function scanOf(lines: readonly string[], seed: number): Bitmap {
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
function wrapColumns(text: string, columns = scanColumns): string[] {
  return text.match(new RegExp(`.{1,${columns}}(?:\\s|$)|\\S+`, 'g'))?.map((line) => line.trimEnd()) ?? [];
}

/** Fills the paper with images of typed pages. */
export function drawScan(paper: Paper, subject: Subject, words: DocumentWords): void {
  const company = subject.profile.company.company_name;
  const perPage = scanLines - 16;
  const pages: string[][] = [
    [...Array(18).fill(''), company, '', ...wrapColumns(coverTitle(subject.report)), '']
      .concat(coverLines(subject, words).filter((line) => line !== null))
      .concat('', words.fictional),
  ];
  const add = (lines: readonly string[]) => {
    for (let at = 0; at < lines.length; at += perPage) pages.push(lines.slice(at, at + perPage));
  };
  const typed = ({ caption, head, rows }: Table) => {
    const width = Math.floor((scanColumns - 26) / Math.max(1, head.length - 1));
    const row = ([first = '', ...cells]: readonly string[]) =>
      first.slice(0, 25).padEnd(26) + cells.map((cell) => cell.slice(0, width - 1).padStart(width)).join('');
    return ['', caption, '-'.repeat(scanColumns), ...[head, ...rows].map(row), '-'.repeat(scanColumns), ''];
  };
  for (const id of subject.sections) {
    const text = paragraphsOf(id, subject, words).flatMap((paragraph) => [...wrapColumns(paragraph), '']);
    const tables = tablesOf(id, subject, words).flatMap(typed);
    add([words.sections[id].heading.toUpperCase(), '', ...text, ...tables]);
  }
  add([words.annex.heading.toUpperCase(), ...typed(siteTable(subject, words))]);
  pages.forEach((lines, index) => {
    const foot = index === 0 ? '' : `- ${index} -`.padStart(scanColumns / 2 + 3);
    const page = [...lines, ...Array(Math.max(0, scanLines - 1 - lines.length)).fill(''), foot];
    paper.addPage();
    paper.image(scanOf(page, hashNumber(`${subject.report.report_key} ${index}`)));
  });
}
