/** Objects of a PDF, the first one its catalog, with a table of where they are. Strings hold a byte a character. */
export function assembled(objects: readonly string[], trailer = ''): Uint8Array<ArrayBuffer> {
  let body = '%PDF-1.7\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  objects.forEach((object, index) => {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(body + table + end, 'latin1'));
}

export function stream(content: string, entries = ''): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`;
}

interface SmallPdf {
  /** The lines of each page. What stands first in a line stands at its left, in whatever direction it is read. */
  readonly pages: readonly (readonly string[])[];
  /** Degrees that the pages are turned by, clockwise; their lines stand upright then all the same. */
  readonly turned?: 90 | 270;
  /** Content of the catalog’s `/PageLabels`. */
  readonly labels?: string;
}

/** A PDF whose one font has every character, and no shape for any: it is made to be read, not looked at. */
export function smallPdf({ pages, turned, labels }: SmallPdf): Uint8Array<ArrayBuffer> {
  const characters = [...new Set(pages.flat().join(''))];
  const hex = (value: number) => value.toString(16).padStart(4, '0').toUpperCase();
  const codeOf = new Map(characters.map((character, index) => [character, hex(index + 1)]));
  const utf16 = (text: string) => Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join('');
  const mapping = characters.map(
    (character) => `1 beginbfchar\n<${codeOf.get(character)}> <${utf16(character)}>\nendbfchar`,
  );
  const cmap =
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Own def\n/CMapType 2 def\n' +
    `1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n${mapping.join('\n')}\nendcmap\nend\nend`;
  const pageId = (index: number) => 7 + index * 2;
  const kids = pages.map((_, index) => `${pageId(index)} 0 R`).join(' ');
  const shown = (line: string) => `<${Array.from(line, (character) => codeOf.get(character)).join('')}> Tj T*`;
  const place = turned === 90 ? '0 1 -1 0 50 50 Tm' : turned === 270 ? '0 -1 1 0 545 792 Tm' : '50 780 Td';
  return assembled([
    `<< /Type /Catalog /Pages 2 0 R ${labels ? `/PageLabels << /Nums [${labels}] >>` : ''} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 595 842] ${turned ? `/Rotate ${turned}` : ''} >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
      '/Supplement 0 >> /FontDescriptor 5 0 R /DW 600 >>',
    '<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 ' +
      '/Descent -200 /CapHeight 700 /StemV 80 >>',
    stream(cmap),
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${pageId(index) + 1} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      stream(`BT /F 10 Tf 14 TL ${place} ${lines.map(shown).join(' ')} ET`),
    ]),
  ]);
}
