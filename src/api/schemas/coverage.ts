import { isCoreReportType } from './reportTypes.ts';

/** Families of report types that a coverage matrix tells apart: the four core types, and all others together (TYP-1). */
export const typeFamilies = ['SR', 'IR', 'AR2', 'AR1', 'specialty'] as const;
export type TypeFamily = (typeof typeFamilies)[number];

/** The place of a type's family among {@link typeFamilies}; an unknown code is a specialty disclosure (TYP-1). */
export function familyIndex(type: string | null): number {
  const core = type !== null && isCoreReportType(type);
  return core ? typeFamilies.indexOf(type as TypeFamily) : typeFamilies.length - 1;
}

/**
 * What is known of the reports of one company, fiscal year and family, as bits of a byte. The library sets the first
 * four; what is downloaded here is added by whoever knows.
 */
export const coverageMarks = {
  /** A listed report with a PDF, or without word that there is none. */
  file: 1,
  /** A listed report without a PDF (ST-4). */
  metadataOnly: 2,
  /** A report that is no longer served (ST-2, ST-3). */
  gone: 4,
  /** A listed report that states two fiscal years and is filed under the first (FY-3). */
  split: 8,
  /** A listed report whose PDF is in the workspace. */
  downloaded: 16,
  /** A listed report whose PDF in the workspace is no longer the one that the service publishes. */
  changed: 32,
} as const;

/** True when a record states two fiscal years, as old ones do: `2018/2019`, `2018-19` (FY-3). */
export function statesTwoYears(fcyear: number | string | null): boolean {
  return typeof fcyear === 'string' && /\d{4}\D+\d{2}/.test(fcyear);
}
