import type { Box, PlacedText } from '../base/placedText.ts';
import { bareWithSources, normalForm } from './normalForm.ts';
import { type PageCharacter, type PageNote, partBreak } from './pageCharacter.ts';

/** What is between two characters. */
type Gap = '' | ' ' | '\n';

/** A printed character, in the frame of its own baseline: `along` it, `across` it upward. */
interface Glyph {
  readonly character: PageCharacter;
  /** The same as the character's, but for one that isn't known. */
  readonly code: number;
  readonly along: number;
  readonly across: number;
  readonly end: number;
  /** About its font's size. */
  readonly size: number;
  /** What is between it and the glyph before; null where only their positions say so. */
  before: Gap | null;
  /** Whether a blank is printed before it. */
  hasBlank: boolean;
}

/** Loose boxes are higher than the font's size, which a matrix may scale. */
const sizeOfHeight = 0.85;
/** Largest offset of a repeated glyph that imitates bold, as a part of its size. */
const boldOffset = 0.15;
/** How much of a page's characters have to be known to call it readable. */
const leastKnown = 0.5;

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The text of a page before its normal form, and for each UTF-16 unit its box; null for what isn't printed. */
export interface RawText {
  readonly text: string;
  readonly boxes: readonly (Box | null)[];
  /** Whether the page has characters, but its fonts don't say which. */
  readonly isUnreadable: boolean;
}

/** Forms lines and words from the characters of a page: each glyph once, raised digits as superscripts. */
export function rawText(characters: readonly PageCharacter[], notes: readonly PageNote[] = []): RawText {
  const isUnreadable = areUnknown(characters);
  // No text is better than a few letters of an unreadable one.
  const glyphs = isUnreadable ? [] : glyphsOf(characters);
  const marks = raisedDigits(glyphs);
  const gaps = gapsOf(glyphs, marks);
  closeGaps(glyphs, gaps);
  const notesAt = Map.groupBy(notes, (note) => glyphBefore(note, glyphs, gaps));
  let text = '';
  const boxes: (Box | null)[] = [];
  const addNotes = (at: number) => {
    for (const note of notesAt.get(at) ?? []) {
      text += `\n${note.text}\n`;
      boxes.push(null, ...boxesIn(note), null);
    }
  };
  for (const [at, { code, character }] of glyphs.entries()) {
    const own = marks.has(at) ? (superscripts[code - zero] ?? '') : textOf(code);
    const gap = gaps[at] ?? '';
    text += gap + own;
    if (gap !== '') boxes.push(null);
    for (let unit = 0; unit < own.length; unit += 1) boxes.push(character.box);
    addNotes(at);
  }
  addNotes(-1);
  return { text, boxes, isUnreadable };
}

function areUnknown(characters: readonly PageCharacter[]): boolean {
  let [printed, known] = [0, 0];
  for (const { isGenerated, isUnknown, code } of characters) {
    if (isGenerated || isBlank(code)) continue;
    printed += 1;
    if (!isUnknown && !isPrivate(code)) known += 1;
  }
  return printed > 0 && known < printed * leastKnown;
}

/** The last glyph of the words to the left of a note, which it follows in reading; -1 where there are none. */
function glyphBefore({ box }: PageNote, glyphs: readonly Glyph[], gaps: readonly Gap[]): number {
  let best = -1;
  for (const [at, { character }] of glyphs.entries()) {
    const [, bottom, right, top] = character.box;
    const middle = (bottom + top) / 2;
    const isBeside = middle > box[1] && middle < box[3] && right < box[0] + 3 && gaps[at + 1] !== '';
    if (isBeside && right >= (glyphs[best]?.character.box[2] ?? -Infinity)) best = at;
  }
  return best;
}

/** About where each unit of a note is printed. */
function boxesIn({ text, box: [left, bottom, right, top] }: PageNote): (Box | null)[] {
  const lines = text.split(/\r\n?|\n/);
  const height = (top - bottom) / lines.length;
  const width = Math.min(height / 2, (right - left) / Math.max(...lines.map((line) => line.length), 1));
  let [line, column] = [0, 0];
  return Array.from({ length: text.length }, (_, at): Box | null => {
    if (/[\r\n]/.test(text.charAt(at))) {
      if (text.slice(at, at + 2) !== '\r\n') [line, column] = [line + 1, 0];
      return null;
    }
    const [x, y] = [left + width * column, top - height * line];
    column += 1;
    return [x, y - height, x + width, y];
  });
}

