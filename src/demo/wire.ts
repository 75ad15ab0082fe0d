import { createHash } from 'node:crypto';
import { columns, type FieldName, fields } from '../api/schemas/fields.ts';
import type { DemoCompany, DemoReport } from './catalogue.ts';
import type { Holdings, ReportHit } from './holdings.ts';

/** The Company object (COM-3): what a licensed client may read; a withheld ISIN is null (COM-2). */
export function wireCompany(company: DemoCompany) {
  return {
    company_key: company.company_key,
    company_name: company.company_name,
    isin: company.isinWithheld ? null : company.isin,
    lei: company.lei,
    figi: company.figi,
    cik: company.cik,
    fiscal_year_end_month: company.fiscal_year_end_month,
    ticker: company.ticker,
    mic: company.mic,
    exchange: company.exchange,
    country: company.country,
    sector: company.sector,
    industry: company.industry,
  };
}

/** Of a PDF; `size` in bytes. */
interface PdfFacts {
  readonly sha256: string;
  readonly pages: number;
  readonly size: number;
}

const bytesPerMegabyte = 1_000_000;
/** Facts of a company that the Report object repeats, each as `company_` and its name. */
const companyFields = ['isin', 'lei', 'figi', 'ticker', 'mic', 'exchange', 'country', 'sector', 'industry'] as const;

export class ReportWire {
  readonly #holdings: Holdings;
  readonly #facts = new Map<string, Promise<PdfFacts>>();

  constructor(holdings: Holdings) {
    this.#holdings = holdings;
  }

  /** SHA-256 of the report's PDF; null without a file. */
  async sha256(report: DemoReport): Promise<string | null> {
    return (await this.#factsOf(report))?.sha256 ?? null;
  }

  /**
   * The Report object (RPT-1): every field of the table of fields, from the record where nothing here makes it. The
   * renamed-report fields are set when an id or key that a rename retired led here (RID-2).
   */
  async object(found: ReportHit): Promise<Record<string, unknown>> {
    const made = this.#madeFields(found, await this.#factsOf(found.report));
    const kept = found.report.fields;
    const object: Record<string, unknown> = {};
    for (const { apiField } of fields) object[apiField] = made[apiField] ?? kept[apiField] ?? null;
    return { ...object, ...openFields(found.report), metadata: metadataOf(object, found.report) };
  }

  #madeFields({ report, legacyId }: ReportHit, facts: PdfFacts | null): Partial<Record<FieldName, unknown>> {
    const company = this.#holdings.companyOf(report);
    const wired = company && wireCompany(company);
    const shown = Object.fromEntries(companyFields.map((name) => [`company_${name}`, wired?.[name]]));
    const renamed = legacyId !== undefined;
    const edition = report.fields.edition_number;
    return {
      report_id: report.report_id,
      report_key: report.report_key,
      has_file: report.has_file,
      content_sha256: facts?.sha256,
      report_pages: facts?.pages,
      report_filesize: facts && Math.round((facts.size / bytesPerMegabyte) * 10_000) / 10_000,
      created_at: report.created_at,
      updated_at: report.updated_at,
      company_key: report.company_key,
      company_name: company?.company_name,
      ...shown,
      nace_code: company?.nace_code,
      naics_code: company?.naics_code,
      report_title: report.report_title,
      report_type: report.report_type,
      report_year: report.report_year,
      report_fcyear: report.report_fcyear,
      report_lang: wireLanguages(report).join(';'),
      report_edition: typeof edition === 'number' ? String(edition) : null,
      report_assurance: report.fields.assurance_provider,
      requested_legacy_report_id: legacyId,
      canonical_report_id: renamed ? report.report_id : null,
      canonical_report_key: renamed ? report.report_key : null,
    };
  }

  /** Drawn once for each file of a report. */
  #factsOf(report: DemoReport): Promise<PdfFacts | null> {
    if (!report.has_file) return Promise.resolve(null);
    const file = `${report.report_id} ${report.fileVersion}`;
    const known = this.#facts.get(file);
    if (known) return known;
    const facts = this.#holdings
      .pdf(report)
      .then(({ sha256, pages, bytes }) => ({ sha256, pages, size: bytes.byteLength }));
    this.#facts.set(file, facts);
    facts.catch(() => this.#facts.delete(file));
    return facts;
  }
}

/** Fields whose shape the interface leaves open. */
function openFields(report: DemoReport): Partial<Record<FieldName, unknown>> {
  const { report_id, has_file } = report;
  const [start, end] = [textField(report, 'period_start_date'), textField(report, 'period_end_date')];
  return {
    formats: has_file ? ['pdf'] : [],
    download_path: has_file ? `/reports/${report_id}/download` : null,
    report_hash: hashOf(report),
    document_scope: scopeOf(report),
    report_period: start && end ? `${start}/${end}` : null,
  };
}

/** The one or two ISO 639-1 codes of a report (CNV-6). */
export function wireLanguages(report: DemoReport): readonly string[] {
  return report.report_lang.split(/[^A-Za-z]+/).filter((code) => code !== '');
}

/** Whether the document is whole, an extract or a chapter. */
function scopeOf(report: DemoReport): string {
  return textField(report, 'document_scope') ?? 'full';
}

function textField(report: DemoReport, name: string): string | null {
  const value = report.fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A short fingerprint of the record, as opposed to the file. */
function hashOf(report: DemoReport): string {
  return createHash('sha256').update(`${report.report_id} ${report.updated_at}`).digest('hex').slice(0, 16);
}

/**
 * The metadata object of a report (CNV-4): all 50 columns, every value a string. The title of a partial document is
 * marked (CNV-7).
 */
function metadataOf(object: Readonly<Record<string, unknown>>, report: DemoReport): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const column of columns) metadata[column.name] = textOf(object[column.apiField]);
  const mark = partMarks[scopeOf(report)];
  if (mark && metadata.title && !metadata.title.endsWith(mark)) metadata.title += ` ${mark}`;
  return metadata;
}

const partMarks: Readonly<Record<string, string>> = { extract: '(Extract)', chapter: '(Chapter)' };

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value);
}
