/** What a check of an identifier found. `value` is the form to send, `reason` a sentence for a person. */
export type Check =
  | { readonly valid: true; readonly value: string }
  | { readonly valid: false; readonly reason: string };

/** Zero-width and direction marks, which copied text carries unseen. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u001F\u007F-\u009F]/gu;
const quotePairs = ['""', "''", '``', '“”', '„“', '„”', '‘’', '‚‘', '«»', '»«', '‹›', '「」', '『』'];

/**
 * Typed or pasted text without what does not belong to it: control characters, invisible marks, repeated blanks and
 * surrounding quotes. Broken surrogate pairs become U+FFFD.
 */
export function cleanText(text: string): string {
  let rest = text.toWellFormed().replace(invisible, '').replace(controls, ' ').replace(/\s+/gu, ' ').trim();
  while (rest.length > 1 && quotePairs.includes(`${rest[0]}${rest.at(-1)}`)) rest = rest.slice(1, -1).trim();
  return rest;
}

/** A code as it is written for machines: upper case, without blanks and hyphens. */
export function compactCode(text: string): string {
  return cleanText(text)
    .replace(/[\s\-‐‑–]/gu, '')
    .toUpperCase();
}

/** `A` to `Z` count 10 to 35, digits count as themselves; null for any other character. */
export function characterValue(character: string): number | null {
  if (/^[0-9]$/.test(character)) return Number(character);
  return /^[A-Z]$/.test(character) ? character.charCodeAt(0) - 55 : null;
}
