/** Short texts that many reports share, kept once and named by number. */
export interface Words {
  /** The number of a text that reports are filtered by; every such text gets one. */
  mustHave(text: string): number;
  /** The number of a text that may repeat, or null when it is better kept where it stands. */
  mayHave(text: string): number | null;
  /** The text of a number. */
  text(id: number): string;
  /** The number of a text that is already kept, without keeping it. */
  find(text: string): number | null;
}

/** Longer texts are rarely repeated. */
const longestShared = 64;
/** Beyond this many, a text that may repeat evidently does not. */
const mostShared = 4000;

/** The rule behind {@link Words.mayHave}: short, well-formed, and not one of too many. */
export function isWorthSharing(text: string, kept: number): boolean {
  return kept < mostShared && text.length <= longestShared && isStorable(text);
}

/** SQLite's text ends at a NUL for some functions and can't hold half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
