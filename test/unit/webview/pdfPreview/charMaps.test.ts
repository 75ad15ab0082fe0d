import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { packCharMaps } from '../../../../scripts/charMaps.ts';
import { codeOf, packCharMap, readCharMap } from '../../../../src/webview/pdfPreview/charMap.ts';
import { CharMaps, packedNames, unpackNamed } from '../../../../src/webview/pdfPreview/charMaps.ts';

const folder = 'node_modules/pdfjs-dist/cmaps';

/** What pdf.js's own map of that name says. */
async function theirs(name: string): Promise<Map<number, number>> {
  const { base, glyphs } = readCharMap(await readFile(join(folder, `${name}.bcmap`)));
  return new Map([...(base === undefined ? [] : await theirs(base)), ...glyphs]);
}

describe('character maps that PDFs name', function () {
  this.timeout(60_000);
  let packed: Uint8Array;
  let maps: CharMaps;
  before(async () => {
    packed = await packCharMaps(folder);
    maps = new CharMaps(unpackNamed(packed));
  });

  it('take less than 8 kB in the package', () => {
    assert.ok(brotliCompressSync(packed).length < 8000);
  });

  it('are given as they are when they are packed', async () => {
    for (const name of packedNames) {
      assert.deepEqual(Buffer.from(maps.get(name)), await readFile(join(folder, `${name}.bcmap`)), name);
    }
  });

  // How many characters are known depends on the encodings of whatever runs this: Node knows fewer than browsers do.
  for (const [name, least, mostOthers] of [
    ['UniJIS-UTF16-H', 7700, 20],
    ['UniJIS-UTF16-V', 7700, 40],
    ['UniJIS-UCS2-H', 7500, 20],
    ['UniJIS-UTF32-H', 7700, 20],
    ['UniKS-UTF16-H', 8000, 5],
    ['UniGB-UCS2-H', 7400, 5],
    ['UniCNS-UTF16-H', 13_500, 10],
    ['GBK-EUC-H', 7400, 0],
  ] as const) {
    it(`made from the encodings that browsers know agree with ${name}`, async () => {
      const real = await theirs(name);
      const made = readCharMap(maps.get(name)).glyphs;
      const same = [...made].filter(([code, glyph]) => real.get(code) === glyph).length;
      const others = [...made].filter(([code, glyph]) => (real.get(code) ?? glyph) !== glyph).length;
      assert.ok(same >= least && others <= mostOthers, `${same} the same, ${others} others`);
    });
  }

  it('know the yen, the euro and quotation marks of Japanese reports', async () => {
    const real = await theirs('UniJIS-UTF16-H');
    const made = readCharMap(maps.get('UniJIS-UTF16-H')).glyphs;
    for (const sign of '¥€“”‘’—–•…©®™éüß0Aa～①㈱') {
      const code = codeOf(2, sign.codePointAt(0) ?? 0);
      assert.equal(made.get(code), real.get(code), sign);
    }
  });

  it('are read as they were packed, and not when they are cut off', () => {
    const glyphs = new Map([
      [codeOf(1, 0x41), 7],
      [codeOf(2, 0x41), 500],
      [codeOf(2, 0x42), 501],
      [codeOf(2, 0xffff), 60_000],
      [codeOf(4, 0x10fffd), 3],
    ]);
    const codeSpaces = [{ bytes: 2, low: 0, high: 0xffff }];
    const bytes = packCharMap({ isVertical: true, codeSpaces, glyphs });
    const read = readCharMap(bytes);
    assert.deepEqual([read.isVertical, read.glyphs], [true, glyphs]);
    assert.throws(() => readCharMap(bytes.subarray(0, bytes.length - 1)), RangeError);
  });

  it('are refused by a name that nobody has', () => {
    for (const name of ['', 'Identity-H', '../secret', 'UniJIS-UTF16-X', 'Adobe-Other-UCS2', 'Ext-RKSJ-H']) {
      assert.throws(() => maps.get(name), /There is no character map/, name);
    }
  });
});
