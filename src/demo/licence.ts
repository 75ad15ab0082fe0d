import { fiscalYearOf } from '../api/schemas/report.ts';
import type { DemoCompany, DemoReport } from './catalogue.ts';

/** What a key may see (SVC-2): companies x report types x fiscal years. */
export interface Licence {
  readonly clientName: string;
  /** Every type and fiscal year of the licensed companies, undated documents included. */
  readonly fullAccess: boolean;
  readonly companies: Set<DemoCompany>;
  /** Null means every type. */
  readonly types: ReadonlySet<string> | null;
  readonly fcyearStart: number;
  /** Null means open-ended. */
  readonly fcyearEnd: number | null;
}

/** True when the licence holds this report of this company. Undated documents are outside every window (FY-2). */
export function isEntitled(licence: Licence, report: DemoReport, company: DemoCompany | undefined): boolean {
  if (company === undefined || !licence.companies.has(company)) return false;
  if (licence.fullAccess) return true;
  if (licence.types !== null && !licence.types.has(report.report_type)) return false;
  const year = fiscalYearOf(report);
  return year !== null && year >= licence.fcyearStart && (licence.fcyearEnd === null || year <= licence.fcyearEnd);
}
