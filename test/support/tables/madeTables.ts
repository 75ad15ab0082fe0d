import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { Flow, type Table } from '../../../src/demo/pdf/flow.ts';
import { Paper, pageWidth, widthOf } from '../../../src/demo/pdf/paper.ts';
import { Random } from '../../../src/demo/random.ts';
import { type Area, tableWords } from '../../../src/webview/pdfPreview/pageWords.ts';
import type { pdfReader } from '../../unit/text/support/texts.ts';
import { catalogOf } from '../demo/generated.ts';

/** A table on the first page of a PDF, with its cells as they have to be found there. */
export interface MadeTable {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What a person drags around it, in points from the upper left. */
  readonly box: Area;
  /** Lines of a cell are joined by a line feed. */
  readonly cells: readonly (readonly string[])[];
  /** The places of the lines between its columns and between its rows, edges included. */
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

interface Layout {
  /** The first column's words begin at its left; the others end at their right, unless they are said to begin. */
  readonly widths: readonly number[];
  readonly areWords?: readonly boolean[];
  readonly rows: readonly (readonly string[])[];
  /** Points from a line to the next within a row, and more between rows. */
  readonly leading?: number;
  readonly more?: number;
  readonly size?: number;
  readonly indented?: readonly number[];
  /** Rows above the first whose cells stand over several columns: each its text and how many. */
  readonly spans?: readonly (readonly [text: string, columns: number])[];
  /** Words stand in the middle of their column. */
  readonly isCentered?: boolean;
}

const [left, top] = [70, 120];

/** A PDF with a table on its one page. */
function made(name: string, layout: Layout): MadeTable {
  const paper = new Paper({ title: name, author: 'x', language: 'en', created: '2026-01-01', fileId: 1 });
  const table = drawn(paper, layout);
  return { name, bytes: paper.bytes(), ...table };
}

/** Draws a table on a new page. A mark as `^1` is set small and high. */
function drawn(paper: Paper, layout: Layout): Omit<MadeTable, 'name' | 'bytes'> {
  const { widths, areWords = [], rows, leading = 11, more = 7, size = 9, indented = [], spans } = layout;
  paper.addPage();
  paper.text('A paragraph above the table, which is none of its cells.', left, top - 30, { size: 10 });
  const starts = [left];
  for (const width of widths) starts.push((starts.at(-1) ?? left) + width);
  const lines = [top];
  let y = top;
  const cells: string[][] = [];
  const put = (text: string, column: number, at: number, isBold: boolean, end = column + 1) => {
    const [words = '', mark] = text.split('^');
    const style = { size, bold: isBold };
    const [from = 0, to = 0] = [starts[column], starts[end]];
    const width = widthOf(words, style) + (mark ? widthOf(mark, { size: size * 0.6 }) : 0);
    const isLeft = column === 0 || areWords[column] === true;
    const x = layout.isCentered || end > column + 1 ? (from + to - width) / 2 : isLeft ? from + 2 : to - width - 2;
    paper.text(words, x, at, style);
    if (mark) paper.text(mark, x + widthOf(words, style), at - size * 0.35, { size: size * 0.6 });
  };
  const shown = (text: string) => text.replace(/\^(\d)/, (_, digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '');
  if (spans) {
    let column = 0;
    const row: string[] = [];
    for (const [text, count] of spans) {
      put(text, column, y + size, true, column + count);
      row.push(text, ...Array.from({ length: count - 1 }, () => ''));
      column += count;
    }
    cells.push(row);
    y += leading + more;
    lines.push(y);
  }
  for (const [index, row] of rows.entries()) {
    const most = Math.max(...row.map((cell) => cell.split('\n').length));
    row.forEach((cell, column) => {
      cell.split('\n').forEach((line, number) => {
        const indent = column === 0 && indented.includes(index) ? '   ' : '';
        if (line !== '') put(`${indent}${line}`, column, y + size + number * leading, index === 0);
      });
    });
    cells.push(row.map(shown));
    y += most * leading + more;
    lines.push(y);
  }
  paper.text('Notes below it, which are none either.', left, y + 24, { size: 8 });
  const box = { left: left - 4, top: top - 4, right: (starts.at(-1) ?? 0) + 4, bottom: y };
  return { box, cells, columns: starts, rows: lines.map((line) => line - more / 2) };
}

const labels = ['Scope 1', 'Scope 2, location-based', 'Scope 3', 'Energy consumption', 'Water', 'Waste to landfill'];
const moreLabels = ['Employees', 'Women in management', 'Lost-time injuries', 'Taxes paid', 'Suppliers assessed'];
const years = ['2022', '2023', '2024'];
const kinds: readonly ((random: Random) => Layout)[] = [
  // Figures that end below one another.
  (random) => ({
    widths: [170, 80, 80, 80],
    rows: [['Emissions', ...years], ...bodyOf(random, 8, 3, (n) => grouped(n))],
  }),
  // Heads of several lines.
  (random) => ({
    widths: [150, 90, 90, 90],
    rows: [
      ['', 'Own operations\n(t CO2e)', 'Value chain\n(t CO2e)', 'Change from\nyear before'],
      ...bodyOf(random, 7, 3, (n, column) => (column === 2 ? `${n % 40} %` : grouped(n))),
    ],
  }),
  // Cells without a value.
  (random) => ({
    widths: [170, 80, 80, 80],
    rows: [
      ['Indicator', ...years],
      ...bodyOf(random, 9, 3, (n) => (n % 4 === 0 ? '' : n % 5 === 0 ? '–' : grouped(n))),
    ],
  }),
  // Marks of notes.
  (random) => ({
    widths: [180, 80, 80],
    rows: [
      ['Indicator', '2023^1', '2024'],
      ...bodyOf(random, 8, 2, (n) => (n % 3 === 0 ? `${grouped(n)}^2` : grouped(n))),
    ],
  }),
  // Gaps hardly wider than a blank.
  (random) => ({
    widths: [120, 40, 40, 40, 40],
    size: 8.5,
    rows: [['Indicator', '2021', ...years], ...bodyOf(random, 8, 4, (n) => grouped(10_000 + (n % 89_000)))],
  }),
  // Gaps as narrow as a blank, which a person has to say.
  (random) => ({
    widths: [120, 60, 31],
    size: 9,
    rows: [['Indicator', '2023', '2024'], ...bodyOf(random, 7, 2, (n) => grouped(10_000 + (n % 89_000)))],
  }),
  // Groups of rows, set in.
  (random) => ({
    widths: [190, 80, 80],
    indented: [2, 3, 5, 6],
    rows: [
      ['Thousand tonnes', '2023', '2024'],
      ['Direct', '', ''],
      ...bodyOf(random, 2, 2, (n) => grouped(n)),
      ['Indirect', '', ''],
      ...bodyOf(random, 2, 2, (n) => grouped(n)),
      ['Total', grouped(random.int(1000, 99_999)), grouped(random.int(1000, 99_999))],
    ],
  }),
  // Negative figures in parentheses, in the leading of plain text.
  (random) => ({
    widths: [180, 75, 75, 75],
    more: 1,
    rows: [
      ['EUR million', ...years],
      ...bodyOf(random, 10, 3, (n) => (n % 3 === 0 ? `(${grouped(n)})` : n % 3 === 1 ? `-${grouped(n)}` : grouped(n))),
    ],
  }),
  // Two languages, and figures as Germans write them.
  (random) => ({
    widths: [200, 80, 80],
    rows: [
      ['Kennzahl / Indicator', '2023', '2024'],
      ...bodyOf(random, 6, 2, (n) => grouped(n).replace(',', '.')).map(([label = '', ...figures], index) => [
        index % 2 === 0 ? `Treibhausgasemissionen nach Standort\n${label} (location-based)` : label,
        ...figures,
      ]),
    ],
  }),
  // Words of several lines.
  (random) => ({
    widths: [110, 130, 150],
    areWords: [true, true, true],
    rows: [
      ['Topic', 'Target', 'Status'],
      ...Array.from({ length: 5 }, (_, index) => [
        labels[index] ?? '',
        `Cut by ${random.int(10, 90)} %\nuntil ${random.int(2028, 2040)}`,
        random.chance(0.5) ? 'On track since the last\nreview of the board' : 'Behind',
      ]),
    ],
  }),
  // Heads over several columns.
  (random) => ({
    widths: [150, 70, 70, 70, 70],
    spans: [
      ['', 1],
      ['Location-based', 2],
      ['Market-based', 2],
    ],
    rows: [['Country', '2023', '2024', '2023', '2024'], ...bodyOf(random, 8, 4, (n) => grouped(n))],
  }),
  // A column that is nearly empty, and figures in the middle.
  (random) => ({
    widths: [160, 50, 80, 80],
    isCentered: random.chance(0.5),
    rows: [
      ['EUR thousand', 'Note', '2023', '2024'],
      ...bodyOf(random, 10, 2, (n) => grouped(n)).map(([label = '', ...figures], index) => [
        label,
        index === 3 ? '12' : '',
        ...figures,
      ]),
    ],
  }),
];

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function bodyOf(random: Random, rows: number, columns: number, cell: (value: number, column: number) => string) {
  const all = [...labels, ...moreLabels];
  return Array.from({ length: rows }, (_, row) => [
    all[(row + random.int(0, 1)) % all.length] ?? '',
    ...Array.from({ length: columns }, (_none, column) => cell(random.int(1, 10 ** random.int(1, 6)), column)),
  ]);
}

/** 48 tables of twelve kinds. */
export function madeTables(): MadeTable[] {
  return kinds.flatMap((kind, index) =>
    Array.from({ length: 4 }, (_, seed) =>
      made(`kind ${index + 1}, ${seed + 1}`, kind(new Random('tables', index, seed))),
    ),
  );
}

/** Tables of the demo's reports, each on a page of its own. */
export async function demoTables(count: number): Promise<MadeTable[]> {
  const tables = new Map<string, Table>();
  const { table: draw } = Flow.prototype;
  const { reports, pdf } = catalogOf(40);
  Flow.prototype.table = function noted(table) {
    if (table.rows.length < 30) tables.set(JSON.stringify(table.rows), table);
    draw.call(this, table);
  };
  try {
    for (const report of reports.filter(({ has_file }) => has_file).slice(0, 12)) await pdf(report);
  } finally {
    Flow.prototype.table = draw;
  }
  const all = [...tables.values()];
  return Array.from({ length: count }, (_, index) => fromDemo(all[Math.floor((index * all.length) / count)] as Table));
}

function fromDemo(table: Table): MadeTable {
  const { head, rows, firstColumn = 190, caption } = table;
  const paper = new Paper({ title: caption, author: 'x', language: 'en', created: '2026-01-01', fileId: 1 });
  new Flow(paper, '0 0 0').table(table);
  const [from, to, first] = [62, pageWidth - 62, 112];
  const step = Math.min(84, (to - from - firstColumn) / Math.max(1, head.length - 1));
  const ends = head.map((_, index) => to - (head.length - 1 - index) * step);
  return {
    name: `demo: ${caption}`,
    bytes: paper.bytes(),
    box: { left: from - 4, top: first - 2, right: to + 4, bottom: first + (rows.length + 1) * 19 },
    cells: [head, ...rows],
    columns: [from, ...ends],
    rows: Array.from({ length: rows.length + 2 }, (_, index) => first + index * 19),
  };
}

/** The text of a PDF's first page and its words, as the preview has them. */
export async function textOfPage(
  pdfs: Pick<ReturnType<typeof pdfReader>, 'reader' | 'put'>,
  bytes: Uint8Array,
  rotation = 0,
) {
  const placed = await pdfs.reader.placedText({ path: await pdfs.put(bytes) }, 1);
  if (!placed) throw new Error('The page has no text.');
  const task = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 });
  const page = await (await task.promise).getPage(1);
  const words = tableWords(placed, page.getViewport({ scale: 1, rotation: page.rotate + rotation }));
  await task.destroy();
  return { text: placed.text, words };
}
