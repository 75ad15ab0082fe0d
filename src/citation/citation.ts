import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { englishTypeName } from '../api/schemas/reportTypes.ts';
import { plainText } from '../base/words.ts';

/** Longest title or name in a citation, in characters. */
const longest = 500;

/** A date as precise as the report states it: year, and perhaps month and day. */
type DateParts = readonly [year: number, month?: number, day?: number];

/** What a citation says of a report; every text on one line, without invisible characters. */
export type CitedReport = ReturnType<typeof citedReport>;

/** The facts of a report that citations use (RID-3: the fiscal year is not the cover year). */
export function citedReport(report: Report) {
  const { report_type: code } = report;
  const type = code === null || code === '' ? 'Report' : englishTypeName(code);
  const clean = (text: string | null) => plainText(text ?? '', longest);
  return {
    id: report.report_id,
    key: clean(report.report_key),
    title: clean(report.report_title) || clean(type),
    company: clean(report.company_name) || clean(report.company_key),
    type: clean(type),
    /** Publication, else the cover year; null when undated. */
    date: dateParts(report),
    fiscalYear: clean(report.fiscal_year_label) || fiscalYearOf(report)?.toString() || null,
    /** BCP 47, the first of several. */
    language: /^[a-z]{2,3}/i.exec(report.report_lang ?? '')?.[0]?.toLowerCase() ?? null,
    pages: report.report_pages,
    sha256: /^[0-9a-f]{64}$/i.exec(report.content_sha256 ?? '')?.[0] ?? null,
  };
}

function dateParts({ report_pubdate_iso: published, report_year: cover }: Report): DateParts | null {
  const match = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/.exec(published ?? '');
  if (match) {
    const [year = 0, month, day] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
    return month === undefined ? [year] : day === undefined ? [year, month] : [year, month, day];
  }
  return cover !== null && cover > 0 ? [cover] : null;
}

/** The forms of a citation. */
export const citationForms = ['footnote', 'bibtex', 'csl-json', 'ris'] as const;
export type CitationForm = (typeof citationForms)[number];

const writers: Readonly<Record<CitationForm, (reports: readonly CitedReport[]) => string>> = {
  footnote: (reports) => reports.map(footnote).join('\n'),
  bibtex,
  'csl-json': (reports) => `${JSON.stringify(reports.map(cslItem), undefined, 2)}\n`,
  // A tag a line with CRLF, as its specification has it.
  ris: (reports) => reports.map(risRecord).join('\r\n'),
};

/** Reports cited in one form, ready for the clipboard or a file. */
export function citation(form: CitationForm, reports: readonly CitedReport[]): string {
  return writers[form](reports);
}

/** What no form has a place of its own for. */
function notesOf({ fiscalYear, sha256 }: CitedReport): string[] {
  return [
    ...(fiscalYear === null ? [] : [`Fiscal year ${fiscalYear}`]),
    ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]),
  ];
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

function footnote(report: CitedReport): string {
  const parts = [
    `${report.company}, “${report.title}”`,
    // A title often is the type itself.
    ...(report.title.toLowerCase().includes(report.type.toLowerCase()) ? [] : [report.type]),
    ...(report.fiscalYear === null ? [] : [`fiscal year ${report.fiscalYear}`]),
    ...(report.date === null ? [] : [dateWords(report.date)]),
    ...(report.pages === null ? [] : [`${report.pages} pages`]),
    report.key,
  ];
  return `${parts.join(', ')}.`;
}

/** `May 2024`, `3 May 2024`, `2024`. */
function dateWords([year, month, day]: DateParts): string {
  const name = month === undefined ? undefined : months[month - 1];
  return [...(day === undefined ? [] : [day]), ...(name === undefined ? [] : [name]), year].join(' ');
}

/** Entries for BibTeX and BibLaTeX. Texts are escaped for LaTeX; other alphabets stay as they are (UTF-8). */
function bibtex(reports: readonly CitedReport[]): string {
  const keys = new Set<string>();
  return `${reports.map((report) => bibtexEntry(report, entryKey(report, keys))).join('\n\n')}\n`;
}

function bibtexEntry(report: CitedReport, key: string): string {
  const [year, month] = report.date ?? [];
  const notes = notesOf(report);
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
    ['note', notes.length > 0 ? latex(notes.join('. ')) : undefined],
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

function cslItem(report: CitedReport): Record<string, unknown> {
  const notes = notesOf(report);
  return {
    id: report.key,
    type: 'report',
    title: report.title,
    author: [{ literal: report.company }],
    publisher: report.company,
    genre: report.type,
    number: report.key,
    ...(report.date && { issued: { 'date-parts': [report.date] } }),
    ...(report.pages !== null && { 'number-of-pages': report.pages }),
    ...(report.language !== null && { language: report.language }),
    ...(notes.length > 0 && { note: notes.join('. ') }),
  };
}

function risRecord(report: CitedReport): string {
  const [year, month, day] = report.date ?? [];
  const two = (number: number | undefined) => (number === undefined ? '' : String(number).padStart(2, '0'));
  const tags: (readonly [string, string | null])[] = [
    ['TY', 'RPRT'],
    ['ID', report.key],
    ['AU', report.company],
    ['TI', report.title],
    ['PB', report.company],
    ['M3', report.type],
    ['M1', report.key],
    ['PY', year === undefined ? null : String(year)],
    ['DA', month === undefined ? null : `${year}/${two(month)}/${two(day)}`],
    ['LA', report.language],
    ['SP', report.pages === null ? null : String(report.pages)],
    ...notesOf(report).map((note) => ['N1', note] as const),
    ['ER', ''],
  ];
  return tags.flatMap(([tag, value]) => (value === null ? [] : [`${tag}  - ${value}\r\n`])).join('');
}
