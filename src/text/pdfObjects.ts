import { inflateSync } from 'node:zlib';

/** Largest PDF whose objects are listed, and how much is unpacked of all streams of objects, in bytes. */
const [maxBytes, maxUnpacked] = [100 * 1024 ** 2, 64 * 1024 ** 2];
/** Longest object that is read, in characters, and the maximum depth of trees. */
const [maxObject, maxDepth] = [100_000, 12];

/** A font, as its dictionary describes it. */
interface DescribedFont {
  /** Whether its codes are numbers of glyphs or of a character collection. */
  readonly isComposite: boolean;
  /** What its encoding's names of glyphs say that PDFium doesn't know. */
  readonly texts: ReadonlyMap<number, string>;
}

/**
 * What PDFium doesn't report of a PDF: the names of glyphs, and where its page labels begin. Read from the objects of
 * the file as they are written, without its streams; knows nothing of encrypted or damaged ones.
 */
export class PdfObjects {
  readonly #objects: ReadonlyMap<number, string>;
  #fonts: ReadonlyMap<string, DescribedFont> | undefined;

  constructor(source: Uint8Array) {
    this.#objects = source.length > maxBytes ? new Map() : objectsOf(source);
  }

  /** A font by its name; undefined where there is none, or several differ. */
  font(name: string): DescribedFont | undefined {
    this.#fonts ??= this.#describedFonts();
    return this.#fonts.get(name);
  }

  /** How many pages come before the first one that has a label. */
  pagesBeforeLabels(): number {
    for (const text of this.#objects.values()) {
      const at = /\/Type\s*\/Catalog\b/.test(text) ? text.indexOf('/PageLabels') : -1;
      if (at !== -1) return this.#firstKey(this.#valueAt(text, at + '/PageLabels'.length), 0);
    }
    return 0;
  }

  /** Of a tree of numbers. */
  #firstKey(tree: string, depth: number): number {
    const [, key] = /\/Nums\s*\[\s*(\d{1,9})/.exec(tree) ?? [];
    if (key !== undefined) return Number(key);
    const [, kid] = /\/Kids\s*\[\s*(\d{1,9})\s+\d+\s+R/.exec(tree) ?? [];
    return kid === undefined || depth > maxDepth ? 0 : this.#firstKey(this.#objects.get(Number(kid)) ?? '', depth + 1);
  }

  /** A value in an object, or the object that it refers to. */
  #valueAt(text: string, at: number): string {
    const value = text.slice(at);
    const [, reference] = /^\s*(\d{1,9})\s+\d+\s+R\b/.exec(value) ?? [];
    return reference === undefined ? value : (this.#objects.get(Number(reference)) ?? '');
  }

  #describedFonts(): Map<string, DescribedFont> {
    const fonts = new Map<string, DescribedFont>();
    const texts = [...this.#objects.values()].flatMap(
      (text) => text.match(/<<(?:(?!<<)[\s\S])*?\/BaseFont\b[\s\S]*/g) ?? [],
    );
    for (const text of texts)
      for (const { 1: name = '', index } of text.matchAll(/\/BaseFont\s*\/([^\s/<>[\]()]+)/g)) {
        const from = text.lastIndexOf('/Font', index);
        const around = text.slice(Math.max(0, from), index + 2000);
        if (/\/Subtype\s*\/CIDFontType/.test(around.slice(0, index - from + 200))) continue;
        const encoding = /\/Encoding(?!\s*\/)/.exec(around);
        const differences = encoding ? this.#valueAt(around, encoding.index + '/Encoding'.length) : '';
        const font = {
          isComposite: /\/Subtype\s*\/Type0\b/.test(around) || /\/DescendantFonts\b/.test(around),
          texts: namedTexts(/\/Differences\s*\[([^\]]*)\]/.exec(differences)?.[1] ?? ''),
        };
        const decoded = name.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        fonts.set(decoded, joined(fonts.get(decoded), font));
      }
    return fonts;
  }
}

