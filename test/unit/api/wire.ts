import { columns } from '../../../src/api/schemas/fields.ts';

/** A Report object as the service sends it, complete and well typed. */
export function wireReport(id: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const typed: Record<string, unknown> = {
    ...{ report_id: id, report_key: `XOSL_NOR_2024_SR${id}`, company_key: 'XOSL_NOR', has_file: true },
    ...{ download_path: `/reports/${id}/download`, formats: ['pdf'], report_hash: 'f00d', document_scope: 'group' },
    ...{ created_at: '2025-03-01T10:00:00Z', updated_at: '2025-03-02T10:00:00Z', report_pubdate: '2025-02-28' },
    ...{ report_fcyear: 2024, report_period: 'FY2024', report_edition: '1', report_assurance: 'Nordlys Audit' },
  };
  for (const { apiField, type } of columns) typed[apiField] ??= sample[type];
  const metadata = Object.fromEntries(columns.map(({ name, apiField }) => [name, cell(typed[apiField])]));
  return { ...typed, metadata, ...more };
}

const sample = { string: 'text', integer: 12, float: 1.5, boolean: true, date: '2024-12-31' } as const;

function cell(value: unknown): string {
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value ?? '');
}

export function wireCompany(key: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ company_key: key, company_name: 'Nordlys Energi ASA', isin: null, lei: '5493001KJTIIGC8Y1R12', figi: null },
    ...{ cik: null, fiscal_year_end_month: 12, ticker: 'NOR', mic: 'XOSL', exchange: 'Oslo', country: 'Norway' },
    ...{ sector: 'Utilities', industry: 'Power', ...more },
  };
}

/** A page as the service sends it. */
export function wirePage(data: readonly unknown[], next: string | null = null): Record<string, unknown> {
  return { data, page_info: { count: data.length, has_more: next !== null, next_cursor: next } };
}