/** The one text of a page with the box of each of its units. */
export function placedText({ text: read, boxes: printed }: RawText): PlacedText {
  const text = normalForm(read);
  const { sources } = bareWithSources(read);
  const boxes: number[] = [];
  let next = 0;
  for (const unit of text.split('')) {
    const box = unit === ' ' ? null : printed[sources[next++] ?? -1];
    for (const value of box ?? [0, 0, 0, 0]) boxes.push(Math.round(value * 100) / 100);
  }
  return { text, boxes };
}

const textOf = (code: number) => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code));
const isBlank = (code: number) => code <= 0x20 || (code >= 0xa0 && textOf(code).trim() === '');
const isPrivate = (code: number) => code === unknown || (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000;
const isDigit = ({ code }: Glyph) => code >= zero && code <= zero + 9;
const [zero, unknown] = [0x30, 0xfffd];

/** Printed characters, each once: PDFs print glyphs twice, slightly moved, to have them bold or with a shadow. */
function glyphsOf(characters: readonly PageCharacter[]): Glyph[] {
  const glyphs: Glyph[] = [];
  const seen = new PrintedGlyphs();
  let last: Glyph | undefined;
  let [before, hasBlank, isAgain, wasDropped]: [Gap, boolean, boolean, boolean] = ['', false, false, false];
  for (const character of characters) {
    if (character === partBreak) {
      wasDropped = true;
      continue;
    }
    if (character.isGenerated) {
      if (before !== '\n') before = character.code === 0x20 ? ' ' : '\n';
      continue;
    }
    const glyph = placed(character);
    // The letters of a ligature are in one position.
    if (!last || !isSamePosition(last, glyph)) isAgain = seen.isAgain(glyph);
    last = glyph;
    if (isAgain) {
      wasDropped = true;
    } else if (isBlank(glyph.code)) {
      hasBlank = true;
    } else {
      // Where glyphs in between were dropped, PDFium's gap was one to or from them.
      glyph.before = wasDropped ? null : before;
      glyph.hasBlank = hasBlank;
      glyphs.push(glyph);
      [before, hasBlank, wasDropped] = ['', false, false];
    }
  }
  return glyphs;
}

function isSamePosition(one: Glyph, two: Glyph): boolean {
  return (
    one.along === two.along &&
    one.across === two.across &&
    one.character.object === two.character.object &&
    two.end > two.along
  );
}

function placed(character: PageCharacter): Glyph {
  const { box, x, y, angle, code, isUnknown } = character;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [advance, height] = sidesOf(box[2] - box[0], box[3] - box[1], Math.abs(cos), Math.abs(sin));
  const along = x * cos + y * sin;
  return {
    character,
    code: isUnknown ? unknown : code,
    along,
    across: y * cos - x * sin,
    end: along + advance,
    size: height > 0.1 ? height * sizeOfHeight : 1,
    before: null,
    hasBlank: false,
  };
}

/** Advance and height of a turned glyph, of whose box the width and height are known. */
function sidesOf(width: number, height: number, cos: number, sin: number): [advance: number, height: number] {
  const turn = cos * cos - sin * sin;
  // At half a right angle each glyph's box is a square.
  if (Math.abs(turn) < 0.15)
    return [0.3, 0.7].map((part) => (part * (width + height)) / (cos + sin)) as [number, number];
  return [(width * cos - height * sin) / turn, (height * cos - width * sin) / turn];
}

/** Side of a cell of the page in points, twice the largest offset, and how many of its last glyphs are compared. */
const [cell, maxCompared] = [16, 32];

/** Finds glyphs that were printed before at nearly the same position. */
class PrintedGlyphs {
  /** By character and cell. */
  readonly #printed = new Map<number, Glyph[]>();

  isAgain(glyph: Glyph): boolean {
    const { along, across, size, end, code } = glyph;
    const offset = Math.min(size * boldOffset, Math.max((end - along) * 0.6, size * 0.05), cell / 2);
    const cellsOf = (position: number) =>
      new Set([Math.floor((position - offset) / cell), Math.floor((position + offset) / cell)]);
    for (const column of cellsOf(along))
      for (const row of cellsOf(across))
        for (const other of this.#printed.get(cellKey(code, column, row))?.slice(-maxCompared) ?? []) {
          const isNear = Math.abs(other.along - along) <= offset && Math.abs(other.across - across) <= offset;
          if (isNear && isTurnedAlike(other, glyph)) return true;
        }
    const own = cellKey(code, Math.floor(along / cell), Math.floor(across / cell));
    const others = this.#printed.get(own);
    if (others) others.push(glyph);
    else this.#printed.set(own, [glyph]);
    return false;
  }
}

/** Cells far from one another may share a key. */
const cellKey = (code: number, column: number, row: number) =>
  ((column & 0x3ff) * 0x400 + (row & 0x3ff)) * 2 ** 32 + code;

const isTurnedAlike = ({ character: { angle: one } }: Glyph, { character: { angle: two } }: Glyph) =>
  Math.cos(one - two) > 0.98;

/** How far a glyph is from the end of the one before, in sizes of that one. */
const distance = (one: Glyph, two: Glyph) => (two.along - one.end) / one.size;
/** How far a glyph is raised above another, in sizes of the larger one. */
const rise = (one: Glyph, two: Glyph) => (two.across - one.across) / Math.max(one.size, two.size);

/** Complete groups of three: a further digit is not the number's. */
const groupedNumber = /^\d{1,3}(?:[.,'’]\d{3})+$/;
const isSeparator = (code: number) => code === 0x2c || code === 0x2e || code === 0x27 || code === 0x2019;

/** Which glyphs are note marks or exponents: digits that are raised above what they follow, or begin. */
function raisedDigits(glyphs: readonly Glyph[]): ReadonlySet<number> {
  const marks = new Set<number>();
  /** The last glyph on the baseline, and the first one of its row. */
  let [base, row]: (Glyph | undefined)[] = [];
  let number = '';
  for (let at = 0; at < glyphs.length; at += 1) {
    const last = glyphs[at - 1];
    const glyph = glyphs[at];
    if (!glyph) break;
    const isOnRow = row !== undefined && isTurnedAlike(row, glyph) && Math.abs(rise(row, glyph)) <= 0.6;
    if (!isDigit(glyph)) {
      if (!isOnRow || (row && glyph.along < row.along)) row = glyph;
      number = isSeparator(glyph.code) ? number + textOf(glyph.code) : '';
      base = glyph;
      continue;
    }
    const isNear = last !== undefined && isTurnedAlike(last, glyph) && Math.abs(distance(last, glyph) + 0.1) < 0.5;
    if (isNear && last) {
      const goesOn = marks.has(at - 1) && Math.abs(rise(last, glyph)) < 0.05;
      const begins = glyph.character.object !== last.character.object && !glyph.hasBlank;
      const isApart = () => isShort(glyphs, at) && (isRaised(row, glyph) || groupedNumber.test(number));
      if (goesOn || isRaised(base, glyph) || (begins && isDigit(last) && isApart())) {
        marks.add(at);
        continue;
      }
    }
    const next = isNear ? undefined : glyphs.slice(at, at + 4).find((other) => !isDigit(other));
    if (next && isBeginning(glyph, next)) {
      marks.add(at);
      continue;
    }
    if (!isOnRow || (row && glyph.along < row.along)) row = glyph;
    number = (isNear && !glyph.hasBlank ? number : '').slice(-24) + textOf(glyph.code);
    base = glyph;
  }
  return marks;
}

function isRaised(from: Glyph | undefined, glyph: Glyph): boolean {
  if (!from) return false;
  const up = rise(from, glyph);
  return up > (glyph.size < from.size * 0.9 ? 0.12 : 0.22) && up < 0.8;
}

/** Whether one or two digits are printed on their own. */
function isShort(glyphs: readonly Glyph[], at: number): boolean {
  const object = glyphs[at]?.character.object;
  const own = glyphs.slice(at, at + 3).filter(({ character }) => character.object === object);
  return own.length < 3 && own.every(isDigit);
}

/** Whether a smaller digit is raised above what it stands before, as at the beginning of a note. */
function isBeginning(mark: Glyph, text: Glyph): boolean {
  const isSmaller = mark.size < text.size * 0.85 && isTurnedAlike(mark, text);
  const up = rise(text, mark);
  return isSmaller && up > 0.12 && up < 0.8 && text.along > mark.along && distance(mark, text) < 1.5;
}

/** What is before each glyph. */
function gapsOf(glyphs: readonly Glyph[], marks: ReadonlySet<number>): Gap[] {
  let base: Glyph | undefined;
  return glyphs.map((glyph, at): Gap => {
    const last = glyphs[at - 1];
    const from = base;
    if (!marks.has(at) && !isCombining(glyph)) base = glyph;
    if (!last) return '';
    const isBetween = marks.has(at - 1) && !marks.has(at);
    if (marks.has(at)) {
      const follows = isTurnedAlike(last, glyph) && distance(last, glyph) < 0.5 && glyph.along >= last.along;
      return follows && Math.abs(rise(last, glyph)) < 0.8 ? '' : (glyph.before ?? '\n');
    }
    if (isRightToLeft(glyph.code) && glyph.before !== null) return glyph.before || (glyph.hasBlank ? ' ' : '');
    // PDFium parts what it joins from accents in another font, as in Thai.
    if (glyph.before && isCombining(glyph)) return spaceTo(last, glyph);
    if (glyph.before && from && isCombining(last)) return spaceTo({ ...last, end: from.end }, glyph);
    if (glyph.before === ' ' || (glyph.before === '\n' && !isBetween)) return glyph.before;
    if (glyph.before === '' && !isBetween) {
      // PDFium knows the spacing of what is printed in one go.
      const isTogether = last.character.object === glyph.character.object && isTurnedAlike(last, glyph);
      return glyph.hasBlank || (!isTogether && isElsewhere(last, glyph)) ? spaceTo(last, glyph) : '';
    }
    // PDFium breaks the line at a raised digit, and knows nothing of gaps to glyphs that were dropped.
    const start = isBetween && from ? { ...last, across: from.across, size: from.size } : last;
    return spaceTo(start, glyph);
  });
}

const isCombining = ({ code }: Glyph) => code >= 0x300 && /\p{M}/u.test(textOf(code));
const isRightToLeft = (code: number) => (code >= 0x590 && code < 0x900) || (code >= 0xfb1d && code < 0xfeff);

/** Whether a glyph doesn't follow another on its line. */
function isElsewhere(one: Glyph, two: Glyph): boolean {
  if (!isTurnedAlike(one, two)) return true;
  return Math.abs(rise(one, two)) > 0.6 || distance(one, two) > 0.25 || distance(one, two) < -1.5;
}

function spaceTo(one: Glyph, two: Glyph): Gap {
  const isOnLine = isTurnedAlike(one, two) && Math.abs(rise(one, two)) <= 0.6 && distance(one, two) > -1.5;
  if (!isOnLine) return '\n';
  return two.hasBlank || distance(one, two) > 0.18 ? ' ' : '';
}

/** Letters that are spaced out, as titles are, become words again. */
function closeGaps(glyphs: readonly Glyph[], gaps: Gap[]): void {
  let from = 0;
  for (let at = 1; at <= glyphs.length; at += 1) {
    const [last, glyph] = [glyphs[at - 1], glyphs[at]];
    if (last && glyph && isSpacedFrom(last, glyph, gaps[at])) continue;
    closeRun(glyphs, gaps, from, at);
    from = at;
  }
}

function isSpacedFrom(one: Glyph, two: Glyph, gap: Gap | undefined): boolean {
  const wide = distance(one, two);
  return gap !== '\n' && wide > 0.1 && wide < 4 && isSpaced(one) && isSpaced(two);
}

const isSpaced = ({ code }: Glyph) => /^[\p{Lu}\p{Ll}\p{Lt}\p{N}&’'.-]$/u.test(textOf(code));

function closeRun(glyphs: readonly Glyph[], gaps: Gap[], from: number, to: number): void {
  const run = glyphs.slice(from, to);
  if (run.filter(({ code }) => /\p{L}/u.test(textOf(code))).length < 4) return;
  const wide = run.map((glyph, at) => distance(run[at - 1] ?? glyph, glyph));
  // Printed blanks between all letters may as well be cells of a table.
  const usual = wide.filter((_, at) => at > 0 && !run[at]?.hasBlank).sort((one, two) => one - two);
  const median = usual[usual.length >> 1] ?? Infinity;
  if (usual.length < 3 || median > 1.3) return;
  for (const [at, glyph] of run.entries())
    if (at > 0) gaps[from + at] = !glyph.hasBlank && (wide[at] ?? 0) <= median * 1.4 + 0.05 ? '' : ' ';
}
