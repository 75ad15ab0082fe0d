/** The parts of a company key: `{MIC}_{TICKER}`, or `UNLT_{name}` for an unlisted company (COM-1). */
export type CompanyKeyParts =
  | { readonly listed: true; readonly mic: string; readonly ticker: string }
  | { readonly listed: false; readonly name: string };

/** The parts of a report key. `year` is the cover year, not the fiscal year (RID-3); 0 means undated. */
export interface ReportKeyParts {
  readonly companyKey: string;
  readonly year: number;
  readonly type: string;
  readonly suffix: string | null;
}

const unlisted = 'UNLT';
/** No key is as long; what is longer would only be looked through again and again. */
const longestKey = 1_000;

/** Reads a company key; null when the text is none. Case is kept. */
export function parseCompanyKey(text: string): CompanyKeyParts | null {
  const match = /^([A-Z0-9]{4})_([^\s:]+)$/iu.exec(text);
  if (!match) return null;
  const [, first = '', rest = ''] = match;
  return first.toUpperCase() === unlisted ? { listed: false, name: rest } : { listed: true, mic: first, ticker: rest };
}

/**
 * Reads a report key; null when the text is none. A company key may itself hold a year, so the last year that a type
 * follows is the cover year.
 */
export function parseReportKey(text: string): ReportKeyParts | null {
  if (text.length > longestKey) return null;
  const match = /^(.+)_(0|[0-9]{4})_([A-Z][A-Z0-9]{1,9})(?:_([^\s:]+))?$/iu.exec(text);
  if (!match) return null;
  const [, companyKey = '', year, type = '', suffix] = match;
  if (parseCompanyKey(companyKey) === null) return null;
  return { companyKey, year: Number(year), type, suffix: suffix ?? null };
}

export function formatReportKey(parts: ReportKeyParts): string {
  const key = `${parts.companyKey}_${parts.year}_${parts.type}`;
  return parts.suffix === null ? key : `${key}_${parts.suffix}`;
}
