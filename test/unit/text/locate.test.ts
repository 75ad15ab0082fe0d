import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import type { PdfReader } from '../../../src/text/extract.ts';
import { smallPdf } from '../../support/text/smallPdf.ts';
import { hashOf, pdfReader } from './support/texts.ts';

/** The pixels of one of our PNGs, whose rows are as they are. */
function pixels(png: Uint8Array | null) {
  const bytes = Buffer.from(png ?? []);
  const width = bytes.readUInt32BE(16);
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  return { width, all: [...rows].filter((_, index) => index % (width + 1) !== 0) };
}

describe('Words on a page', () => {
  const pdfs = pdfReader();
  const lines = [
    'Our own emissions fell, as',
    'planned, by a tenth in 2024.',
    'In Asia emissions fell, as',
    'planned.',
  ];
  const placed = async (bytes: Uint8Array) => ({ path: await pdfs.put(bytes), sha256: hashOf(bytes) });

  const boxes = async (...asked: Parameters<PdfReader['lines']>) =>
    (await pdfs.reader.lines(...asked)).map(({ box }) => box);
  const located = async (bytes: Uint8Array, exact: string, prefix = '', page = 1) =>
    boxes(await placed(bytes), { page, exact, prefix });

  it('lie in a rectangle a line, in points from the lower left', async () => {
    const found = await located(smallPdf({ pages: [lines] }), 'own emissions fell, as planned, by a tenth');
    // A character is 6 points wide, a line 14 high.
    assert.deepEqual(
      found.map(([left, , right]) => [left, right]),
      [
        [74, 206],
        [50, 164],
      ],
    );
    const [first, second] = found;
    assert.ok(first && second && first[1] < 780 && first[3] > 785 && first[3] - first[1] <= 14, String(first));
    assert.ok(Math.abs(first[1] - second[1] - 14) < 0.5, `${first} | ${second}`);
  });

  it('have a box for each unit of the one text of their page, none for blanks', async () => {
    const pdf = await placed(smallPdf({ pages: [['a ﬁt sus-', 'tain']], labels: '0 << /P (iv) >>' }));
    const page = await pdfs.reader.placedText(pdf, 1);
    assert.ok(page);
    assert.deepEqual([page.text, page.label], ['a fit sustain', 'iv']);
    const lefts = Array.from(page.boxes).filter((_, at) => at % 4 === 0);
    // Both letters of the ligature have its box; the hyphen at the line's end is not part of the text.
    assert.deepEqual(lefts, [50, 0, 62, 62, 68, 0, 80, 86, 92, 50, 56, 62, 68]);
    assert.deepEqual(Array.from(page.boxes).slice(4, 8), [0, 0, 0, 0]);
    assert.equal(await pdfs.reader.placedText({ ...pdf, sha256: 'a'.repeat(64) }, 1), null);
    assert.equal(await pdfs.reader.placedText(pdf, 2), null);
  });

  it('lie there on pages that are turned, too', async () => {
    for (const [turned, along] of [
      [90, [74, 206]],
      [270, [792 - 156, 792 - 24]],
    ] as const) {
      const found = await located(smallPdf({ pages: [lines], turned }), 'own emissions fell, as planned, by a tenth');
      assert.equal(found.length, 2, `${turned}: ${found.join(' | ')}`);
      assert.deepEqual([found[0]?.[1], found[0]?.[3]], along);
    }
  });

  it('are taken where what stands before them is what stood there; else nowhere', async () => {
    const bytes = smallPdf({ pages: [lines] });
    assert.deepEqual(await located(bytes, 'emissions fell, as planned'), []);
    const [first] = await located(bytes, 'emissions fell, as planned', 'In Asia ');
    assert.ok(first && first[3] < 770, String(first));
    assert.deepEqual(await located(bytes, 'not there at all'), []);
    assert.deepEqual(await located(bytes, 'own emissions', '', 7), []);
  });

  it('are marked in a picture of their page, which is none of other bytes, of no PDF, and of no page', async () => {
    const { path, sha256 } = await placed(smallPdf({ pages: [lines] }));
    const picture = (hash: string, page: number, rectangles: [number, number, number, number][]) =>
      pdfs.reader.picture({ path, sha256: hash }, { page, rectangles });
    const rectangles = await boxes({ path, sha256 }, { page: 1, exact: 'own emissions fell, as', prefix: '' });
    const [marked, plain] = [await picture(sha256, 1, rectangles), await picture(sha256, 1, [])];
    for (const png of [marked, plain]) assert.deepEqual([...(png?.subarray(1, 4) ?? [])], [...Buffer.from('PNG')]);
    const seen = pixels(marked);
    assert.equal(seen.width, 600);
    const pen = seen.all.filter((level) => level >= 16);
    const dark = pen.filter((level) => level < 16 + 8);
    assert.ok(dark.length > 40 && pen.length > 4 * dark.length, `${dark.length} of ${pen.length}`);
    assert.ok(pixels(plain).all.every((level) => level < 16));
    assert.equal(await picture('a'.repeat(64), 1, rectangles), null);
    assert.equal(await picture(sha256, 7, rectangles), null);
  });

  it('lie nowhere in other bytes than were meant, nor in what is no PDF', async () => {
    const { path } = await placed(smallPdf({ pages: [lines] }));
    const words = { page: 1, exact: 'own emissions', prefix: '' };
    assert.deepEqual(await boxes({ path, sha256: 'a'.repeat(64) }, words), []);
    assert.deepEqual(await located(new TextEncoder().encode('no PDF'), 'own emissions'), []);
    assert.equal((await located(smallPdf({ pages: [lines] }), 'own emissions')).length, 1);
  });
});
