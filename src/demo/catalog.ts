/** A company of the demo service, before any license narrows what it serves. Fictional. */
export interface DemoCompany {
  /** Present key; `formerKeys` still resolve. */
  company_key: string;
  formerKeys: string[];
  company_name: string;
  /** Names that resolve to this company too. */
  aliases: string[];
  /** The true identifier, null for an unlisted company; served only when `isinWithheld` is false (COM-2). */
  isin: string | null;
  isinWithheld: boolean;
  lei: string | null;
  figi: string | null;
  cik: string | null;
  fiscal_year_end_month: number;
  /** Ticker, market and exchange are null for an unlisted company. */
  ticker: string | null;
  mic: string | null;
  exchange: string | null;
  country: string;
  sector: string;
  industry: string;
  nace_code: string;
  naics_code: string;
  /** ISO 639-1 codes of the languages it reports in, first one first. */
  languages: string[];
}

/** The facts of a report that are not its company's. `fields` holds the rest of the wire object's typed fields. */
export interface DemoReport {
  report_id: number;
  report_key: string;
  /** Keys that a rename or a merge retired; lookups of them lead here (RID-2). */
  formerKeys: string[];
  /** Ids that a merge retired; requests for them lead here (RID-1). */
  formerIds: number[];
  /** Ids that a rename retired; requests for them lead here, and the answer says so (RID-2). */
  renamedIds?: number[];
  company_key: string;
  report_type: string;
  /** Cover year, 0 when undated. */
  report_year: number;
  /** A two-year string on old records, null when none is stated. */
  report_fcyear: number | string | null;
  report_title: string;
  /** One or two ISO 639-1 codes, separated by a semicolon. */
  report_lang: string;
  has_file: boolean;
  /** Goes up when the PDF changes; 0 at first. */
  fileVersion: number;
  created_at: string;
  updated_at: string;
  /** Every other typed field, unless company or PDF tell it. Made when read; a change replaces the whole record. */
  fields: Readonly<Record<string, unknown>>;
}

export interface Catalog {
  readonly companies: DemoCompany[];
  readonly reports: DemoReport[];
  /** The PDF of a report with a file: the same bytes for the same seed, report and file version, on any machine. */
  pdf(report: DemoReport): Promise<DemoPdf>;
}

export interface DemoPdf {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly pages: number;
}
