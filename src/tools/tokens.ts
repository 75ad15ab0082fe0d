/** Most tokens of an answer, and how many characters make one at the least: JSON of many keys has shorter ones than prose. */
const [maxTokens, charactersOfToken] = [4000, 3];

/** Tokens that a text takes at most, as a careful estimate: outside of ASCII a character may be one by itself. */
export function tokensOf(text: string): number {
  const others = text.replace(/[\0-\x7f]+/g, '').length;
  return Math.ceil((text.length - others) / charactersOfToken) + others;
}

/** Tokens that a text takes within an answer: marks and line breaks in it take more than one character there. */
export function tokensInside(text: string): number {
  return tokensOf(JSON.stringify(text));
}

/** Whether this may be answered in one call, and so many tokens beside it: what every answer says of itself. */
export function fits(result: unknown, beside = 100): boolean {
  return tokensOf(JSON.stringify(result)) <= maxTokens - beside;
}

/** The largest answer that fits: made with fewer items, until it does, or there is one. */
export function fitting<T>(most: number, make: (limit: number) => T): T {
  for (let limit = most; ; limit = Math.ceil(limit / 2)) {
    const made = make(limit);
    if (limit === 1 || fits(made)) return made;
  }
}
