import type { Box } from '../base/placedText.ts';

/** A character as PDFium reads it. */
export interface PageCharacter {
  /** In Unicode; of an unknown one its number in the font. */
  readonly code: number;
  /** Covers its whole advance and its font's height, on the page before its rotation. */
  readonly box: Box;
  /** Where its baseline begins. */
  readonly x: number;
  readonly y: number;
  /** Of its baseline, counterclockwise, in radians. */
  readonly angle: number;
  /** Whether PDFium added it: a blank or a line break that isn't printed. */
  readonly isGenerated: boolean;
  /** Whether its font doesn't say which character it is. */
  readonly isUnknown: boolean;
  /** The same number for characters that are printed in one go. */
  readonly object: number;
}

const added = { box: [0, 0, 0, 0] as Box, x: 0, y: 0, angle: 0, isUnknown: false, object: 0, isGenerated: true };
/** What PDFium adds: a blank, and a line break. */
export const addedBlank: PageCharacter = { code: 0x20, ...added };
export const addedBreak: PageCharacter = { code: 0x0a, ...added };
/** Between what isn't printed in one go, where PDFium knows nothing of gaps. */
export const partBreak: PageCharacter = { code: 0, ...added };

/** What an annotation writes on a page: the value of a form field, or a free text. */
export interface PageNote {
  readonly text: string;
  readonly box: Box;
}

/** Stands for a hyphen at a line's end together with the line break. */
export const lineEndHyphen = 0xfffe;

/** Characters in the order in which their objects are printed. */
export function asPrinted(characters: readonly PageCharacter[], order: ReadonlyMap<number, number>): PageCharacter[] {
  let last = 0;
  // What PDFium adds stays where it is inside of what is printed in one go.
  const kept = characters.flatMap((character, at) => {
    if (!character.isGenerated) last = character.object;
    const next = characters.slice(at, at + 4).find(({ isGenerated }) => !isGenerated)?.object;
    return next === last ? { ...character, object: last } : [];
  });
  const rank = ({ object }: PageCharacter) => order.get(object) ?? order.size;
  return kept
    .sort((one, two) => rank(one) - rank(two))
    .flatMap((character, at, all) => (character.object === all[at - 1]?.object ? character : [partBreak, character]));
}
