import { type CharMap, type CodeSpace, codeOf, packCharMap, packTexts, partsOf, readCharMap } from './charMap.ts';

/**
 * The character maps that PDFs in Japanese, Korean and Chinese name without holding them. pdf.js brings 168, 373 kB when
 * packed; here are the small ones of the old encodings, and what the browser itself knows of these encodings makes the
 * large ones: from the code to the character, and from the code to the glyph, follows from the character to the glyph.
 * What the old encodings lack is missing, rare ideographs above all.
 */
interface Script {
  /** How Adobe names the collection of glyphs. */
  readonly collection: string;
  readonly encoding: string;
  /** Maps from the encoding's codes, with which more glyphs become known from left to right. */
  readonly maps: readonly string[];
  /** Names of maps from Unicode, without what tells the form and the direction. */
  readonly unicode: readonly string[];
  /** Maps that are served with another one's glyphs, for the codes that both have. */
  readonly like?: Readonly<Record<string, string>>;
}

const scripts: readonly Script[] = [
  {
    collection: 'Adobe-Japan1',
    encoding: 'shift_jis',
    maps: ['90msp-RKSJ', '90ms-RKSJ'],
    unicode: ['UniJIS', 'UniJIS2004'],
  },
  { collection: 'Adobe-Korea1', encoding: 'euc-kr', maps: ['KSCms-UHC', 'KSCms-UHC-HW'], unicode: ['UniKS'] },
  {
    collection: 'Adobe-GB1',
    encoding: 'gbk',
    maps: ['GBpc-EUC', 'GB-EUC'],
    unicode: ['UniGB'],
    like: { 'GBK-EUC': 'GB-EUC', 'GBKp-EUC': 'GBpc-EUC', GBK2K: 'GBpc-EUC' },
  },
  { collection: 'Adobe-CNS1', encoding: 'big5', maps: ['ETenms-B5', 'ETen-B5'], unicode: ['UniCNS'] },
];

/** Names of the maps that have to be at hand; the package holds these and no others. */
export const packedNames: readonly string[] = [
  ...['90ms-RKSJ', '90msp-RKSJ', '90pv-RKSJ', 'EUC', 'RKSJ', 'KSCms-UHC', 'KSCms-UHC-HW', 'KSC-EUC', 'KSC'],
  ...['ETen-B5', 'ETenms-B5', 'B5pc', 'B5', 'CNS-EUC', 'GB-EUC', 'GBpc-EUC', 'GB'],
]
  .flatMap((name) => [`${name}-H`, `${name}-V`])
  .concat('H', 'V', '83pv-RKSJ-H', 'KSCpc-EUC-H');

/** Maps from Unicode of which the package holds a part: letters and signs that reports use and the old encodings lack. */
export const partNames: readonly string[] = ['UniJIS-UTF16-H'];

/** Whether a character belongs to that part: Latin letters, punctuation, currencies, marks. */
export function isInPart(character: number): boolean {
  return character < 0x180 || (character >= 0x2000 && character < 0x2300);
}

/** Gives the packed maps that pdf.js asks for by their names. */
export class CharMaps {
  readonly #packed: ReadonlyMap<string, Uint8Array>;

  /** @param packed maps by their names, as {@link unpackNamed} gives them */
  constructor(packed: ReadonlyMap<string, Uint8Array>) {
    this.#packed = packed;
  }

  /** A map in the form that pdf.js reads. Throws an Error for one that is not to be had. */
  get(name: string): Uint8Array {
    const packed = packedNames.includes(name) ? this.#packed.get(name) : undefined;
    const made = packed ?? this.#make(name);
    if (!made) throw new Error(`There is no character map ${name}.`);
    // pdf.js takes what it is given away to its worker.
    return made.slice();
  }

