/**
 * Characters that show nothing, or change how their neighbours show: controls, bidi marks and overrides, line
 * separators, the byte order mark, tag characters. Left out are line breaks and tabs, which show as space, joiners,
 * without which several scripts can't be read, and Arabic number signs, which can be seen.
 */
const hidden = /(?!\u200D|[\t\n\u200C\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from the service as a person may see it: nothing in it hides, reorders or breaks what stands around it. */
export function visibleText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\r\n', '\n');
  return whole.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\u27E8U+${code}\u27E9`;
  });
}

/** One line of at most `length` characters, for a tab title or another place that can't wrap. */
export function oneLine(text: string, length: number): string {
  const flat = visibleText(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(flat);
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : flat;
}

/** What is stated of several things, as a person may see it. */
export function inALine(texts: readonly (string | null)[]): string {
  const stated = texts.filter((text) => text !== null);
  return stated.map(visibleText).join(' · ');
}
