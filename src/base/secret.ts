const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const placeholder = '[hidden]';

/** A string that never prints: API keys and signed links (AUTH-2, DL-2). Only {@link Secret.reveal} gives the text. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text itself. Call it at the point of use and keep the result nowhere. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }

  [inspectSymbol](): string {
    return placeholder;
  }
}

/** How much of a key may be shown or quoted in a support request (AUTH-2). */
export const keyPrefixLength = 15;

/** The part of a key that may be shown: its first 15 characters, and nothing of a key that is no longer than that. */
export function keyPrefix(key: Secret): string {
  const text = key.reveal();
  return text.length > keyPrefixLength ? text.slice(0, keyPrefixLength) : placeholder;
}

/** True for text with an API key in it (AUTH-2). Capital letters are those of a ticker: `XNAS_LIVE_2024_SR`. */
export function looksLikeKey(text: string): boolean {
  return text.includes('_live_');
}

/** Removes what looks like a credential. Words are found first, then checked: the time is as the text's length. */
const cuts: readonly ((text: string) => string)[] = [
  // Keys, wherever they come from (AUTH-2): the prefix ends in `_live_`.
  (text) => text.replace(/[^\s"'`<>()[\]{},;]+/g, (word) => (/_live_/i.test(word) ? placeholder : word)),
  (text) => text.replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${placeholder}`),
  (text) => text.replace(/\b(x-api-key)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, `$1$2${placeholder}`),
  // Passwords and signatures that travel in addresses.
  (text) => text.replace(/\/\/[^\s/@"'<>]+@/g, `//${placeholder}@`),
  // Also where something else stands for the slashes.
  (text) =>
    text.replace(/[^\s/@"'<>]+@?/g, (part) =>
      part.endsWith('@') && part.includes(':') && !part.startsWith('mailto:') ? `${placeholder}@` : part,
    ),
  (text) => text.replace(/\bhttps?:\/\/[^\s"'<>]+/gi, (address) => address.replace(/[?#].*$/s, `?${placeholder}`)),
];

/** The text without the given secrets, and without whatever looks like a key, a password or a signed link. */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  let result = text;
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value !== '') result = result.replaceAll(value, placeholder);
  }
  return cuts.reduce((rest, cut) => cut(rest), result);
}

/** True where a secret may travel in plain http: `127.0.0.1` and `[::1]`; `localhost` may lead elsewhere. */
export function isLoopback(url: URL): boolean {
  return url.hostname === '127.0.0.1' || url.hostname === '[::1]';
}
