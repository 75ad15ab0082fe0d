import { bareForm } from './normalForm.ts';
import type { TextBox } from './pageCharacter.ts';
import type { PlacedText } from './pageText.ts';

/** A line of a part of a page's text: where it is printed, and at which unit of the text it begins. */
export interface PlacedLine {
  readonly box: TextBox;
  readonly start: number;
}

/** The lines of a part of a page's text, between two units of it. */
export function linesOf({ text, boxes }: PlacedText, start: number, end: number): PlacedLine[] {
  const lines: { box: TextBox; start: number; isUpright: boolean | null }[] = [];
  for (let unit = start; unit < end; unit += 1) {
    const [left = 0, bottom = 0, right = 0, top = 0] = boxes.slice(4 * unit, 4 * unit + 4);
    const box: TextBox = [left, bottom, right, top];
    if (text[unit] === ' ' || right <= left || top <= bottom) continue;
    const line = lines.at(-1);
    const isUpright = line ? follows(line.box, box) : null;
    if (line && isUpright !== null && (line.isUpright ?? isUpright) === isUpright)
      Object.assign(line, { isUpright, box: around(line.box, box) });
    else lines.push({ box, start: unit, isUpright: null });
  }
  return lines.map(({ box, start }) => ({ box, start }));
}

/** Whether a box continues a line that goes across the page (true), or up or down (false); null where it is neither. */
function follows(line: TextBox, next: TextBox): boolean | null {
  const shared = (side: 0 | 1) => Math.min(line[side + 2] ?? 0, next[side + 2] ?? 0) - Math.max(line[side], next[side]);
  const extent = (side: 0 | 1) => Math.min((line[side + 2] ?? 0) - line[side], (next[side + 2] ?? 0) - next[side]);
  if (shared(1) > extent(1) / 2 && -shared(0) < extent(1) * 1.5) return true;
  return shared(0) > extent(0) / 2 && -shared(1) < extent(0) * 0.9 ? false : null;
}

function around(one: TextBox, two: TextBox): TextBox {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}

/**
 * Where words are in a page's text, whatever its line breaks and blanks; null where they are missing, or at several
 * places that the words before them don't tell apart.
 */
export function unitsOfWords(
  text: string,
  exact: string,
  prefix: string,
): readonly [start: number, end: number] | null {
  const bare = text.replaceAll(' ', '');
  const [wanted, before] = [bareForm(exact), bareForm(prefix).slice(-16)];
  const places: number[] = [];
  for (let at = bare.indexOf(wanted); wanted !== '' && at !== -1; at = bare.indexOf(wanted, at + 1)) places.push(at);
  const fitting = places.length > 1 ? places.filter((at) => bare.slice(0, at).endsWith(before)) : places;
  const [at] = fitting;
  if (at === undefined || fitting.length > 1) return null;
  const units = Array.from({ length: text.length }, (_, unit) => unit).filter((unit) => text[unit] !== ' ');
  return [units[at] ?? 0, (units[at + wanted.length - 1] ?? 0) + 1];
}
