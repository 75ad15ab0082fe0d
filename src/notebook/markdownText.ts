import { plainText } from '../base/words.ts';

/** Longest text of the service in a document, in characters. */
const longest = 300;

const special = /[\\`*_{}[\]#|~$!@^]/g;

/**
 * Text that somebody else wrote as Markdown that reads as that text and is nothing else: no HTML, link, picture,
 * formula or formatting, in the editor as in Jupyter.
 */
export function markdownText(text: string): string {
  return plainText(text, longest)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(special, '\\$&')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/www\./gi, (match) => `${match.slice(0, -1)}\\.`);
}

/** The same as code: within backticks that the text cannot end. */
export function markdownCode(text: string): string {
  const clean = plainText(text, longest).replaceAll('|', '¦') || '?';
  const longestRun = Math.max(0, ...(clean.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  return longestRun === 0 ? `${fence}${clean}${fence}` : `${fence} ${clean} ${fence}`;
}

/** A relative or absolute path, parts separated by `/`, as the target of a Markdown link. */
export function markdownTarget(path: string): string {
  return path
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16)}`))
    .join('/');
}
