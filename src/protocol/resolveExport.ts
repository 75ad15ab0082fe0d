import { visibleText } from './format/visibleText.ts';
import type { ResolveEntry } from './resolveView.ts';
import { resolveRows } from './resolveView.ts';

const header = [
  'query',
  'identifier_type',
  'status',
  'company_name',
  'company_key',
  'country',
  'isin',
  'lei',
  'figi',
  'cik',
];

/** All results as CSV (RFC 4180). No cell can start a formula in a spreadsheet. */
export function resolveCsv(entries: readonly ResolveEntry[]): string {
  return `${[header, ...cells(entries)].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** All results as a Markdown table. No cell can hold markup. */
export function resolveMarkdown(entries: readonly ResolveEntry[]): string {
  const line = (row: readonly string[]) => `| ${row.map(markdownCell).join(' | ')} |`;
  const rule = `| ${header.map(() => '---').join(' | ')} |`;
  return `${[line(header), rule, ...cells(entries).map(line)].join('\n')}\n`;
}

function cells(entries: readonly ResolveEntry[]): string[][] {
  const rows = resolveRows(entries);
  return entries.map(({ query, result }, index) => {
    const status = rows[index]?.status ?? '';
    const company = status === 'entitled' ? result?.company : null;
    const { company_name, company_key, country, isin, lei, figi, cik } = company ?? {};
    const values = [query, result?.identifier_type, status, company_name, company_key, country, isin, lei, figi, cik];
    return values.map((value) => value ?? '');
  });
}

/** Quoted where needed; what a spreadsheet would run as a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const harmless = /^[\s]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function markdownCell(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~&#!$]|:(?=\/\/)|(?<=\bwww)\./gi, (character) => `\\${character}`);
}
