import { csvTable, markdownTable } from './format/tableText.ts';
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
  return csvTable([header, ...cells(entries)]);
}

/** All results as a Markdown table. No cell can hold markup. */
export function resolveMarkdown(entries: readonly ResolveEntry[]): string {
  return markdownTable([header, ...cells(entries)]);
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
