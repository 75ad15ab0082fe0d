import { l10n } from '../../base/l10n.ts';

const coreNames = {
  SR: l10n.later('Sustainability Report'),
  IR: l10n.later('Integrated Report'),
  AR2: l10n.later('Annual Report with Sustainability Disclosures'),
  AR1: l10n.later('Annual Report'),
} as const;

const specialtyNames = {
  CGOV: l10n.later('Corporate Governance Report'),
  MSST: l10n.later('Modern Slavery Statement'),
  TCFD: l10n.later('TCFD Report'),
  GHGR: l10n.later('GHG Emissions Report'),
  GRIX: l10n.later('GRI Content Index'),
  CTRP: l10n.later('Climate Transition Plan'),
  STEW: l10n.later('Stewardship Report'),
  BNDI: l10n.later('Bond Impact Report'),
  CLIM: l10n.later('Climate Report'),
  HRTS: l10n.later('Human Rights Report'),
  EITI: l10n.later('EITI Payments to Governments Report'),
  GPGR: l10n.later('Gender Pay Gap Report'),
  CRPL: l10n.later('Carbon Reduction Plan'),
  DEIR: l10n.later('Diversity and Inclusion Report'),
  SASB: l10n.later('SASB Index'),
  GBFW: l10n.later('Sustainable Bond Framework'),
  SCTR: l10n.later('Supply Chain Transparency Report'),
  SPOP: l10n.later('Second Party Opinion'),
  TNFD: l10n.later('Nature and Biodiversity Report'),
  BNDA: l10n.later('Bond Allocation Report'),
  UNGC: l10n.later('UN Global Compact Progress Report'),
  HSAF: l10n.later('Health and Safety Report'),
  CODE: l10n.later('Code of Conduct'),
  WATR: l10n.later('Water Stewardship Report'),
  SLBF: l10n.later('Sustainability-Linked Bond Framework'),
  PRIT: l10n.later('PRI Transparency Report'),
  EMAS: l10n.later('EMAS Environmental Statement'),
  ESGD: l10n.later('ESG Data Book'),
  CBEN: l10n.later('Community Benefit Report'),
} as const;

/** The 33 report type codes known when this was built, with their names (TYP-1). New ones may come at any time. */
export const reportTypeNames: Readonly<Record<string, string>> = { ...coreNames, ...specialtyNames };

/** Core types first, then specialty disclosures, in the order of the interface's table (TYP-1). */
export const knownReportTypes: readonly string[] = Object.keys(reportTypeNames);

/** True for SR, IR, AR2 and AR1 (TYP-1). */
export function isCoreReportType(code: string): boolean {
  return Object.hasOwn(coreNames, code);
}

/** The name of a type; an unknown code is a specialty disclosure and keeps its code as its name (TYP-1). */
export function reportTypeName(code: string): string {
  return Object.hasOwn(reportTypeNames, code)
    ? l10n.word(reportTypeNames[code] as string)
    : l10n.t('Specialty disclosure ({0})', code);
}

/** Names for lists, where the long one would be cut. */
const shortNames: Readonly<Record<string, string>> = {
  SR: l10n.later('Sustainability'),
  IR: l10n.later('Integrated Report'),
  AR2: l10n.later('Annual + Sustainability'),
  CGOV: l10n.later('Governance'),
  MSST: l10n.later('Modern Slavery'),
  GHGR: l10n.later('GHG Emissions'),
  CTRP: l10n.later('Transition Plan'),
  STEW: l10n.later('Stewardship'),
  BNDI: l10n.later('Bond Impact'),
  HRTS: l10n.later('Human Rights'),
  EITI: l10n.later('EITI Payments'),
  GPGR: l10n.later('Gender Pay Gap'),
  CRPL: l10n.later('Carbon Plan'),
  DEIR: l10n.later('Diversity'),
  GBFW: l10n.later('Bond Framework'),
  SCTR: l10n.later('Supply Chain'),
  TNFD: l10n.later('Biodiversity'),
  BNDA: l10n.later('Bond Allocation'),
  UNGC: l10n.later('UN Global Compact'),
  HSAF: l10n.later('Health and Safety'),
  WATR: l10n.later('Water'),
  SLBF: l10n.later('SLB Framework'),
  PRIT: l10n.later('PRI Transparency'),
  EMAS: l10n.later('EMAS Statement'),
  CBEN: l10n.later('Community Benefit'),
};

/** The same in a word or two, for lists. */
export function shortTypeName(code: string): string {
  return Object.hasOwn(shortNames, code) ? l10n.word(shortNames[code] as string) : reportTypeName(code);
}

const classNames: Readonly<Record<string, string>> = {
  D: l10n.later('Standalone sustainability report'),
  E: l10n.later('Sustainability disclosure inside a larger report'),
  S: l10n.later('Specialised ESG document'),
  F: l10n.later('Annual report without substantive sustainability content'),
};

/** The same in English, for citations and notebooks: they do not depend on who wrote them. */
export function englishTypeName(code: string): string {
  return Object.hasOwn(reportTypeNames, code) ? (reportTypeNames[code] as string) : `Specialty disclosure (${code})`;
}

/** The codes of `report_class` (TYP-2). */
export const reportClasses: readonly string[] = Object.keys(classNames);

/** What a `report_class` means (TYP-2); undefined for a code that is not known. */
export function reportClassName(code: string): string | undefined {
  return Object.hasOwn(classNames, code) ? l10n.word(classNames[code] as string) : undefined;
}

/** Families of report types in a coverage matrix: the four core types, and all others together (TYP-1). */
export const typeFamilies = ['SR', 'IR', 'AR2', 'AR1', 'specialty'] as const;
export type TypeFamily = (typeof typeFamilies)[number];

/** The place of a type's family among {@link typeFamilies}; an unknown code is a specialty disclosure (TYP-1). */
export function familyIndex(type: string | null): number {
  const core = type !== null && isCoreReportType(type);
  return core ? typeFamilies.indexOf(type as TypeFamily) : typeFamilies.length - 1;
}

/**
 * What is known of the reports of one company, fiscal year and family, as bits of a byte. The library sets the first
 * four; the editor adds whether they are downloaded.
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
