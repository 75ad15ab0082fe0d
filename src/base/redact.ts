import type { Secret } from './secret.ts';

const hidden = '[hidden]';
const patterns: readonly (readonly [RegExp, string])[] = [
  // Keys, wherever they come from (AUTH-2): the prefix ends in `_live_`.
  [/[^\s"'`<>()[\]{},;]*_live_[^\s"'`<>()[\]{},;]*/gi, hidden],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${hidden}`],
  [/\b(x-api-key)(["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, `$1$2${hidden}`],
  // Passwords and signatures that travel in addresses.
  [/\/\/[^\s/@"'<>]+@/g, `//${hidden}@`],
  [/(\bhttps?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, `$1?${hidden}`],
];

/** The text without the given secrets, and without whatever looks like a key, a password or a signed link. */
export function redact(text: string, secrets: readonly Secret[] = []): string {
  let result = text;
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value !== '') result = result.replaceAll(value, hidden);
  }
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
  return result;
}
