import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Area, isInside, type PlacedWord } from '../../../src/webview/pdfPreview/pageWords.ts';
import {
  cellsOf,
  frameMoved,
  isEdge,
  lineMoved,
  middleAfter,
  newLineIndex,
  proposedGrid,
  type TableLines,
} from '../../../src/webview/pdfPreview/tableGrid.ts';
import { type Confirmed, confirmed } from '../../support/tables/confirm.ts';
import { demoTables, type MadeTable, madeTables, textOfPage } from '../../support/tables/madeTables.ts';
import { pdfReader } from '../text/support/texts.ts';

const word = (text: string, left: number, bottom: number, width = text.length * 5, size = 10): PlacedWord => ({
  text,
  left,
  right: left + width,
  top: bottom - size * 0.72,
  bottom,
  size,
});
const texts = (words: readonly PlacedWord[], grid: TableLines) =>
  cellsOf(words, grid).map((row) => row.map(({ text, mark }) => (mark ? `${text} !${mark}` : text)));

const coordinate = fc.integer({ min: 0, max: 400 });
const lines = fc
  .uniqueArray(coordinate, { minLength: 2, maxLength: 8 })
  .map((given) => given.toSorted((a, b) => a - b));
const anyWords = fc
  .array(
    fc.record({
      x: coordinate,
      y: coordinate,
      width: fc.integer({ min: 1, max: 120 }),
      size: fc.integer({ min: 4, max: 20 }),
    }),
    { maxLength: 40 },
  )
  .map((given) => given.map(({ x, y, width, size }, index) => word(`w${index}`, x, y, width, size)));

describe('the cells of a table', () => {
  it('hold each word within the edges once, whatever the words and the lines', () => {
    fc.assert(
      fc.property(anyWords, lines, lines, (words, columns, rows) => {
        const box: Area = {
          left: columns[0] ?? 0,
          right: columns.at(-1) ?? 0,
          top: rows[0] ?? 0,
          bottom: rows.at(-1) ?? 0,
        };
        const found = cellsOf(words, { columns, rows })
          .flat()
          .flatMap(({ text }) => text.normalize('NFKC').split(/(?=w)|\s+/))
          .map((text) => text.trim())
          .filter(Boolean);
        const within = words.filter((one) => isInside(one, box)).map(({ text }) => text);
        assert.deepEqual(found.toSorted(), within.toSorted());
      }),
    );
  });

  it('are marked where a word crosses a line or an edge', () => {
    fc.assert(
      fc.property(anyWords, lines, lines, (words, columns, rows) => {
        const cells = cellsOf(words, { columns, rows });
        for (const one of words) {
          const isWithin = one.top > (rows[0] ?? 0) && one.bottom < (rows.at(-1) ?? 0);
          const crossed = columns.filter((x) => x > one.left + 3 && x < one.right - 3);
          // What reaches into the table by a hair's breadth is beside it.
          const shared = Math.min(one.right, columns.at(-1) ?? 0) - Math.max(one.left, columns[0] ?? 0);
          if (!isWithin || crossed.length === 0 || shared < 3) continue;
          assert.ok(
            cells.flat().some(({ mark }) => mark === 'crossed'),
            JSON.stringify(one),
          );
        }
      }),
    );
  });

  it('are proposed anew the same for words in any order, with lines in order within the frame', () => {
    fc.assert(
      fc.property(anyWords, fc.infiniteStream(fc.nat()), (words, keys) => {
        const box = { left: 0, top: 0, right: 400, bottom: 400 };
        const grid = proposedGrid(words, box);
        for (const side of [grid.columns, grid.rows]) {
          assert.deepEqual(
            side,
            side.toSorted((a, b) => a - b),
          );
          assert.deepEqual([side[0], side.at(-1)], [0, 400]);
        }
        const order = words.map((one) => [keys.next().value as number, one] as const).sort(([a], [b]) => a - b);
        assert.equal(
          cellsOf(words, grid).length,
          cellsOf(
            order.map(([, one]) => one),
            grid,
          ).length,
        );
      }),
    );
  });

  it('keep a heading over several columns whole, and take a figure from the words before it', () => {
    const grid = { columns: [0, 100, 200, 300], rows: [0, 20, 40] };
    const heading = [word('Location', 120, 15), word('based', 162, 15), word('figures', 190, 15, 60)];
    const row = [word('Total', 70, 35), word('39,533', 99, 35)];
    assert.deepEqual(texts([...heading, ...row], grid), [
      ['', 'Location based figures !crossed', ''],
      ['Total !crossed', '39,533 !crossed', ''],
    ]);
  });

  it('say where a line may be missing', () => {
    const grid = { columns: [0, 300], rows: [0, 20, 60] };
    const apart = [word('12', 10, 15), word('34', 100, 15)];
    const below = [word('1,200', 10, 35), word('3,400', 10, 55)];
    assert.deepEqual(texts([...apart, ...below], grid), [['12 34 !apart'], ['1,200\n3,400 !apart']]);
  });
});

