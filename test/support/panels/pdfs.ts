import { createHash } from 'node:crypto';
import { assembled, stream } from '../text/smallPdf.ts';

/** Links that a hostile PDF may hold, and one that is fine. */
export const webAddress = 'https://example.com/report?year=2024';
const badAddresses = [
  'javascript:document.title="hacked"',
  'file:///etc/passwd',
  'command:workbench.action.closeWindow',
  'vscode://report-library.report-library/x',
  'data:text/html,<script>document.title="hacked"</script>',
];
const script = 'app.alert("hacked"); this.submitForm("https://example.com/x"); document.title = "hacked";';

/**
 * A PDF of two pages that tries what PDFs can try: scripts at its opening, on its page and in a link, links to other
 * schemes, a program to launch, another file, a form that is sent away, a file that is attached.
 */
export function hostilePdf(): Buffer {
  const js = `/S /JavaScript /JS ${text(script)}`;
  const actions = [
    ...[webAddress, ...badAddresses].map((address) => `/S /URI /URI ${text(address)}`),
    js,
    '/S /Launch /F (calc.exe) /Win << /F (cmd.exe) /P (/c calc) >>',
    '/S /GoToR /F (/etc/passwd) /D [0 /Fit]',
    `/S /SubmitForm /F << /FS /URL /F ${text('https://example.com/submit')} >> /Fields []`,
    '/S /ImportData /F (/etc/passwd)',
    '/S /Named /N /Print',
  ];
  const links = actions.map((action, index) => {
    const bottom = 720 - index * 24;
    return `<< /Type /Annot /Subtype /Link /Rect [50 ${bottom} 300 ${bottom + 18}] /Border [0 0 1] /A << ${action} >> >>`;
  });
  const inner = '<< /Type /Annot /Subtype /Link /Rect [50 60 300 78] /Border [0 0 1] /Dest [4 0 R /Fit] >>';
  const attached = '<< /Type /Annot /Subtype /FileAttachment /Rect [320 60 340 80] /FS 8 0 R /Contents (open me) >>';
  return pdf([
    `<< /Type /Catalog /Pages 2 0 R /OpenAction << ${js} >> /AA << /WC << ${js} >> >> /Names << /JavaScript << /Names [(a) << ${js} >>] >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page('5 0 R', `/AA << /O << ${js} >> >> /Annots [${[...links, inner, attached].join('\n')}]`),
    page('6 0 R', ''),
    stream('BT /F1 12 Tf 50 760 Td (First page of a hostile report) Tj ET'),
    stream('BT /F1 12 Tf 50 760 Td (Second page of a hostile report) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Filespec /F (run.exe) /EF << /F 9 0 R >> >>',
    stream('MZ'),
  ]);
}

/**
 * A PDF of five pages, the first two numbered i and ii. Its outline has a chapter with a section, and a link on its first
 * page leads to the last; the fourth page, in a branch of its own, is a number and no page if that is asked for.
 */
export function bookPdf({ isDamaged = false } = {}): Buffer {
  const words = ['Contents of the book', 'Foreword', 'Chapter one begins', 'Scope one and scope two', 'The very end'];
  const link = '<< /Type /Annot /Subtype /Link /Rect [50 600 300 618] /Border [0 0 1] /Dest [14 0 R /Fit] >>';
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R /PageLabels << /Nums [0 << /S /r >> 2 << /S /D >>] >> >>',
    '<< /Type /Pages /Kids [10 0 R 11 0 R 12 0 R 8 0 R 14 0 R] /Count 5 >>',
    '<< /Type /Outlines /First 4 0 R /Last 5 0 R /Count 3 >>',
    '<< /Title (Chapter one) /Parent 3 0 R /Next 5 0 R /First 6 0 R /Last 6 0 R /Count 1 /Dest [12 0 R /Fit] >>',
    '<< /Title (The end) /Parent 3 0 R /Prev 4 0 R /Dest [14 0 R /Fit] >>',
    '<< /Title (Scopes) /Parent 4 0 R /Dest [13 0 R /Fit] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Pages /Parent 2 0 R /Kids [13 0 R] /Count 1 >>',
    'null',
    ...words.map((_, index) =>
      isDamaged && index === 3 ? '42' : page(`${15 + index} 0 R`, index === 0 ? `/Annots [${link}]` : ''),
    ),
    ...words.map((line) => stream(`BT /F1 12 Tf 50 760 Td ${text(line)} Tj ET`)),
  ]);
}

/** What passwords are filled up with, by the PDF specification. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** A PDF of one page that only this password opens, by the oldest encryption there is: RC4 with 40 bits. */
export function lockedPdf(password: string, words: string): Buffer {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const id = Buffer.alloc(16, 7);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const rights = Buffer.from('fcffffff', 'hex');
  const key = md5(Buffer.concat([padded, owner, rights, id])).subarray(0, 5);
  const contents = 4;
  const keyOfContents = md5(Buffer.concat([key, Buffer.from([contents, 0, 0, 0, 0])])).subarray(0, 10);
  const drawn = rc4(keyOfContents, Buffer.from(`BT /F1 24 Tf 50 760 Td (${words}) Tj ET`)).toString('latin1');
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return pdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      page(`${contents} 0 R`, ''),
      stream(drawn),
      `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O ${hex(owner)} /U ${hex(rc4(key, padding))} >>`,
      'null',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ],
    `/Encrypt 5 0 R /ID [${hex(id)} ${hex(id)}]`,
  );
}

function md5(bytes: Buffer): Buffer {
  return createHash('md5').update(bytes).digest();
}

/** By hand: Node's own has it no more. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 255] ?? 0;
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}

/** A PDF that names a character map and holds neither it nor a font, as old reports in Japanese do. */
export function mappedPdf(map: string, collection: string, codes: Uint8Array): Buffer {
  const info = `<< /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >>`;
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    page('4 0 R', ''),
    stream(`BT /F1 24 Tf 50 760 Td <${Buffer.from(codes).toString('hex')}> Tj ET`),
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo ${info} /FontDescriptor 6 0 R /DW 1000 >>`,
    '<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -120 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light-${map} /Encoding /${map} /DescendantFonts [5 0 R] >>`,
  ]);
}

