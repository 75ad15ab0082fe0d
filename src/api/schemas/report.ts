import * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import type { ColumnName } from './columns.ts';
import { readMetadata } from './metadata.ts';
import { filledText, flag, float, integer, open, positiveId, type Reading, recordReader, text } from './record.ts';

/** A three-valued fact: `false` is evidence against it, `null` is undetermined (CNV-2). */
export type TriState = boolean | null;

/**
 * A report as the service describes it (RPT-1). `report_id`, `report_key` and `company_key` are certain; every other
 * typed field is null when unknown (CNV-1) or when its value had an unexpected type, and then `other` holds it.
 */
export interface Report {
  /** Primary key everywhere (RID-1); a positive safe integer. */
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;

  readonly filename: string | null;
  readonly has_file: boolean | null;
  readonly content_sha256: string | null;
  /** Timestamps, UTC, ISO 8601. */
  readonly created_at: string | null;
  readonly updated_at: string | null;
  /** Fields of a type the interface leaves open, as they came. */
  readonly download_path: unknown;
  readonly formats: unknown;
  readonly report_hash: unknown;
  readonly document_scope: unknown;
  readonly report_period: unknown;

  readonly company_name: string | null;
  readonly company_isin: string | null;
  readonly company_lei: string | null;
  readonly company_figi: string | null;
  readonly company_ticker: string | null;
  readonly company_mic: string | null;
  readonly company_exchange: string | null;
  readonly company_country: string | null;
  readonly company_sector: string | null;
  readonly company_industry: string | null;
  readonly nace_code: string | null;
  readonly naics_code: string | null;

  readonly report_title: string | null;
  readonly report_type: string | null;
  readonly report_class: string | null;
  /** Cover year; 0 means undated (FY-2). */
  readonly report_year: number | null;
  /** A year, or on old records a two-year string such as `2018/2019` or `2018-19` (FY-3); use `fiscalYearOf`. */
  readonly report_fcyear: number | string | null;
  readonly fiscal_year_label: string | null;
  readonly period_start_date: string | null;
  readonly period_end_date: string | null;
  readonly report_pubdate: string | null;
  /** YYYY, YYYY-MM or YYYY-MM-DD (CNV-5). */
  readonly report_pubdate_iso: string | null;
  readonly edition_number: number | null;
  readonly report_edition: string | null;
  /** One ISO 639-1 code, or two for a bilingual report, in whatever separation they came (CNV-6). */
  readonly report_lang: string | null;
  readonly report_pages: number | null;
  /** Megabytes. */
  readonly report_filesize: number | null;

  readonly standards_gri: TriState;
  readonly gri_level: string | null;
  readonly standards_sasb: TriState;
  readonly standards_tcfd: TriState;
  readonly standards_issb: TriState;
  readonly standards_esrs: TriState;
  readonly standards_integrated: TriState;
  readonly standards_ghg_protocol: TriState;
  readonly standards_eu_taxonomy: TriState;
  readonly standards_ungp: TriState;
  readonly standards_cdp: TriState;
  readonly standards_ungc: TriState;
  readonly standards_sbti: TriState;
  readonly sbti_status: string | null;
  readonly sdg_alignment: string | null;
  readonly has_materiality_assessment: TriState;
  readonly has_materiality_matrix: TriState;
  readonly assurance_provider: string | null;
  readonly report_assurance: string | null;
  readonly independent_assurance_report_included: TriState;
  readonly assurance_level: string | null;
  readonly assurance_standard: string | null;
  readonly assurance_scope: string | null;

  /** Set only when the report was asked for by an id or key that a rename or merge retired (RID-2). */
  readonly requested_legacy_report_id: number | null;
  readonly requested_legacy_report_key: string | null;
  readonly canonical_report_id: number | null;
  readonly canonical_report_key: string | null;

  /** The 50 columns as strings, empty when unknown (CNV-4); a column the service left out is an empty string here. */
  readonly metadata: Readonly<Record<ColumnName, string>>;
  /** Fields and columns that the interface does not name, or whose value had an unexpected type, as they came (RPT-2). */
  readonly other: Readonly<Record<string, unknown>>;
}

/**
 * The fiscal year a report is filed under: `report_fcyear`; the first year of a two-year string (FY-3); the cover
 * year when no fiscal year is stated (FY-2); null for undated documents.
 */
export function fiscalYearOf(report: Pick<Report, 'report_fcyear' | 'report_year'>): number | null {
  const stated = report.report_fcyear;
  if (typeof stated === 'number') return stated > 0 ? stated : null;
  const first = stated === null ? undefined : /\d{4}/.exec(stated)?.[0];
  if (first !== undefined && Number(first) > 0) return Number(first);
  return report.report_year !== null && report.report_year > 0 ? report.report_year : null;
}

const yearOrSpan = z._default(z.nullable(z.union([z.int(), z.string()])), null);

const fields = {
  report_id: positiveId,
  report_key: filledText,
  company_key: filledText,
  filename: text,
  has_file: flag,
  content_sha256: text,
  created_at: text,
  updated_at: text,
  download_path: open,
  formats: open,
  report_hash: open,
  document_scope: open,
  report_period: open,
  company_name: text,
  company_isin: text,
  company_lei: text,
  company_figi: text,
  company_ticker: text,
  company_mic: text,
  company_exchange: text,
  company_country: text,
  company_sector: text,
  company_industry: text,
  nace_code: text,
  naics_code: text,
  report_title: text,
  report_type: text,
  report_class: text,
  report_year: integer,
  report_fcyear: yearOrSpan,
  fiscal_year_label: text,
  period_start_date: text,
  period_end_date: text,
  report_pubdate: text,
  report_pubdate_iso: text,
  edition_number: integer,
  report_edition: text,
  report_lang: text,
  report_pages: integer,
  report_filesize: float,
  standards_gri: flag,
  gri_level: text,
  standards_sasb: flag,
  standards_tcfd: flag,
  standards_issb: flag,
  standards_esrs: flag,
  standards_integrated: flag,
  standards_ghg_protocol: flag,
  standards_eu_taxonomy: flag,
  standards_ungp: flag,
  standards_cdp: flag,
  standards_ungc: flag,
  standards_sbti: flag,
  sbti_status: text,
  sdg_alignment: text,
  has_materiality_assessment: flag,
  has_materiality_matrix: flag,
  assurance_provider: text,
  report_assurance: text,
  independent_assurance_report_included: flag,
  assurance_level: text,
  assurance_standard: text,
  assurance_scope: text,
  requested_legacy_report_id: integer,
  requested_legacy_report_key: text,
  canonical_report_id: integer,
  canonical_report_key: text,
  metadata: open,
};

const readFields = recordReader(fields, {
  report_id: 'The report has no usable report_id.',
  report_key: 'The report has no report_key.',
  company_key: 'The report has no company_key.',
});

/** Reads a Report object (RPT-1, RPT-2). One without its three keys is refused with a reason. */
export function readReport(raw: JsonObject): Reading<Report> {
  const reading = readFields(raw);
  if (!reading.ok) return reading;
  const { value } = reading;
  const metadata = readMetadata(value.metadata);
  if (metadata.other !== null) value.other.metadata = metadata.other;
  value.metadata = metadata.columns;
  return { ok: true, value: value as Report };
}
