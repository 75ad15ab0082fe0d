import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { Random } from '../../../src/demo/random.ts';
import { assembled, smallPdf, stream } from './smallPdf.ts';

/** A PDF that means ill, or had bad luck. */
export interface HostilePdf {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const page = (contents: string, rest = '') => `<< /Type /Page /Parent 2 0 R /Contents ${contents} ${rest} >>`;
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const onePage = '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 595 842] >>';
const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const font = '/Resources << /Font << /F 5 0 R >> >>';
const hello = stream('BT /F 10 Tf 50 700 Td (Hello world) Tj ET');
const packed = (bytes: Buffer | string) => deflateSync(bytes).toString('latin1');
const flate = (bytes: Buffer | string) => stream(packed(bytes), '/Filter /FlateDecode');

/** This many times 1,048,576 zeros, packed without packing them all: blocks that end at a byte can follow one another. */
function bomb(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(megabytes).fill(block), Buffer.from([3, 0])]);
}

const simple = (...objects: readonly string[]) => assembled([catalog, onePage, ...objects]);

/** Forms that show one another: `depth` of them, each so many times the next one. */
function forms(depth: number, times: number, last: number): Uint8Array {
  const form = (index: number) => {
    const next = index === depth - 1 ? last : 6 + index + 1;
    const resources = `/Resources << /XObject << /X ${next} 0 R >> /Font << /F 5 0 R >> >>`;
    const own = 'BT /F 10 Tf (deep) Tj ET ';
    return stream(own + '/X Do '.repeat(times), `/Type /XObject /Subtype /Form /BBox [0 0 100 100] ${resources}`);
  };
  const resources = '/Resources << /XObject << /X 6 0 R >> /Font << /F 5 0 R >> >>';
  return simple(
    page('4 0 R', resources),
    stream('/X Do'),
    helvetica,
    ...Array.from({ length: depth }, (_, index) => form(index)),
  );
}

/** A tree of pages in which each of `depth` nodes has the next one `times` times. */
function pageTree(depth: number, times: number): Uint8Array {
  const node = (index: number) =>
    `<< /Type /Pages /Count ${times ** (depth - index)} /Kids [${`${index + 3} 0 R `.repeat(times)}] /MediaBox [0 0 9 9] >>`;
  return assembled([catalog, ...Array.from({ length: depth }, (_, index) => node(index)), '<< /Type /Page >>']);
}

