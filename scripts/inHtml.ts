/** The same script as an HTML element can hold it: templates speak of comments, which would begin one there. */
export function inHtml(script: string): string {
  return script.replaceAll('<!--', '\\x3c!--').replaceAll(/<(?=\/?script)/gi, '\\x3c');
}