describe('lines and frames that a person moves', () => {
  const grid = { columns: [0, 50, 100], rows: [0, 20] };
  const page = { width: 120, height: 40 };

  it('stay between their neighbors and on the page', () => {
    for (const [index, to, wanted] of [
      [1, 60, [0, 60, 100]],
      [1, -5, [0, 2, 100]],
      [1, 300, [0, 98, 100]],
      [0, -5, [0, 50, 100]],
      [2, 300, [0, 50, 120]],
    ] as const)
      assert.deepEqual(lineMoved(grid, { axis: 'columns', index }, to, page), { ...grid, columns: wanted });
    const frame = { left: 10, top: 10, right: 60, bottom: 30 };
    assert.deepEqual(frameMoved(frame, [-20, 20], false, page), { left: 0, top: 20, right: 50, bottom: 40 });
    assert.deepEqual(frameMoved(frame, [90, -90], true, page), { left: 10, top: 10, right: 120, bottom: 20 });
  });

  it('are added where there is room: after the focused line, else in the widest gap', () => {
    assert.deepEqual(
      [-5, 1, 25, 51, 75, 130].map((at) => newLineIndex(grid.columns, at)),
      [undefined, undefined, 1, undefined, 2, undefined],
    );
    assert.deepEqual(
      [middleAfter([0, 10, 100]), middleAfter([0, 10, 100], 0), middleAfter([0, 10, 100], 2)],
      [55, 5, 55],
    );
  });

  it('have their first and last line as edges', () => {
    assert.deepEqual(
      [0, 1, 2].map((index) => isEdge(grid, { axis: 'columns', index })),
      [true, false, true],
    );
  });
});

describe('58 tables with known cells', function () {
  this.timeout(120_000);
  const pdfs = pdfReader();
  const results: Confirmed[] = [];

  before(async () => {
    for (const table of [...madeTables(), ...(await demoTables(10))])
      results.push(confirmed(table, (await textOfPage(pdfs, table.bytes)).words));
  });

  const sum = (count: (result: Confirmed) => number) => results.reduce((all, result) => all + count(result), 0);

  it('are right in 95 of 100 cells after at most two drags', () => {
    const share = sum(({ right }) => right) / sum(({ all }) => all);
    assert.ok(share >= 0.95, `${share}`);
  });

  it('have no wrong cell that is not marked', () => {
    assert.deepEqual(
      results.filter(({ unmarked }) => unmarked > 0),
      [],
    );
  });

  it('are proposed rightly without a drag, but for gaps as narrow as a blank', () => {
    const dragged = results.filter(({ drags }) => drags > 0).map(({ name }) => name);
    assert.deepEqual(
      dragged.filter((name) => !name.startsWith('kind 6,')),
      [],
    );
  });

  it('are the same on a page that lies on its side', async () => {
    const [table] = madeTables() as [MadeTable];
    const turned = turnedPage(table.bytes);
    const { words } = await textOfPage(pdfs, turned, 270);
    const { right, all } = confirmed(table, words);
    assert.equal(right, all);
  });
});

describe('tables whose figures were copied wrongly', function () {
  this.timeout(120_000);
  const pdfs = pdfReader();

  for (const [name, figures] of [
    ['fn_Ts10.pdf', ['12.5', '11.9', '8.1', '7.9', '1,234', '998']],
    ['tab_fb_int.pdf', ['45', '44', '344', '1,285']],
  ] as const)
    it(`have each figure of ${name} once, and marks of notes beside it`, async () => {
      const { words } = await textOfPage(pdfs, await readFile(join('test', 'support', 'text', 'cases', name)));
      const box = { left: 0, top: 0, right: 600, bottom: 850 };
      const cells = cellsOf(words, proposedGrid(words, box)).flat();
      const bare = cells.map(({ text }) => text.replace(/[⁰¹²³⁴-⁹]+$/, '')).filter((text) => /^[\d.,]+$/.test(text));
      assert.deepEqual(
        bare.filter((text) => (figures as readonly string[]).includes(text)),
        figures,
        JSON.stringify(cells),
      );
    });
});

/** The same page, to be shown turned by a quarter. */
function turnedPage(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  return new Uint8Array(Buffer.from(text.replace('/Type /Page /Parent', '/Type /Page /Rotate 90 /Parent'), 'latin1'));
}
