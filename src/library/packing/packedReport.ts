import type { Report } from '../../api/schemas/report.ts';

/**
 * A report as it is stored: hot columns for questions, one array for the rest, and `extra` for what does not follow
 * from them. The 50 metadata strings and the typed fields are two spellings of the same facts; each fact is kept once.
 */
export interface PackedReport {
  readonly report_id: number;
  /** JSON array of the thirteen company columns of the metadata, shared by all reports that say the same. */
  readonly facts: string;
  /** The fiscal year it is filed under, 0 when undated (FY-1 to FY-3). */
  readonly fy: number;
  /** Numbers of words; 0 when the report does not say. */
  readonly type: number;
  readonly class: number;
  readonly lang: number;
  readonly level: number;
  /** Sixteen three-valued facts. */
  readonly flags: number;
  readonly sha: Uint8Array | null;
  readonly hash: Uint8Array | null;
  readonly body: string;
  /** JSON of {@link Extra}, or null when everything follows from the rest. */
  readonly extra: string | null;
}

/** What of a report filters ask about, and its hashes. */
export type HotColumns = Omit<PackedReport, 'facts' | 'body' | 'extra'>;

/** What a report says that the packed columns alone would not give back. */
export interface Extra {
  /** Typed fields whose value is not the one predicted. */
  readonly typed?: Readonly<Record<string, unknown>>;
  /** Metadata columns whose text is not the one predicted. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Fields that the interface does not name (RPT-2). */
  readonly other?: Readonly<Record<string, unknown>>;
}

/** Where each value stands in the body. The order is part of the stored format: new ones go to the end. */
export const place = {
  title: 0,
  filename: 1,
  year: 2,
  pages: 3,
  filesize: 4,
  published: 5,
  periodStart: 6,
  periodEnd: 7,
  fiscalYear: 8,
  edition: 9,
  reportKey: 10,
  griLevel: 11,
  sbtiStatus: 12,
  sdgGoals: 13,
  provider: 14,
  standard: 15,
  scope: 16,
  created: 17,
  updated: 18,
  downloadPath: 19,
  formats: 20,
  documentScope: 21,
  period: 22,
} as const;

/** The metadata columns that describe the company, in the order of the facts array (part of the stored format). */
export function factsOf(metadata: Report['metadata']): string[] {
  return [
    metadata.company_key,
    metadata.company,
    metadata.ticker,
    metadata.mic,
    metadata.exchange,
    metadata.country,
    metadata.sector,
    metadata.industry,
    metadata.nace_code,
    metadata.naics_code,
    metadata.isin,
    metadata.lei,
    metadata.figi,
  ];
}