/** Those that were made by hand, each against one part of what reads it. */
const byHand: Readonly<Record<string, () => Uint8Array>> = {
  empty: () => new Uint8Array(),
  'one byte': () => Buffer.from('%'),
  'header alone': () => Buffer.from('%PDF-1.7\n'),
  'no PDF': () => Buffer.from('<!doctype html><title>Sign in</title>'.repeat(100)),
  zeros: () => new Uint8Array(300_000),
  'header late': () => Buffer.concat([Buffer.alloc(900, 32), smallPdf({ pages: [['late']] })]),
  'no pages': () => assembled([catalog, '<< /Type /Pages /Count 0 /Kids [] >>']),
  'pages in a circle': () => assembled([catalog, '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>']),
  'two nodes in a circle': () =>
    assembled([
      catalog,
      '<< /Type /Pages /Count 9 /Kids [3 0 R] >>',
      '<< /Type /Pages /Count 9 /Kids [2 0 R] /Parent 2 0 R >>',
    ]),
  'pages beyond counting': () =>
    assembled([catalog, '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>', page('4 0 R', font), hello, helvetica]),
  'fewer than no pages': () =>
    assembled([catalog, '<< /Type /Pages /Count -5 /Kids [3 0 R] >>', page('4 0 R', font), hello, helvetica]),
  'a tree of a thousand million pages': () => pageTree(9, 10),
  'a deep tree': () => pageTree(3000, 1),
  'pages over the cap': () =>
    assembled([
      catalog,
      `<< /Type /Pages /Count 20500 /Kids [${'3 0 R '.repeat(20_500)}] /MediaBox [0 0 595 842] >>`,
      page('4 0 R', font),
      hello,
      helvetica,
    ]),
  'a form in itself': () => forms(1, 1, 6),
  'forms in a circle': () => forms(5, 3, 6),
  'forms that multiply': () => forms(12, 12, 5),
  'forms far down': () => forms(2000, 1, 5),
  'contents of themselves': () => simple(page('3 0 R', font), hello, helvetica),
  'contents again and again': () => simple(page(`[${'4 0 R '.repeat(200_000)}]`, font), hello, helvetica),
  'a length that is itself': () =>
    simple(page('4 0 R', font), '<< /Length 4 0 R >>\nstream\nBT ET\nendstream', helvetica),
  'a length beyond the file': () =>
    simple(page('4 0 R', font), '<< /Length 99999999999 >>\nstream\nBT ET\nendstream', helvetica),
  'a bomb of zeros': () =>
    simple(page('4 0 R', font), stream(bomb(400).toString('latin1'), '/Filter /FlateDecode'), helvetica),
  'a bomb in a bomb': () => {
    const inner = deflateSync(bomb(600));
    return simple(
      page('4 0 R', font),
      stream(inner.toString('latin1'), '/Filter [/FlateDecode /FlateDecode]'),
      helvetica,
    );
  },
  'a bomb of text': () =>
    simple(
      page('4 0 R', font),
      flate(`BT /F 10 Tf ${'(aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaa) Tj T* '.repeat(600_000)} ET`),
      helvetica,
    ),
  'many filters': () =>
    simple(page('4 0 R', font), stream('x', `/Filter [${'/ASCIIHexDecode '.repeat(50_000)}]`), helvetica),
  'a million brackets': () => simple(page('4 0 R', font), stream('['.repeat(1_000_000)), helvetica),
  'a million brackets in an object': () => simple(page('4 0 R', font), hello, helvetica, '['.repeat(1_000_000)),
  'a million dictionaries': () => simple(page('4 0 R', `${font} /A ${'<</A'.repeat(300_000)}`), hello, helvetica),
  'a million saved states': () => simple(page('4 0 R', font), stream('q '.repeat(1_000_000)), helvetica),
  'an image beyond measure': () =>
    simple(
      page('4 0 R', font),
      stream(`BI /W 99999999 /H 99999999 /BPC 8 /CS /RGB ID ${'x'.repeat(99)} EI`),
      helvetica,
    ),
  'a page beyond measure': () =>
    simple(page('4 0 R', `${font} /MediaBox [-1e38 -1e38 1e38 1e38] /UserUnit 1e30`), hello, helvetica),
  'text beyond measure': () =>
    simple(
      page('4 0 R', font),
      stream('BT /F 1e38 Tf 1e38 Tc 1e38 Tw 1e38 0 0 1e38 1e38 1e38 Tm (far away) Tj (so far) Tj ET'),
      helvetica,
    ),
  'text in one place': () =>
    simple(page('4 0 R', font), stream(`BT /F 10 Tf 0 Tz 50 50 Td ${'(x) Tj '.repeat(100_000)} ET`), helvetica),
  'a font of itself': () =>
    simple(
      page('4 0 R', font),
      hello,
      '<< /Type /Font /Subtype /Type0 /DescendantFonts [5 0 R] /ToUnicode 5 0 R /Encoding 5 0 R >>',
    ),
  'letters that show letters': () =>
    simple(
      page('4 0 R', font),
      hello,
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 72 /LastChar 72 /Widths [9] /Encoding << /Differences [72 /H] >> /CharProcs << /H 4 0 R >> /Resources << /Font << /F 5 0 R >> >> >>',
    ),
  'a map of all characters to long texts': () => {
    const range = `1 beginbfrange\n<0000> <FFFF> [${`<${'0041'.repeat(250)}> `.repeat(20_000)}]\nendbfrange`;
    return simple(
      page('4 0 R', font),
      hello,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
      flate(`begincmap ${range} endcmap`),
    );
  },
  'labels in a circle': () =>
    assembled([
      '<< /Type /Catalog /Pages 2 0 R /PageLabels 6 0 R >>',
      onePage,
      page('4 0 R', font),
      hello,
      helvetica,
      '<< /Kids [6 0 R 6 0 R] /Limits [0 9] >>',
    ]),
  'a label of a million': () =>
    assembled([
      `<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /P (${'x'.repeat(1_000_000)}) /S /r /St 2147483647 >>] >> >>`,
      onePage,
      page('4 0 R', font),
      hello,
      helvetica,
    ]),
  'a roman label of two thousand million': () =>
    assembled([
      '<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r /St 2147483647 >>] >> >>',
      onePage,
      page('4 0 R', font),
      hello,
      helvetica,
    ]),
  'a table that follows itself': () => {
    const text = Buffer.from(smallPdf({ pages: [['x']] })).toString('latin1');
    return Buffer.from(text.replace('/Root', `/Prev ${text.lastIndexOf('xref\n0')} /Root`), 'latin1');
  },
  'a table of everything': () => {
    const body = '%PDF-1.5\n';
    return Buffer.from(
      `${body}1 0 obj\n${stream('x', '/Type /XRef /W [1 2 1] /Index [0 2147483647] /Size 2147483647 /Root 1 0 R')}\nendobj\nstartxref\n${body.length}\n%%EOF`,
      'latin1',
    );
  },
  'objects in themselves': () =>
    simple(
      page('4 0 R', font),
      stream('4 0 5 9 << /A 4 0 R >>', '/Type /ObjStm /N 2 /First 8 /Extends 4 0 R'),
      '5 0 R',
      '7 0 R',
      '6 0 R',
    ),
  'a password': () =>
    assembled(
      [
        catalog,
        onePage,
        page('4 0 R', font),
        hello,
        helvetica,
        `<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`,
      ],
      `/Encrypt 6 0 R /ID [<${'43'.repeat(16)}> <${'43'.repeat(16)}>]`,
    ),
  'a lock of nobody’s': () =>
    assembled(
      [catalog, onePage, page('4 0 R', font), hello, helvetica, '<< /Filter /Own.Lock /V 99 >>'],
      '/Encrypt 6 0 R',
    ),
  'text that is no text': () =>
    smallPdf({
      pages: [['\uD800\uDC00\u202E\u0000\uFFFE\uFFFF'.repeat(500), '\u0301'.repeat(5000), '\uFDFA'.repeat(5000)]],
    }),
};