/** Fonts of one name are often the same; what they say differently is left out. */
function joined(one: DescribedFont | undefined, two: DescribedFont): DescribedFont {
  if (!one) return two;
  const texts = new Map(
    [...one.texts, ...two.texts].filter(
      ([code]) => (one.texts.get(code) ?? two.texts.get(code)) === (two.texts.get(code) ?? one.texts.get(code)),
    ),
  );
  return { isComposite: one.isComposite || two.isComposite, texts };
}

/** The texts of codes in an array of differences: numbers, each with the names of the glyphs from it on. */
function namedTexts(differences: string): Map<number, string> {
  const texts = new Map<number, string>();
  let code = 0;
  for (const [item] of differences.matchAll(/\d+|\/[^\s/]+/g)) {
    if (!item.startsWith('/')) {
      code = Number(item);
      continue;
    }
    const text = textOfName(item.slice(1));
    if (text !== null) texts.set(code, text);
    code += 1;
  }
  return texts;
}

const namedParts: Readonly<Record<string, string>> = {
  ...{ ff: 'ff', fi: 'fi', fl: 'fl', ffi: 'ffi', ffl: 'ffl', longs: 's', st: 'st', ct: 'ct', hyphen: '-', space: ' ' },
  ...{ zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9' },
  ...{ period: '.', comma: ',', percent: '%', parenleft: '(', parenright: ')', quoteright: '’', germandbls: 'ß' },
};

/** What a glyph's name says by Adobe's rules, as `f_f_i` or `T_h.liga`; null for names that say nothing. */
function textOfName(name: string): string | null {
  const [base = ''] = name.split('.');
  const parts = base.split('_').map((part) => {
    if (/^[A-Za-z]$/.test(part)) return part;
    if (/^uni(?:[0-9A-F]{4})+$/.test(part))
      return part.slice(3).replace(/.{4}/g, (hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const [, hex] = /^u([0-9A-F]{4,6})$/.exec(part) ?? [];
    const code = hex === undefined ? 0x110000 : Number.parseInt(hex, 16);
    return code < 0x110000 ? String.fromCodePoint(code) : (namedParts[part] ?? null);
  });
  return base !== '' && parts.every((part) => part !== null) ? parts.join('') : null;
}

function objectsOf(source: Uint8Array): Map<number, string> {
  const file = Buffer.from(source.buffer, source.byteOffset, source.length);
  const text = file.toString('latin1');
  const objects = new Map<number, string>();
  let unpacked = 0;
  const [begins, ends] = [/(?<!\d)(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b/g, /endobj|(?<!end)stream\r?\n?/g];
  // Each search starts after the last match, so that the time is linear.
  for (let match = begins.exec(text); match; match = begins.exec(text)) {
    const from = begins.lastIndex;
    ends.lastIndex = from;
    const found = ends.exec(text);
    if (!found) break;
    const object = text.slice(from, Math.min(found.index, from + maxObject));
    const streamEnd = found[0] === 'endobj' ? -1 : text.indexOf('endstream', ends.lastIndex);
    if (streamEnd !== -1 && /\/Type\s*\/ObjStm\b/.test(object)) {
      const inside = inflated(file.subarray(ends.lastIndex, streamEnd), maxUnpacked - unpacked);
      unpacked += inside.length;
      for (const [number, packed] of packedObjects(object, inside)) objects.set(number, packed);
    } else objects.set(Number(match[1]), object);
    if (found[0] !== 'endobj' && streamEnd === -1) break;
    begins.lastIndex = Math.max(ends.lastIndex, streamEnd);
  }
  return objects;
}

function inflated(stream: Uint8Array, most: number): string {
  try {
    return most <= 0 ? '' : inflateSync(stream, { maxOutputLength: most, finishFlush: 2 }).toString('latin1');
  } catch (error) {
    // Encrypted, damaged, packed in another way, or too large.
    if (error instanceof Error) return '';
    throw error;
  }
}

function* packedObjects(dictionary: string, inside: string): Generator<readonly [number: number, text: string]> {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? Infinity);
  if (first > inside.length) return;
  const numbers = (inside.slice(0, first).match(/\d+/g) ?? []).map(Number);
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    const [number = 0, from = 0, to = inside.length] = [numbers[at], numbers[at + 1], numbers[at + 3]];
    yield [number, inside.slice(first + from, Math.min(first + to, first + from + maxObject))];
  }
}
