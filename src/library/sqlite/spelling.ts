/** Shorter words are found only as they are typed: too many others are nearly the same. */
const minLength = 4;
/** From this length on a word may differ in two letters, else in one. */
const longWord = 8;
/** A word with more likenesses than this is likelier another word. */
const maxAlike = 20;

/**
 * The words of a list that begin nearly as a typed one: a letter more, less or another, or two that changed places. Those
 * that differ in one letter only, if there are any.
 */
export function nearWords(typed: string, words: Iterable<string>): string[] {
  if (typed.length < minLength) return [];
  const found: [string[], string[]] = [[], []];
  for (const word of words) {
    if (beginsNearly(typed, word, 1)) found[0].push(word);
    // Two letters off is far; the first one is seldom mistyped.
    else if (typed.length >= longWord && typed[0] === word[0] && beginsNearly(typed, word, 2)) found[1].push(word);
  }
  const [one, two] = found;
  const near = one.length > 0 ? one : two;
  return near.length > maxAlike ? [] : near;
}

function beginsNearly(typed: string, word: string, edits: number): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  if (at === typed.length) return true;
  if (edits === 0) return false;
  const from = (letters: number, more: number) =>
    beginsNearly(typed.slice(at + letters), word.slice(at + more), edits - 1);
  const swapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return from(1, 1) || from(1, 0) || from(0, 1) || (swapped && from(2, 2));
}