/** Changes of a healthy PDF, such as a bad disk, a broken transfer or somebody who knows the format makes. */
const changes: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => text.slice(0, random.int(1, text.length - 1)),
  (text, random) => text.slice(random.int(1, 3000)),
  (text, random) => mutated(text, random, random.int(1, 300)),
  (text, random) => mutated(text, random, random.int(1, 6)),
  (text, random) =>
    text.replace(/\d+ 0 R/g, (reference) => (random.chance(0.02) ? `${random.int(0, 60)} 0 R` : reference)),
  (text, random) =>
    text.replace(/\b\d+\b/g, (number) =>
      random.chance(0.01) ? String(random.pick([-1, 0, 2 ** 31, 2 ** 32, 1e15])) : number,
    ),
  (text, random) =>
    text.replace(/\/[A-Z]\w+/g, (name) =>
      random.chance(0.01) ? random.pick(['/Pages', '/Kids', '/Length', '/Filter', '/Page', '/FlateDecode']) : name,
    ),
  (text, random) =>
    text.replace(/\b(Tf|Td|Tj|T\*|rg|re|f|q|Q|BT|ET)\b/g, (word) =>
      random.chance(0.05) ? random.pick(['q', 'Do', 'BI', 'ET', 'Tj', "'", '"', 'cm', 'sh']) : word,
    ),
  (text, random) => {
    const from = random.int(0, text.length - 1);
    return (
      text.slice(0, from) + text.slice(from, from + random.int(10, 5000)).repeat(random.int(2, 20)) + text.slice(from)
    );
  },
  (text, random) =>
    text.replace(/[<>[\]()]/g, (bracket) =>
      random.chance(0.003) ? random.pick(['<<', '>>', '[', ']', '(', ')', '']) : bracket,
    ),
];

function mutated(text: string, random: Random, times: number): string {
  const bytes = Buffer.from(text, 'latin1');
  for (let done = 0; done < times; done += 1) bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  return bytes.toString('latin1');
}

/** `count` hostile PDFs, the same for the same seed: all handmade ones, and changes of the healthy ones given. */
export function* hostilePdfs(count: number, seed: number, healthy: readonly Uint8Array[]): Generator<HostilePdf> {
  const made = Object.entries(byHand).slice(0, count);
  for (const [name, bytes] of made) yield { name, bytes: bytes() };
  for (let index = made.length; index < count; index += 1) {
    const random = new Random(seed, index);
    const kind = index % changes.length;
    const text = Buffer.from(random.pick(healthy)).toString('latin1');
    yield {
      name: `change ${kind}, number ${index}`,
      bytes: Buffer.from(changes[kind]?.(text, random) ?? text, 'latin1'),
    };
  }
}
