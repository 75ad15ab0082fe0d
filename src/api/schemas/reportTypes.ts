import { l10n } from '../../base/l10n.ts';

/** The known types in the order of the interface, each with its name, and a short one where lists would cut it. */
const types: Readonly<Record<string, readonly [name: string, shortName?: string]>> = {
  SR: [l10n.later('Sustainability Report'), l10n.later('Sustainability')],
  IR: [l10n.later('Integrated Report'), l10n.later('Integrated Report')],
  AR2: [l10n.later('Annual Report with Sustainability Disclosures'), l10n.later('Annual + Sustainability')],
  AR1: [l10n.later('Annual Report')],
  CGOV: [l10n.later('Corporate Governance Report'), l10n.later('Governance')],
  MSST: [l10n.later('Modern Slavery Statement'), l10n.later('Modern Slavery')],
  TCFD: [l10n.later('TCFD Report')],
  GHGR: [l10n.later('GHG Emissions Report'), l10n.later('GHG Emissions')],
  GRIX: [l10n.later('GRI Content Index')],
  CTRP: [l10n.later('Climate Transition Plan'), l10n.later('Transition Plan')],
  STEW: [l10n.later('Stewardship Report'), l10n.later('Stewardship')],
  BNDI: [l10n.later('Bond Impact Report'), l10n.later('Bond Impact')],
  CLIM: [l10n.later('Climate Report')],
  HRTS: [l10n.later('Human Rights Report'), l10n.later('Human Rights')],
  EITI: [l10n.later('EITI Payments to Governments Report'), l10n.later('EITI Payments')],
  GPGR: [l10n.later('Gender Pay Gap Report'), l10n.later('Gender Pay Gap')],
  CRPL: [l10n.later('Carbon Reduction Plan'), l10n.later('Carbon Plan')],
  DEIR: [l10n.later('Diversity and Inclusion Report'), l10n.later('Diversity')],
  SASB: [l10n.later('SASB Index')],
  GBFW: [l10n.later('Sustainable Bond Framework'), l10n.later('Bond Framework')],
  SCTR: [l10n.later('Supply Chain Transparency Report'), l10n.later('Supply Chain')],
  SPOP: [l10n.later('Second Party Opinion')],
  TNFD: [l10n.later('Nature and Biodiversity Report'), l10n.later('Biodiversity')],
  BNDA: [l10n.later('Bond Allocation Report'), l10n.later('Bond Allocation')],
  UNGC: [l10n.later('UN Global Compact Progress Report'), l10n.later('UN Global Compact')],
  HSAF: [l10n.later('Health and Safety Report'), l10n.later('Health and Safety')],
  CODE: [l10n.later('Code of Conduct')],
  WATR: [l10n.later('Water Stewardship Report'), l10n.later('Water')],
  SLBF: [l10n.later('Sustainability-Linked Bond Framework'), l10n.later('SLB Framework')],
  PRIT: [l10n.later('PRI Transparency Report'), l10n.later('PRI Transparency')],
  EMAS: [l10n.later('EMAS Environmental Statement'), l10n.later('EMAS Statement')],
  ESGD: [l10n.later('ESG Data Book')],
  CBEN: [l10n.later('Community Benefit Report'), l10n.later('Community Benefit')],
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
  const name = Object.hasOwn(types, code) ? types[code]?.[0] : undefined;
  return name === undefined ? l10n.t('Specialty disclosure ({0})', code) : l10n.word(name);
}

/** The name in a word or two, for lists. */
export function shortTypeName(code: string): string {
  const short = Object.hasOwn(types, code) ? types[code]?.[1] : undefined;
  return short === undefined ? reportTypeName(code) : l10n.word(short);
}

const classNames: Readonly<Record<string, string>> = {
  D: l10n.later('Standalone sustainability report'),
  E: l10n.later('Sustainability disclosure inside a larger report'),
  S: l10n.later('Specialized ESG document'),
  F: l10n.later('Annual report without substantive sustainability content'),
};

/** The name in English, for citations and notebooks: they do not depend on who wrote them. */
export function englishTypeName(code: string): string {
  return (Object.hasOwn(types, code) && types[code]?.[0]) || `Specialty disclosure (${code})`;
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
