import { createHash } from 'node:crypto';
import { columns, fields } from '../api/schemas/fields.ts';
import type { DemoCompany, DemoReport } from './catalog.ts';
import type { Holdings, ReportHit } from './holdings.ts';

/** The Company object (COM-3): what a licensed client may read; a withheld ISIN is null (COM-2). */
export function wireCompany(company: DemoCompany) {
  const { company_key, company_name, lei, figi, cik, fiscal_year_end_month, ticker, mic, exchange } = company;
  const { country, sector, industry } = company;
  const isin = company.isinWithheld ? null : company.isin;
  return {
    ...{ company_key, company_name, isin, lei, figi, cik, fiscal_year_end_month, ticker, mic, exchange },
    ...{ country, sector, industry },
  };
}

/** Of a PDF; `size` in bytes. */
interface PdfFacts {
  readonly sha256: string;
  readonly pages: number;
  readonly size: number;
}

const bytesPerMegabyte = 1_000_000;

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

  /** The Report object (RPT-1), with the renamed-report fields if a retired id led here (RID-2). */
  async object({ report, legacyId }: ReportHit): Promise<Record<string, unknown>> {
    const { report_id, report_key, has_file, fields: kept } = report;
    const facts = await this.#factsOf(report);
    const company = this.#holdings.companyOf(report);
    // The Report object repeats most facts of the company, each as `company_` and its name.
    const wired = Object.entries(company ? wireCompany(company) : {}).map(([name, value]) => [
      `company_${name}`,
      value,
    ]);
    const hash = createHash('sha256').update(`${report_id} ${report.updated_at}`).digest('hex');
    const [start, end] = [kept.period_start_date, kept.period_end_date];
    const isRenamed = legacyId !== undefined;
    const made: Readonly<Record<string, unknown>> = {
      ...kept,
      ...report,
      ...Object.fromEntries(wired),
      company_name: company?.company_name,
      nace_code: company?.nace_code,
      naics_code: company?.naics_code,
      content_sha256: facts?.sha256,
      report_pages: facts?.pages,
      report_filesize: facts && Math.round((facts.size / bytesPerMegabyte) * 10_000) / 10_000,
      report_lang: wireLanguages(report).join(';'),
      report_edition: typeof kept.edition_number === 'number' ? String(kept.edition_number) : null,
      report_assurance: kept.assurance_provider,
      requested_legacy_report_id: legacyId,
      canonical_report_id: isRenamed ? report_id : null,
      canonical_report_key: isRenamed ? report_key : null,
      // Fields whose shape the interface leaves open.
      formats: has_file ? ['pdf'] : [],
      download_path: has_file ? `/reports/${report_id}/download` : null,
      report_hash: hash.slice(0, 16),
      document_scope: kept.document_scope || 'full',
      report_period: start && end ? `${start}/${end}` : null,
    };
    const object = Object.fromEntries(fields.map(({ apiField }) => [apiField, made[apiField] ?? null]));
    return { ...object, metadata: metadataOf(object) };
  }

  /** Drawn once for each file of a report. */
  #factsOf(report: DemoReport): Promise<PdfFacts> | null {
    if (!report.has_file) return null;
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

/** The one or two ISO 639-1 codes of a report (CNV-6). */
export function wireLanguages(report: DemoReport): readonly string[] {
  return report.report_lang.split(/[^A-Za-z]+/).filter((code) => code !== '');
}

const partMarks: Readonly<Record<string, string>> = { extract: '(Extract)', chapter: '(Chapter)' };

/** The metadata of a report (CNV-4): 50 columns, all strings. Titles of partial documents are marked (CNV-7). */
function metadataOf(object: Readonly<Record<string, unknown>>): Record<string, string> {
  const metadata = Object.fromEntries(columns.map(({ name, apiField }) => [name, textOf(object[apiField])]));
  const mark = partMarks[String(object.document_scope)];
  if (mark && metadata.title && !metadata.title.endsWith(mark)) metadata.title += ` ${mark}`;
  return metadata;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return String(value ?? '');
}
