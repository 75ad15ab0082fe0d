/** Characters that a reader sees as what they are: letters, marks, numbers, punctuation, symbols and the plain space. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Languages whose cells we can write. */
export type CodeLanguage = 'python' | 'r' | 'julia';

/**
 * Any text as a string literal in double quotes. Invisible, direction-changing and control characters are written as
 * escapes, half characters as U+FFFD, and NUL, which R has no way to write, is left out.
 */
export function textLiteral(text: string, language: CodeLanguage): string {
  return `"${[...text.toWellFormed()].map((character) => escaped(character, language)).join('')}"`;
}

function escaped(character: string, language: CodeLanguage): string {
  if (character === '\0') return '';
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '$' && language === 'julia') return '\\$';
  if (visible.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
