import { l10n } from '../../base/l10n.ts';

/** The known types in the order of the interface, each with its name. */
const types: Readonly<Record<string, string>> = {
  SR: l10n.later('Sustainability Report'),
  IR: l10n.later('Integrated Report'),
  AR2: l10n.later('Annual Report with Sustainability Disclosures'),
  AR1: l10n.later('Annual Report'),
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
};
const coreTypes = ['SR', 'IR', 'AR2', 'AR1'] as const;

/** The 33 codes known when this was built, core types first, in the order of the interface (TYP-1). Others may come. */
export const knownReportTypes: readonly string[] = Object.keys(types);

/** True for SR, IR, AR2 and AR1 (TYP-1). */
export function isCoreReportType(code: string): boolean {
  return coreTypes.some((core) => core === code);
}

/** The name of a type; an unknown code is a specialty disclosure and keeps its code as its name (TYP-1). */
export function reportTypeName(code: string): string {
  const name = Object.hasOwn(types, code) ? types[code] : undefined;
  return name === undefined ? l10n.t('Specialty disclosure ({0})', code) : l10n.word(name);
}

const classNames: Readonly<Record<string, string>> = {
  D: l10n.later('Standalone sustainability report'),
  E: l10n.later('Sustainability disclosure inside a larger report'),
  S: l10n.later('Specialized ESG document'),
  F: l10n.later('Annual report without substantive sustainability content'),
};

/** The name in English, for citations and notebooks: they do not depend on who wrote them. */
export function englishTypeName(code: string): string {
  return (Object.hasOwn(types, code) && types[code]) || `Specialty disclosure (${code})`;
}

/** The codes of `report_class` (TYP-2). */
export const reportClasses: readonly string[] = Object.keys(classNames);

/** What a `report_class` means (TYP-2); undefined for a code that is not known. */
export function reportClassName(code: string): string | undefined {
  return Object.hasOwn(classNames, code) ? l10n.word(classNames[code] as string) : undefined;
}

/** Families of report types in a coverage matrix: the four core types, and all others together (TYP-1). */
export const typeFamilies = [...coreTypes, 'specialty'] as const;
export type TypeFamily = (typeof typeFamilies)[number];

/** The index of a type's family among {@link typeFamilies}; an unknown code is a specialty disclosure (TYP-1). */
export function familyIndex(type: string | null): number {
  const core = type !== null && isCoreReportType(type);
  return core ? typeFamilies.indexOf(type as TypeFamily) : typeFamilies.length - 1;
}

/** What is known of a company's reports of one year and family, as bits. The editor adds the last two. */
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
