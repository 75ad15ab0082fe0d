/**
 * The text of a `.gitignore` with the PDFs of a downloads folder left out of version control, because they are licensed;
 * the lock file stays in. Undefined when nothing is to be added.
 * @param text the file as it is, empty when there is none
 * @param folder the downloads folder relative to the `.gitignore`, parts separated by `/`
 */
export function withPdfsIgnored(text: string, folder: string): string | undefined {
  const line = `/${folder.split('/').map(escaped).join('/')}/**/*.pdf`;
  const lines = text.split(/\r?\n/).map((existing) => existing.trimEnd());
  const enough = [line, line.slice(1), '*.pdf', '**/*.pdf'];
  if (enough.some((pattern) => lines.includes(pattern))) return undefined;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : text + end;
  return `${before}# Licensed PDFs; reports.lock.json restores them${end}${line}${end}`;
}

/** A name with what a pattern gives a meaning to made plain; a trailing blank would be lost. */
function escaped(name: string): string {
  return name.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}
