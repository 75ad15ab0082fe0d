import { bareForm } from './normalForm.ts';

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