/** Group 4 of 8 rows of 8 black dots, as faxes have it. */
function faxBits(): Buffer {
  // In each row white ends where black begins, at the left edge, and black at the right edge. The first row says how
  // long its runs are (horizontal mode: no white, 8 black), the others that they are as above (vertical mode).
  const bits = `001${'00110101'}${'000101'}${'1'.repeat(14)}${'000000000001'.repeat(2)}`.padEnd(56, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The same dots in JBIG2: a page's size, and one region of it whose rows are coded as faxes are. */
function jbig2(): Buffer {
  const size = '00000008'.repeat(2);
  const region = Buffer.concat([Buffer.from(`${size}${'00'.repeat(8)}0001`, 'hex'), faxBits()]);
  const segment = (number: number, type: string, data: Buffer) => {
    const head = Buffer.from(`0000000${number}${type}0001`, 'hex');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([head, length, data]);
  };
  return Buffer.concat([segment(0, '30', Buffer.from(`${size}${'00'.repeat(11)}`, 'hex')), segment(1, '26', region)]);
}

/** 16 by 16 dots of a dark red (200, 30, 60) in JPEG 2000, as OpenJPEG wrote them. */
const jpeg2000 = Buffer.from(
  `ff4fff51002f000000000010000000100000000000000000000000100000001000000000000000000003070101070101070101ff52000c0000
  0001010004040001ff5c00044040ff90000a00000000005e0001ff93c7d40e115054afdf487fc3e72014005cafdf1d25a400000000018484bf
  df818014005caff49cb03c0000000061212fdac4400000c2425fb6990000018484bf6d3200000309097eda640000061212ff7fffd9`.replaceAll(
    /\s/g,
    '',
  ),
  'hex',
);

/** How a scanned page's picture is packed, and what of it a PDF has to say besides. */
const scans = {
  CCITTFaxDecode: [
    faxBits(),
    '/Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /DecodeParms << /K -1 /Columns 8 /Rows 8 >>',
  ],
  JBIG2Decode: [jbig2(), '/Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray'],
  JPXDecode: [jpeg2000, '/Width 16 /Height 16'],
} as const;
export type Scan = keyof typeof scans;

/** A PDF with words, and a scanned page in the middle of a white one: all black, or dark red in JPEG 2000. */
export function scannedPdf(filter: Scan): Buffer {
  const [data, more] = scans[filter];
  const bytes = data.toString('latin1');
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 6 0 R >> /XObject << /P 5 0 R >> >> /Contents 4 0 R >>',
    stream('BT /F1 12 Tf 50 760 Td (A scanned page) Tj ET q 400 0 0 400 100 200 cm /P Do Q'),
    `<< /Type /XObject /Subtype /Image ${more} /Filter /${filter} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

function page(contents: string, more: string): string {
  const resources = '<< /Font << /F1 7 0 R >> >>';
  return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${contents} ${more} >>`;
}

function text(words: string): string {
  return `(${words.replace(/[\\()]/g, '\\$&')})`;
}

function pdf(objects: readonly string[], more = ''): Buffer {
  return Buffer.from(assembled(objects, more));
}
