import { chosenOf, isRecord } from './reportArguments.ts';

/** All reports of a company, or those of one of its fiscal years; null is undated. */
export interface ReportGroup {
  readonly companyKey: string;
  readonly fiscalYear?: number | null;
}

/** The companies and fiscal years among the tree nodes in a command's arguments. */
export function reportGroups(args: readonly unknown[]): ReportGroup[] {
  return chosenOf(args).flatMap((value): ReportGroup[] => {
    if (!isRecord(value) || 'report' in value) return [];
    if ('company' in value && isRecord(value.company) && 'company_key' in value.company) {
      return typeof value.company.company_key === 'string' ? [{ companyKey: value.company.company_key }] : [];
    }
    if (!('companyKey' in value) || typeof value.companyKey !== 'string' || !('year' in value)) return [];
    const year = isRecord(value.year) && 'fiscal_year' in value.year ? value.year.fiscal_year : undefined;
    return year === null || typeof year === 'number' ? [{ companyKey: value.companyKey, fiscalYear: year }] : [];
  });
}
