import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import type { PdfState } from '../../../src/panels/pdfState.ts';

/** The state of a verified PDF. */
export const downloadedPdf = {
  ...{ kind: 'downloaded', path: 'reports/a.pdf' },
  ...{ verified: true, outdated: false, served: true, edited: false },
} as const satisfies PdfState;

/** A complete report of a fictional company; its metadata columns follow from its typed fields. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const typed = { ...complete, ...changes };
  const values = typed as unknown as Record<string, unknown>;
  const metadata = Object.fromEntries(columns.map(({ name, apiField }) => [name, columnText(values[apiField])]));
  return { ...typed, metadata: changes.metadata ?? (metadata as Report['metadata']) };
}

function columnText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

const complete: Omit<Report, 'metadata'> = {
  report_id: 100482,
  report_key: 'XFRA_NWK_2024_SR',
  company_key: 'XFRA_NWK',
  filename: 'XFRA_NWK_2024_SR.pdf',
  has_file: true,
  content_sha256: '9f2c1e0b7a645d38c1f09e2ab4d7563810ce94af27b6d1350f8e7ac2946bd013',
  created_at: '2024-06-03T07:41:12Z',
  updated_at: '2025-01-17T15:02:55Z',
  download_path: '/api/v2/reports/100482/download',
  formats: ['pdf'],
  report_hash: 'b8d1f2',
  document_scope: 'full',
  report_period: '2023-04-01/2024-03-31',
  company_name: 'Nordwerk Antriebstechnik SE',
  company_isin: 'DE000NWK0014',
  company_lei: '529900NWKANTRIEB0X47',
  company_figi: 'BBG00NWK1234',
  company_ticker: 'NWK',
  company_mic: 'XFRA',
  company_exchange: 'Frankfurt Stock Exchange',
  company_country: 'Germany',
  company_sector: 'Industrials',
  company_industry: 'Electrical Components & Equipment',
  nace_code: '27',
  naics_code: '335312',
  report_title: 'Bewegung mit Maß: Nachhaltigkeitsbericht für das Geschäftsjahr 2023/24',
  report_type: 'SR',
  report_class: 'D',
  report_year: 2024,
  report_fcyear: 2024,
  fiscal_year_label: '2023/24',
  period_start_date: '2023-04-01',
  period_end_date: '2024-03-31',
  report_pubdate: '2024-05-01',
  report_pubdate_iso: '2024-05',
  edition_number: 11,
  report_edition: '11',
  report_lang: 'de;en',
  report_pages: 148,
  report_filesize: 8.42,
  standards_gri: true,
  gri_level: 'in accordance',
  standards_sasb: false,
  standards_tcfd: true,
  standards_issb: null,
  standards_esrs: true,
  standards_integrated: false,
  standards_ghg_protocol: true,
  standards_eu_taxonomy: true,
  standards_ungp: true,
  standards_cdp: true,
  standards_ungc: null,
  standards_sbti: true,
  sbti_status: 'targets set',
  sdg_alignment: '5;7;8;9;12;13',
  has_materiality_assessment: true,
  has_materiality_matrix: false,
  assurance_provider: 'Hartmann & Lindqvist Wirtschaftsprüfung',
  report_assurance: 'Hartmann & Lindqvist Wirtschaftsprüfung',
  independent_assurance_report_included: true,
  assurance_level: 'limited',
  assurance_standard: 'ISAE 3000',
  assurance_scope: 'Scope 1 and 2 emissions, energy, accident rate',
  requested_legacy_report_id: null,
  requested_legacy_report_key: null,
  canonical_report_id: null,
  canonical_report_key: null,
  other: {},
};

/** Little is known, there is no PDF, and the issuer's ISIN is withheld. */
export const sparseReport = sampleReport({
  report_id: 100977,
  report_key: 'XNYS_CDRL_0_CODE',
  company_key: 'XNYS_CDRL',
  company_name: 'Cedarline Logistics Inc.',
  company_isin: null,
  company_mic: 'XNYS',
  company_ticker: 'CDRL',
  company_country: 'United States',
  has_file: false,
  content_sha256: null,
  report_title: 'Code of Conduct',
  report_type: 'CODE',
  report_class: 'S',
  report_year: 0,
  report_fcyear: null,
  fiscal_year_label: null,
  period_start_date: null,
  period_end_date: null,
  report_pubdate: null,
  report_pubdate_iso: null,
  edition_number: null,
  report_edition: null,
  report_lang: 'en',
  report_pages: null,
  report_filesize: null,
  sdg_alignment: null,
  assurance_provider: null,
  report_assurance: null,
  assurance_level: null,
  assurance_standard: null,
  assurance_scope: null,
  independent_assurance_report_included: null,
  standards_gri: null,
  gri_level: null,
  sbti_status: null,
});

const hostile =
  '<img src=x onerror="alert(1)"> [run](command:workbench.action.quit) \u202Egnp.exe\u202C \u0000 {{7*7}} ';

/** Metadata that tries to be more than text. */
export const hostileReport = sampleReport({
  report_id: 100666,
  report_title: `${hostile}${'long '.repeat(800)}`,
  company_name: `<script>alert(2)</script> \u2067شركة\u2069 ${hostile}`,
  company_country: null,
  company_isin: null,
  report_type: 'ZZTOP"><b>',
  report_lang: '<i>xx',
  report_fcyear: '2018/2019',
  fiscal_year_label: '<b>2018/19</b>',
  report_pubdate_iso: '2019-13-45',
  sdg_alignment: '13;<svg onload=alert(3)>;99',
  assurance_scope: 'x'.repeat(4000),
  requested_legacy_report_key: 'XFRA_OLD_2018_SR',
  requested_legacy_report_id: 12,
  canonical_report_id: 100666,
  canonical_report_key: 'XFRA_NWK_2024_SR',
  other: {
    '<u>new_field</u>': { nested: ['<b>', 1, null], text: hostile },
    __proto__: 'x',
    constructor: 'not a function',
    report_pages_text: 'one hundred',
  },
});
