import type { JsonObject } from '../../base/json.ts';
import { filledText, integer, type Reading, recordReader, text } from './record.ts';

/** A company as the service describes it (COM-3). Only the key is certain; a withheld ISIN is null (COM-2). */
export interface Company {
  readonly company_key: string;
  readonly company_name: string | null;
  readonly isin: string | null;
  readonly lei: string | null;
  readonly figi: string | null;
  readonly cik: string | null;
  /** 1 to 12. */
  readonly fiscal_year_end_month: number | null;
  readonly ticker: string | null;
  readonly mic: string | null;
  readonly exchange: string | null;
  readonly country: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  /** Fields that the interface does not name, or whose value had an unexpected type, as they came. */
  readonly other: Readonly<Record<string, unknown>>;
}

const readFields = recordReader(
  {
    company_key: filledText,
    company_name: text,
    isin: text,
    lei: text,
    figi: text,
    cik: text,
    fiscal_year_end_month: integer,
    ticker: text,
    mic: text,
    exchange: text,
    country: text,
    sector: text,
    industry: text,
  },
  { company_key: 'The company has no company_key.' },
);

/** Reads a Company object (COM-3). One without its key is refused with a reason. */
export function readCompany(raw: JsonObject): Reading<Company> {
  return readFields(raw);
}
