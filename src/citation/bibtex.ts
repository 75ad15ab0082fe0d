import type { CitedReport } from './cited.ts';

/** Entries for BibTeX and BibLaTeX. Texts are escaped for LaTeX; other alphabets stay as they are (UTF-8). */
export function bibtex(reports: readonly CitedReport[]): string {
  const keys = new Set<string>();
  return `${reports.map((report) => entry(report, entryKey(report, keys))).join('\n\n')}\n`;
}

function entry(report: CitedReport, key: string): string {
  const [year, month] = report.date ?? [];
  const note = [
    ...(report.fiscalYear === null ? [] : [`Fiscal year ${report.fiscalYear}`]),
    ...(report.sha256 === null ? [] : [`SHA-256 ${report.sha256}`]),
  ];
  const fields: (readonly [string, string | undefined])[] = [
    // The inner braces keep a company's name from being read as first and last names.
    ['author', `{${latex(report.company)}}`],
    ['title', `{${latex(report.title)}}`],
    ['institution', latex(report.company)],
    ['type', latex(report.type)],
    ['number', latex(report.key)],
    ['year', year?.toString()],
    ['month', month?.toString()],
    ['pagetotal', report.pages?.toString()],
    ['langid', report.language ?? undefined],
    ['note', note.length > 0 ? latex(note.join('. ')) : undefined],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}}`]));
  return `@techreport{${key},\n${lines.join(',\n')}\n}`;
}

/** Unique within the list; letters, digits and hyphens, which every BibTeX tool takes. */
function entryKey({ key, id }: CitedReport, taken: Set<string>): string {
  const plain = key
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const name = plain === '' || taken.has(plain) ? `report-${id}` : plain;
  taken.add(name);
  return name;
}

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '"': "''",
};

function latex(text: string): string {
  return balanced(text).replace(/[\\{}^~"]|[&%$#_]/g, (found) => commands[found] ?? `\\${found}`);
}

/** BibTeX counts escaped braces too: where they do not pair up, they become parentheses. */
function balanced(text: string): string {
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) break;
  }
  return depth === 0 ? text : text.replaceAll('{', '(').replaceAll('}', ')');
}
