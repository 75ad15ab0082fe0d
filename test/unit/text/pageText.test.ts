import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { Box } from '../../../src/base/placedText.ts';
import { addedBlank, addedBreak, type PageCharacter } from '../../../src/text/pageCharacter.ts';
import { placedText, rawText } from '../../../src/text/pageText.ts';
import { compilePdfium, Pdfium } from '../../../src/text/pdfium.ts';
import { PdfObjects } from '../../../src/text/pdfObjects.ts';
import { parseQuery } from '../../../src/text/query.ts';
import { findPages } from '../../../src/text/search.ts';
import { drawnPage, turnedLines, words } from '../../support/text/drawnPage.ts';
import { smallPdf, stream } from '../../support/text/smallPdf.ts';
import { keep, openInMemory, pdfReader, sha } from './support/texts.ts';

const cases = join(import.meta.dirname, '..', '..', 'support', 'text', 'cases');

describe('The one text of a page', () => {
  const pdfs = pdfReader();
  let engine: Pdfium;
  before(async () => {
    const packaged = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'));
    engine = await Pdfium.start(compilePdfium(readFileSync(packaged)), 320 * 1024 ** 2);
  });

  /** As the process that reads PDFs has it, in this one. */
  async function placed(bytes: Uint8Array) {
    const document = engine.open(bytes);
    const { characters, notes } = document.page(0, 1_000_000, false);
    const page = placedText(rawText(characters, notes));
    document.close();
    assert.equal(page.boxes.length, 4 * page.text.length);
    return page;
  }
  const textOf = async (bytes: Uint8Array) => (await placed(bytes)).text;
  const caseText = (name: string) => textOf(readFileSync(join(cases, `${name}.pdf`)));

  it('has each glyph once that is printed twice to look bold', async () => {
    assert.equal(await caseText('fakebold_char'), 'Statement 1,234');
    assert.equal(await caseText('fakebold_line'), 'Statement of accounts 1,234');
    assert.equal(await caseText('tab_fb_int'), 'Head 2024 2023 Sites 45 44 Employees 344 1,285');
    const line = 'Illegal fillings 11,122';
    for (const [size, dx, dy] of [
      [9, 0.2, 0],
      [12, 1, 0],
      [14, 0, 0.5],
      [24, 1.5, -1.5],
      [6, 0.5, 0.5],
    ] as const) {
      const twice = `${words(line, 72, 700, size)} ${words('Next', 72, 600, size)} ${words(line, 72 + dx, 700 + dy, size)}`;
      assert.equal(await textOf(drawnPage(twice)), `${line} Next`, `${size} ${dx} ${dy}`);
      assert.equal(await textOf(drawnPage(`${words(line, 72, 700, size)} `.repeat(3))), line, `${size} thrice`);
    }
    const upward = (x: number) => turnedLines(['Sites 45 44'], '0 1 -1 0', x, 100);
    assert.equal(await textOf(drawnPage(`${upward(100)} ${upward(100.4)}`)), 'Sites 45 44');
  });

  it('has raised digits as such, directly behind what they are printed behind', async () => {
    assert.equal(await caseText('raised'), 'Energy 12.5² GWh Water 406,615³ m3');
    assert.equal(await caseText('fn_Ts10'), 'GWh 2024 2023 Electricity 12.5² 11.9³ Heat 8.1 7.9 Vehicles 1,234¹ 998');
    const raised = (text: string, mark: string, rest: string, size: number, small: number, up: number) =>
      `BT /F ${size} Tf 72 700 Td (${text}) Tj /F ${small} Tf ${up} Ts (${mark}) Tj /F ${size} Tf 0 Ts (${rest}) Tj ET`;
    for (const [size, small, up] of [
      [10, 6, 3.5],
      [8, 5, 2.5],
      [20, 12, 8],
      [11, 11, 4],
      [12, 8, 2],
    ] as const) {
      const label = `${size} ${small} ${up}`;
      assert.equal(
        await textOf(drawnPage(raised('Total 1,234', '2', ' tonnes', size, small, up))),
        'Total 1,234² tonnes',
        label,
      );
      assert.equal(
        await textOf(drawnPage(raised('Area 45 km', '2', ' of land', size, small, up))),
        'Area 45 km² of land',
        label,
      );
      assert.equal(await textOf(drawnPage(raised('in 2024', '12', ', as', size, small, up))), 'in 2024¹², as', label);
    }
    assert.equal(await textOf(drawnPage(raised('CO', '2', ' emitted', 12, 7, -2))), 'CO2 emitted');
    const note = 'BT /F 7 Tf 72 704 Td (1) Tj ET BT /F 12 Tf 78 700 Td (Restated) Tj ET';
    assert.equal(await textOf(drawnPage(note)), '¹ Restated');
    const tight = 'BT /F 12 Tf 72 700 Td (words.) Tj /F 7 Tf 4 Ts (8) Tj ET BT /F 12 Tf 113.1 700 Td (This) Tj ET';
    assert.equal(await textOf(drawnPage(tight)), 'words.⁸ This');
    const rows = `${words('Sites 45', 72, 700)} ${words('Plants 12', 72, 688)} ${words('7', 300, 704, 7)}`;
    assert.equal(await textOf(drawnPage(rows)), 'Sites 45 Plants 12 7');
  });

  it('has the digits of dates and years that are printed one by one, also aslant', async () => {
    for (const angle of [0, 12, 30, 45, 60, 80, 135, 200]) {
      const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      let along = 0;
      const printed = Array.from('Feb 13, 2012', (letter) => {
        const [x, y] = [300 + along * cos, 400 + along * sin];
        along += { F: 6.1, ' ': 2.8, ',': 2.8 }[letter] ?? 5.56;
        return `BT /F 10 Tf ${[cos, sin, -sin, cos, x, y].map((value) => value.toFixed(4)).join(' ')} Tm (${letter}) Tj ET`;
      });
      assert.equal(await textOf(drawnPage(printed.join(' '))), 'Feb 13, 2012', `${angle}`);
    }
  });

  it('has words apart whose parts are printed upward with narrow gaps', async () => {
    const part = (text: string, y: number) => `BT /F 12 Tf 0 1 -1 0 300 ${y} Tm (${text}) Tj ET`;
    assert.equal(await textOf(drawnPage(`${part('sit', 100)} ${part('amet', 100 + 12.67 + 3)}`)), 'sit amet');
    assert.equal(await textOf(drawnPage(`${part('sit', 100)} ${part('amet', 100 + 12.67 + 1)}`)), 'sitamet');
  });

  it('is without what is printed beside the page', async () => {
    const lines = `${words('Shown', 100, 700)} ${words('above', 100, 820)} ${words('left', 10, 700)} ${words('right', 560, 700)} ${words('below', 100, 40)}`;
    assert.equal(await textOf(drawnPage(lines, { page: '/CropBox [50 60 550 800]' })), 'Shown');
    assert.equal(await textOf(drawnPage(lines)), 'Shown above left right below');
  });

  it('has a word whole that is parted at a line’s end', async () => {
    assert.equal(
      await caseText('hyphen'),
      'The company reports its biodiversity impact and its long-term targets; the value-chain and Scope 3 categories 1-15 of the GHG-Protocol.',
    );
    const broken = (lines: readonly string[]) => textOf(drawnPage(turnedLines(lines, '1 0 0 1', 72, 700)));
    assert.equal(
      await broken(['a well-', 'known, self-', 'made, sustain-', 'able']),
      'a well-known, self-made, sustainable',
    );
    assert.equal(
      await broken(['our net-', 'zero path by mid-', '2030, and non-', 'financial']),
      'our net-zero path by mid-2030, and non-financial',
    );
  });

  it('has spaced-out letters as words', async () => {
    assert.equal(await caseText('tracking5'), 'SUSTAINABILITY REPORT');
    for (const [size, spacing] of [
      [14, 2],
      [14, 9],
      [9, 6],
      [24, 20],
    ]) {
      const spaced = `BT /F ${size} Tf ${spacing} Tc 40 700 Td (ANNUAL REPORT) Tj ET`;
      assert.equal(await textOf(drawnPage(spaced)), 'ANNUAL REPORT', `${size} ${spacing}`);
    }
    for (const short of ['GRI', '2024', '1,234', 'in 2024'])
      assert.equal(await textOf(drawnPage(`BT /F 12 Tf 5 Tc 40 700 Td (${short}) Tj ET`)), short);
    const kerned = (by: number, blank: number) =>
      `BT /F 14 Tf 40 700 Td [${[...'ANNUAL'].map((letter) => `(${letter}) ${-by}`).join(' ')} ${-blank} ${[...'REPORT'].map((letter) => `(${letter}) ${-by}`).join(' ')}] TJ ET`;
    for (const by of [250, 400, 800])
      assert.equal(await textOf(drawnPage(kerned(by, by + 400))), 'ANNUAL REPORT', `${by}`);
    const table = ['A', 'B', 'C', 'D', 'E'].map((letter, at) => words(letter, 72 + 60 * at, 700)).join(' ');
    assert.equal(await textOf(drawnPage(table)), 'A B C D E');
    assert.equal(await textOf(drawnPage(words('a b c d e f', 72, 700))), 'a b c d e f');
  });

  it('is in the order of reading whichever way the text or the page is turned', async () => {
    const lines = ['First line of', 'text, then the', 'third 12.5.'];
    const directions = [
      ['1 0 0 1', 72, 700],
      ['0 1 -1 0', 100, 100],
      ['-1 0 0 -1', 500, 700],
      ['0 -1 1 0', 100, 700],
      ['0.966 0.259 -0.259 0.966', 100, 400],
    ] as const;
    for (const rotate of [0, 90, 180, 270])
      for (const [direction, x, y] of directions) {
        const bytes = drawnPage(turnedLines(lines, direction, x, y), { page: `/Rotate ${rotate}` });
        assert.equal(await textOf(bytes), lines.join(' '), `${rotate} ${direction}`);
      }
    const kerned = '[(Blanks) -300 (by) -300 (kerning)] TJ T* [(in) -300 (two) -300 (lines)] TJ';
    for (const [direction, x, y] of directions) {
      const bytes = drawnPage(`BT /F 12 Tf ${direction} ${x} ${y} Tm 14 TL ${kerned} ET`, { page: '/Rotate 90' });
      assert.equal(await textOf(bytes), 'Blanks by kerning in two lines', direction);
    }
    const apart = (direction: string, x: number, y: number) =>
      `BT /F 12 Tf ${direction} ${x} ${y} Tm (First) Tj 60 0 Td (cell) Tj -60 -14 Td (second) Tj 60 0 Td (row) Tj ET`;
    for (const [direction, x, y] of directions)
      assert.equal(await textOf(drawnPage(apart(direction, x, y))), 'First cell second row', direction);
  });

  it('has boxes where the page has it, also turned and cropped', async () => {
    const more = { mediaBox: '20 30 595 842', page: '/CropBox [50 60 500 800]' };
    for (const rotate of [0, 90, 180, 270]) {
      const page = `${more.page} /Rotate ${rotate}`;
      const { text, boxes } = await placed(drawnPage(words('HIII IH', 100, 700, 10), { ...more, page }));
      assert.equal(text, 'HIII IH');
      const lefts = Array.from(boxes).filter((_, at) => at % 4 === 0);
      // Widths of Helvetica: 722 and 278 thousandths of its size, a blank as wide as an I.
      assert.deepEqual(lefts, [100, 107.22, 110, 112.78, 0, 118.34, 121.12], `${rotate}`);
      const [left, bottom, right, top] = Array.from(boxes).slice(0, 4) as [number, number, number, number];
      assert.deepEqual([left, right], [100, 107.22]);
      assert.ok(bottom < 700 && bottom > 695 && top > 707 && top < 712, `${bottom} ${top}`);
    }
    const upward = await placed(drawnPage(turnedLines(['HI'], '0 1 -1 0', 200, 300, 10)));
    assert.deepEqual([upward.boxes[1], upward.boxes[3], upward.boxes[5], upward.boxes[7]], [300, 307.22, 307.22, 310]);
  });

  it('has ligatures that only a glyph’s name tells', async () => {
    assert.equal(await caseText('lig_names'), 'financial effort, flow and office, final');
    const font = (differences: string, more = '') =>
      `/Subtype /Type1 /BaseFont /ABCDEF+Own ${more} /Encoding << /Type /Encoding /Differences [${differences}] >>`;
    const ligatures = (differences: string) =>
      drawnPage(words('\\001ort o\\002ce \\003is', 72, 700), {
        font: font(`1 ${differences} 32 /space 97 /a /b /c /d /e /f /g /h /i 110 /n /o /p /q /r /s /t`),
      });
    assert.equal(await textOf(ligatures('/f_f /f_f_i /T_h')), 'ffort office This');
    assert.equal(await textOf(ligatures('/f_f.liga /uni006600660069 /T_h.alt')), 'ffort office This');
    assert.equal(await textOf(ligatures('/ff /ffi /uni00540068')), 'ffort office This');
    assert.equal(await textOf(ligatures('/g1 /g2 /g3')), 'ort o ce is');
    const packed = deflateSync('6 0 << /Type /Encoding /Differences [2 /f_f_i] >>').toString('latin1');
    const objectStream = stream(packed, '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode');
    const described = new PdfObjects(
      Buffer.from(`9 0 obj\n${objectStream}\nendobj 5 0 obj << /BaseFont /A#2BOwn /Encoding 6 0 R >> endobj`, 'latin1'),
    );
    assert.deepEqual(described.font('A+Own'), { isComposite: false, texts: new Map([[2, 'ffi']]) });
    const apart = drawnPage(words('o\\002ce', 72, 700), {
      font: '/Subtype /Type1 /BaseFont /ABCDEF+Own /Encoding 6 0 R',
      objects: ['<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [2 /f_f_i] >>'],
    });
    assert.equal(await textOf(apart), 'office');
  });

  it('has accents of another font with their letters, and boxes of letters that others may join', async () => {
    const printed = (text: string, x: number, object: number) =>
      Array.from(text, (letter, at): PageCharacter => {
        const [left, right] = /\p{M}/u.test(letter) ? [x - 3, x + 1] : [x + 6 * at, x + 6 * at + 6];
        const place = { box: [left, 697, right, 711] as Box, x: Math.max(left, x), y: 700, angle: 0, object };
        return { ...place, code: letter.codePointAt(0) ?? 0, isGenerated: false, isUnknown: false };
      });
    const [base, accents, rest] = [printed('แต', 72, 1), printed('ั้', 84, 2), printed('งฉ', 84, 1)];
    const next = printed('น', 100, 1);
    const broken = [...base, addedBreak, ...accents, addedBreak];
    assert.equal(rawText([...broken, ...rest, addedBlank, ...next]).text, 'แตั้งฉ น');
    assert.equal(rawText([...broken, ...next]).text, 'แตั้ น');
    const letters = await placed(smallPdf({ pages: [['ㄱ ㄲ', 'ㄳ']] }));
    assert.equal(letters.text, 'ㄱ ㄲ ㄳ'.normalize('NFKC'));
    assert.deepEqual(
      [0, 2, 4].map((unit) => letters.boxes[4 * unit]),
      [50, 62, 50],
    );
  });

  it('has labels only for pages that the PDF gives one', async () => {
    const labels = async (bytes: Uint8Array) => {
      const read = await pdfs.reader.read(await pdfs.put(bytes));
      assert.ok(read.kind === 'read');
      return read.pages.map(({ label }) => label);
    };
    assert.deepEqual(await labels(readFileSync(join(cases, 'lab_none0.pdf'))), [null, null, '1', '2']);
    const pages = ['one', 'two', 'three', 'four'].map((word) => [word]);
    assert.deepEqual(await labels(smallPdf({ pages, labels: '0 << /S /D >> 2 << /S /r >>' })), ['1', '2', 'i', 'ii']);
    assert.deepEqual(await labels(smallPdf({ pages, labels: '1 << /S /r >> 3 << >>' })), [null, 'i', 'ii', null]);
    assert.deepEqual(await labels(smallPdf({ pages, labels: '3 << /P (A) >>' })), [null, null, null, 'A']);
    assert.deepEqual(await labels(smallPdf({ pages })), [null, null, null, null]);
  });

  it('has the values of form fields and free texts where they are read', async () => {
    assert.equal(await caseText('form'), 'Company name: Altenbruch Aluminium Verified by auditor Grunewald');
    const field = (entries: string, box: string, more = '') =>
      `<< /Type /Annot /Subtype /Widget ${entries} /Rect [${box}] /P 3 0 R ${more} >>`;
    const bytes = drawnPage(`${words('Site:', 72, 700)} ${words('Staff:', 72, 670)} ${words('End.', 72, 640)}`, {
      page: '/Annots [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R]',
      catalog: '/AcroForm << /Fields [6 0 R 7 0 R 9 0 R 11 0 R] /DA (/H 12 Tf 0 g) >>',
      objects: [
        field('/FT /Tx /T (site) /V (North\\rPlant)', '150 690 300 715'),
        field('/FT /Ch /T (staff) /Opt [(12) (40)] /V (40)', '150 665 300 685'),
        '<< /Type /Annot /Subtype /FreeText /Contents (not shown) /Rect [72 500 200 520] /F 2 /P 3 0 R >>',
        field('/FT /Btn /T (yes) /V /On /AS /On', '400 690 410 700'),
        field('/Parent 11 0 R', '150 590 300 610'),
        '<< /FT /Tx /T (name) /V (Inherited) /Kids [10 0 R] >>',
      ],
    });
    const { text, boxes } = await placed(bytes);
    assert.equal(text, 'Site: North Plant Staff: 40 End. Inherited');
    const [left = 0, bottom = 0, , top = 0] = Array.from(boxes).slice(4 * text.indexOf('Plant'));
    assert.deepEqual([left, bottom, top], [150, 690, 702.5]);
  });

  it('is none where the fonts don’t say which characters they show, and tells what else it lacks', async () => {
    const read = async (name: string) => {
      const found = await pdfs.reader.read(await pdfs.put(readFileSync(join(cases, `${name}.pdf`))));
      assert.ok(found.kind !== 'failed');
      return found;
    };
    const unreadable = await read('identity_no_tounicode');
    assert.deepEqual([unreadable.kind, unreadable.unreadable], ['without-text', [1]]);
    const portfolio = await read('portfolio');
    assert.deepEqual([portfolio.kind, portfolio.attachments], ['read', ['report.pdf']]);
    const pinned = drawnPage(words('See the paper clip', 72, 700), {
      page: '/Annots [6 0 R]',
      objects: [
        '<< /Type /Annot /Subtype /FileAttachment /Rect [72 500 90 520] /FS 7 0 R >>',
        '<< /Type /Filespec /F (data.xlsx) /UF (data.xlsx) /EF << /F 8 0 R >> >>',
        stream('x', '/Type /EmbeddedFile'),
      ],
    });
    const found = await pdfs.reader.read(await pdfs.put(pinned));
    assert.ok(found.kind === 'read');
    assert.deepEqual(found.attachments, ['data.xlsx']);
  });

  it('is found by single words of scripts without blanks between them', async () => {
    const thai = await caseText('small_thai');
    const store = openInMemory();
    const texts = [
      thai,
      'น้ำและพลังงาน',
      'ລາຍງານຄວາມຍືນຍົງ',
      'របាយការណ៍និរន្តរភាព',
      'ရေနှင့်စွမ်းအင်',
      // Printed from its left.
      Array.from('التـــقرير السنوي').reverse().join(''),
      await caseText('hyphen'),
    ];
    const read: string[] = [];
    for (const text of texts) read.push(await textOf(smallPdf({ pages: [[text]] })));
    await keep(store, sha(1), 1, read);
    const wanted = store.pdfs();
    const found = async (query: string) => {
      const { hits } = await findPages(store, parseQuery(query), wanted, { limit: 9, cursor: null });
      return hits.map(({ page, snippet, marks }) => [page, ...marks.map(([from, to]) => snippet.slice(from, to))]);
    };
    const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(thai)].filter(
      ({ isWordLike }) => isWordLike,
    );
    assert.ok(words.length > 2);
    for (const { segment } of words) assert.equal((await found(segment))[0]?.[0], 1, segment);
    assert.deepEqual(await found('พลังงาน'), [[2, 'พลังงาน']]);
    assert.deepEqual(await found('น้ำ'), [[2, 'น้ำ'.normalize('NFKC')]]);
    assert.deepEqual(await found('ລາຍງານ'), [[3, 'ລາຍງານ']]);
    assert.deepEqual(
      (await found('របាយការណ៍')).map(([page]) => page),
      [4],
    );
    assert.deepEqual(
      (await found('စွမ်းအင်')).map(([page]) => page),
      [5],
    );
    assert.deepEqual(
      (await found('التقرير')).map(([page]) => page),
      [6],
    );
    assert.deepEqual(await found('long-term'), [[7, 'long-term']]);
    assert.deepEqual(await found('longterm'), [[7, 'long-term']]);
    assert.deepEqual(await found('bio-diversity'), [[7, 'biodiversity']]);
    store.close();
  });
});
