import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packCharMap, partsOf, readCharMap } from '../src/webview/pdfPreview/charMap.ts';
import { isInPart, packedNames, packNamed, partNames } from '../src/webview/pdfPreview/charMaps.ts';

/** The character maps that the PDF preview brings, in one piece, from pdf.js's folder of them. */
export async function packCharMaps(from: string): Promise<Uint8Array> {
  const pieces = new Map<string, Uint8Array>();
  for (const name of packedNames) pieces.set(name, await readFile(join(from, `${name}.bcmap`)));
  for (const name of partNames) {
    const whole = readCharMap(await readFile(join(from, `${name}.bcmap`)));
    const glyphs = new Map([...whole.glyphs].filter(([code]) => isInPart(partsOf(code).value)));
    pieces.set(name, packCharMap({ isVertical: false, codeSpaces: [], glyphs }));
  }
  return packNamed(pieces);
}
