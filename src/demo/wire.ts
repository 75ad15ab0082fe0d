import { createHash } from 'node:crypto';
import { columns } from '../api/schemas/fields.ts';
import type { DemoCompany, DemoPdf, DemoReport } from './catalogue.ts';
import type { FoundReport, Holdings } from './holdings.ts';
import type { Reading, WireCompany } from './readings.ts';

/** The Company object (COM-3): what a licensed client may read; a withheld ISIN is null (COM-2). */
export function wireCompany(company: DemoCompany): WireCompany {
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

const bytesPerMegabyte = 1_000_000;
/** About 100 MB of text at most. */
const mostKept = 20_000;

/** Typed fields of the Report object that a demo report keeps in `fields` (RPT-1); null when it has none. */
const furtherFields = [
  ...['filename', 'report_class', 'fiscal_year_label', 'period_start_date', 'period_end_date', 'report_pubdate'],
  ...['report_pubdate_iso', 'edition_number', 'standards_gri', 'gri_level', 'standards_sasb', 'standards_tcfd'],
  ...['standards_issb', 'standards_esrs', 'standards_integrated', 'standards_ghg_protocol', 'standards_eu_taxonomy'],
  ...['standards_ungp', 'standards_cdp', 'standards_ungc', 'standards_sbti', 'sbti_status', 'sdg_alignment'],
  ...['has_materiality_assessment', 'has_materiality_matrix', 'assurance_provider'],
  ...['independent_assurance_report_included', 'assurance_level', 'assurance_standard', 'assurance_scope'],
];

type Facts = Pick<DemoPdf, 'sha256' | 'pages'> & { readonly size: number };

/** Builds Report objects, and keeps their text until the report changes, so that a page costs little. */
export class ReportWire {
  readonly #holdings: Holdings;
  readonly #reading: Reading;
  readonly #texts = new Map<DemoReport, Buffer>();
  /** Goes up with every change, so that a text begun before one is not kept after it. */
  #changes = 0;
  readonly #facts = new WeakMap<DemoReport, { readonly version: number; readonly facts: Promise<Facts> }>();

  constructor(holdings: Holdings, reading: Reading) {
    this.#holdings = holdings;
    this.#reading = reading;
  }

  /** The Report object as JSON in UTF-8. */
  async json(report: DemoReport): Promise<Buffer> {
    const kept = this.#texts.get(report);
    if (kept !== undefined) return kept;
    const changes = this.#changes;
    const text = Buffer.from(JSON.stringify(await this.object({ report })));
    if (this.#changes !== changes) return text;
    if (this.#texts.size >= mostKept)
      for (const oldest of this.#texts.keys()) return this.#replace(oldest, report, text);
    this.#texts.set(report, text);
    return text;
  }

  /** SHA-256 of the report's PDF; null without a file. */
  async sha256(report: DemoReport): Promise<string | null> {
    return (await this.#factsOf(report))?.sha256 ?? null;
  }

  /** To be told when anything about the report or its company has changed. */
  forget(report: DemoReport): void {
    this.#changes += 1;
    this.#texts.delete(report);
  }

  /** The Report object, with the renamed-report fields set when a retired id or key led here (RID-2). */
  async object(found: FoundReport): Promise<Record<string, unknown>> {
    const { report } = found;
    const facts = await this.#factsOf(report);
    const scope = textField(report, 'document_scope') ?? 'full';
    const fields = { ...this.#identity(report, facts), ...this.#company(report), ...this.#document(report, facts) };
    const renamed = found.legacyId !== undefined || found.legacyKey !== undefined;
    return {
      ...fields,
      formats: this.#reading.formats(report.has_file),
      download_path: this.#reading.downloadPath(report.report_id, report.has_file),
      report_hash: this.#reading.reportHash(hashOf(report)),
      document_scope: this.#reading.documentScope(scope),
      report_period: this.#reading.reportPeriod(
        textField(report, 'period_start_date'),
        textField(report, 'period_end_date'),
      ),
      requested_legacy_report_id: found.legacyId ?? null,
      requested_legacy_report_key: found.legacyKey ?? null,
      canonical_report_id: renamed ? report.report_id : null,
      canonical_report_key: renamed ? report.report_key : null,
      metadata: metadataOf(fields, scope),
    };
  }

  #identity(report: DemoReport, facts: Facts | null): Record<string, unknown> {
    return {
      report_id: report.report_id,
      report_key: report.report_key,
      has_file: report.has_file,
      content_sha256: facts?.sha256 ?? null,
      created_at: report.created_at,
      updated_at: report.updated_at,
    };
  }

  #company(report: DemoReport): Record<string, unknown> {
    const company = this.#holdings.companyOf(report);
    return {
      company_key: report.company_key,
      company_name: company?.company_name ?? null,
      company_isin: company && !company.isinWithheld ? company.isin : null,
      company_lei: company?.lei ?? null,
      company_figi: company?.figi ?? null,
      company_ticker: company?.ticker ?? null,
      company_mic: company?.mic ?? null,
      company_exchange: company?.exchange ?? null,
      company_country: company?.country ?? null,
      company_sector: company?.sector ?? null,
      company_industry: company?.industry ?? null,
      nace_code: company?.nace_code ?? null,
      naics_code: company?.naics_code ?? null,
    };
  }

  #document(report: DemoReport, facts: Facts | null): Record<string, unknown> {
    const fields: Record<string, unknown> = {
      report_title: report.report_title,
      report_type: report.report_type,
      report_year: report.report_year,
      report_fcyear: report.report_fcyear,
      report_lang: languagesOf(report).join(this.#reading.languageSeparator),
      report_pages: facts?.pages ?? null,
      report_filesize: facts && Math.round((facts.size / bytesPerMegabyte) * 10_000) / 10_000,
    };
    for (const name of furtherFields) fields[name] = report.fields[name] ?? null;
    fields.report_edition = fields.edition_number === null ? null : String(fields.edition_number);
    fields.report_assurance = fields.assurance_provider;
    return fields;
  }

  /** What is known of the PDF, worked out once per file version. */
  #factsOf(report: DemoReport): Promise<Facts | null> {
    if (!report.has_file) return Promise.resolve(null);
    const kept = this.#facts.get(report);
    if (kept?.version === report.fileVersion) return kept.facts;
    const facts = this.#holdings
      .pdf(report)
      .then(({ sha256, pages, bytes }) => ({ sha256, pages, size: bytes.byteLength }));
    const entry = { version: report.fileVersion, facts };
    this.#facts.set(report, entry);
    facts.catch(() => {
      if (this.#facts.get(report) === entry) this.#facts.delete(report);
    });
    return facts;
  }

  #replace(oldest: DemoReport, report: DemoReport, text: Buffer): Buffer {
    this.#texts.delete(oldest);
    this.#texts.set(report, text);
    return text;
  }
}

/** The one or two ISO 639-1 codes of a report (CNV-6). */
export function languagesOf(report: DemoReport): readonly string[] {
  return report.report_lang.split(/[^A-Za-z]+/).filter((code) => code !== '');
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
 * The metadata object of a report (CNV-4): all 50 columns, every value a string, from its typed fields. A partial
 * document's title is marked (CNV-7).
 */
export function metadataOf(fields: Readonly<Record<string, unknown>>, scope: string): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (const column of columns) metadata[column.name] = textOf(fields[column.apiField]);
  const mark = partMarks[scope];
  if (mark && metadata.title && !metadata.title.endsWith(mark)) metadata.title += ` ${mark}`;
  return metadata;
}

const partMarks: Readonly<Record<string, string>> = { extract: '(Extract)', chapter: '(Chapter)' };

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value);
}

/**
 * The body of a page (PAG-1) from items that are JSON already: kept bytes are put together, where parsing and writing
 * the same reports again would be most of the work of a page.
 */
export function pageBody(items: readonly Uint8Array[], pageInfo: object): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('{"data":[')];
  for (const [index, item] of items.entries()) parts.push(...(index > 0 ? [comma] : []), item);
  parts.push(Buffer.from(`],"page_info":${JSON.stringify(pageInfo)}}`));
  return Buffer.concat(parts);
}

const comma = Buffer.from(',');
