import type { Company } from '../api/schemas/company.ts';
import type { Report } from '../api/schemas/report.ts';

/** What of a report it is found by. */
export type FoundBy = Pick<
  Report,
  | 'metadata'
  | 'report_title'
  | 'company_name'
  | 'company_isin'
  | 'company_lei'
  | 'company_figi'
  | 'company_ticker'
  | 'company_key'
  | 'report_key'
>;

/** The text a report is found by: title (the metadata's marks partial documents), company, identifiers and keys. */
export function reportText(report: FoundBy): string {
  const key = report.report_key.startsWith(report.company_key) ? '' : report.company_key;
  return join([
    report.metadata.title || report.report_title,
    report.company_name,
    report.report_key,
    key,
    report.company_isin,
    report.company_lei,
    report.company_figi,
    report.company_ticker,
  ]);
}

/** The text a company is found by: names, identifiers and key. */
export function companyText(
  company: Pick<Company, 'company_key' | 'company_name' | 'isin' | 'lei' | 'figi' | 'cik' | 'ticker'>,
): string {
  return join([
    company.company_name,
    company.company_key,
    company.isin,
    company.lei,
    company.figi,
    company.cik,
    company.ticker,
  ]);
}

/** Halves of surrogate pairs are replaced, as SQLite would; a text must read the same when it is taken out again. */
function join(parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null && part !== '')
    .join(' ')
    .toWellFormed()
    .replaceAll('\0', ' ');
}
