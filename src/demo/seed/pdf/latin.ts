/** What the standard fonts can show: Latin-1 and the rest of Windows-1252. */
const shown = /^[\u0020-\u007E\u00A0-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;

export function isShown(text: string): boolean {
  return shown.test(text);
}

/** The parts of a bilingual text (separated by ` / `) that the standard fonts can show; empty when none can be. */
export function shownPart(text: string): string {
  if (isShown(text)) return text;
  return text.split(' / ').filter(isShown).join(' / ');
}