  #make(name: string): Uint8Array | undefined {
    for (const script of scripts) {
      if (name === `${script.collection}-UCS2`) return packTexts(this.#characters(script));
      const [, stem = '', direction = 'H'] = /^(.+)-([HV])$/.exec(name) ?? [];
      const like = script.like?.[stem];
      if (like !== undefined) return packCharMap({ ...this.#whole(`${like}-${direction}`), codeSpaces: doubleBytes });
      const form = /^(\w+)-(UCS2|UTF16|UTF32)(-HW)?$/.exec(stem);
      if (form && script.unicode.includes(form[1] ?? '')) {
        return this.#fromUnicode(script, form[2] ?? '', direction, form[3] !== undefined);
      }
    }
    return undefined;
  }

  #fromUnicode(script: Script, form: string, direction: string, isNarrow: boolean): Uint8Array {
    const bytes = form === 'UTF32' ? 4 : 2;
    const glyphs = new Map<number, number>();
    const add = (character: number, glyph: number) => {
      const code = codeOf(bytes, character);
      if (character <= 0xffff && !glyphs.has(code)) glyphs.set(code, glyph);
    };
    // A narrow form has the narrow letters; every other has what the part says of signs first.
    const maps = isNarrow ? script.maps.toReversed() : script.maps;
    if (direction === 'V') for (const map of maps) this.#each(`${map}-V`, script.encoding, false, add);
    if (!isNarrow) for (const [character, glyph] of this.#part(script)) add(character, glyph);
    for (const map of maps) this.#each(`${map}-H`, script.encoding, true, add);
    if (isNarrow) for (const [character, glyph] of this.#part(script)) add(character, glyph);
    return packCharMap({ isVertical: direction === 'V', codeSpaces: codeSpacesOf[form] ?? [], glyphs });
  }

  #characters(script: Script): Map<number, number> {
    const characters = new Map<number, number>();
    const add = (glyph: number, character: number) => {
      if (!characters.has(glyph)) characters.set(glyph, character);
    };
    for (const [character, glyph] of this.#part(script)) add(glyph, character);
    for (const name of script.maps.flatMap((map) => [`${map}-H`, `${map}-V`])) {
      this.#each(name, script.encoding, true, (character, glyph) => add(glyph, character));
    }
    return characters;
  }

  /** Each character of a map's codes with its glyph; of what it builds on too, or of the map alone. */
  #each(name: string, encoding: string, whole: boolean, add: (character: number, glyph: number) => void): void {
    const { glyphs } = whole ? this.#whole(name) : readCharMap(this.#packed.get(name) ?? new Uint8Array(1));
    for (const [code, glyph] of glyphs) {
      const character = characterOf(code, encoding);
      if (character !== undefined) add(character, glyph);
    }
  }

  *#part({ unicode }: Script): Iterable<readonly [character: number, glyph: number]> {
    const packed = this.#packed.get(`${unicode[0]}-UTF16-H`);
    if (packed) for (const [code, glyph] of readCharMap(packed).glyphs) yield [partsOf(code).value, glyph];
  }

  /** A map together with what it builds on. */
  #whole(name: string): CharMap {
    const packed = this.#packed.get(name);
    if (!packed) throw new Error(`There is no character map ${name}.`);
    const map = readCharMap(packed);
    if (map.base === undefined) return map;
    const base = this.#whole(map.base);
    return { ...map, codeSpaces: base.codeSpaces, glyphs: new Map([...base.glyphs, ...map.glyphs]) };
  }
}

const doubleBytes: readonly CodeSpace[] = [
  { bytes: 1, low: 0, high: 0x80 },
  { bytes: 2, low: 0x8140, high: 0xfefe },
];

const codeSpacesOf: Readonly<Record<string, readonly CodeSpace[]>> = {
  UCS2: [{ bytes: 2, low: 0, high: 0xffff }],
  UTF16: [
    { bytes: 2, low: 0, high: 0xd7ff },
    { bytes: 4, low: 0xd800dc00, high: 0xdbffdfff },
    { bytes: 2, low: 0xe000, high: 0xffff },
  ],
  UTF32: [{ bytes: 4, low: 0, high: 0x10ffff }],
};

const decoders = new Map<string, InstanceType<typeof TextDecoder>>();

/** The character that a code stands for in an encoding; undefined when it stands for none, or for more than one. */
function characterOf(code: number, encoding: string): number | undefined {
  const { bytes, value } = partsOf(code);
  if (bytes > 2) return undefined;
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true });
  decoders.set(encoding, decoder);
  try {
    const [character = '', ...more] = decoder.decode(
      Uint8Array.from(bytes === 1 ? [value] : [value >> 8, value & 255]),
    );
    return more.length === 0 ? character.codePointAt(0) : undefined;
  } catch {
    return undefined;
  }
}

/** Named pieces in one: for each its name and length as a line of text, then its bytes. */
export function packNamed(pieces: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${[...pieces].map(([name, bytes]) => `${name} ${bytes.length}`).join()}\n`);
  const all = [head, ...pieces.values()];
  const packed = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of all) {
    packed.set(bytes, at);
    at += bytes.length;
  }
  return packed;
}

export function unpackNamed(packed: Uint8Array): Map<string, Uint8Array> {
  let at = packed.indexOf(10) + 1;
  const pieces = new Map<string, Uint8Array>();
  for (const entry of new TextDecoder().decode(packed.subarray(0, at - 1)).split(',')) {
    const [name = '', length = ''] = entry.split(' ');
    pieces.set(name, packed.subarray(at, at + Number(length)));
    at += Number(length);
  }
  return pieces;
}
