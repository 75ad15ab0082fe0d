import { csvTable, markdownTable } from './format/tableText.ts';
import { type LookupEntry, lookupRows } from './lookupView.ts';
import type { ResolveEntry } from './resolveView.ts';
import { resolveRows } from './resolveView.ts';

/** Rows of texts under the names of their columns. */
export interface ResultTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What became of identifiers, for a file or the clipboard. */
export function resolveTable(entries: readonly ResolveEntry[]): ResultTable {
  const rows = resolveRows(entries);
  return {
    header: [
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
      'refined_to',
    ],
    rows: entries.map(({ query, result, refined }, index) => {
      const status = rows[index]?.status ?? '';
      const company = status === 'entitled' ? result?.company : null;
      const { company_name, company_key, country, isin, lei, figi, cik } = company ?? {};
      const held = [company_name, company_key, country, isin, lei, figi, cik];
      return [query, result?.identifier_type, status, ...held, refined].map((value) => value ?? '');
    }),
  };
}

/** What became of report keys, for a file or the clipboard. */
export function lookupTable(entries: readonly LookupEntry[]): ResultTable {
  const rows = lookupRows(entries);
  return {
    header: ['query', 'status', 'report_id', 'report_key', 'title', 'company_name'],
    rows: entries.map(({ query, result, known }, index) => {
      const id = result?.report_id ?? null;
      const key = id === null ? null : (result?.canonical_report_key ?? known?.report_key ?? query);
      const cells = [query, rows[index]?.status, id === null ? null : `${id}`, key, known?.title, known?.company_name];
      return cells.map((value) => value ?? '');
    }),
  };
}

/** A table as CSV (RFC 4180). No cell can start a formula in a spreadsheet. */
export function tableCsv({ header, rows }: ResultTable): string {
  return csvTable([header, ...rows]);
}

/** A table in Markdown. No cell can hold markup. */
export function tableMarkdown({ header, rows }: ResultTable): string {
  return markdownTable([header, ...rows]);
}
