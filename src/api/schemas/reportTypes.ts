const coreNames = {
  SR: 'Sustainability Report',
  IR: 'Integrated Report',
  AR2: 'Annual Report with Sustainability Disclosures',
  AR1: 'Annual Report',
} as const;

const specialtyNames = {
  CGOV: 'Corporate Governance Report',
  MSST: 'Modern Slavery Statement',
  TCFD: 'TCFD Report',
  GHGR: 'GHG Emissions Report',
  GRIX: 'GRI Content Index',
  CTRP: 'Climate Transition Plan',
  STEW: 'Stewardship Report',
  BNDI: 'Bond Impact Report',
  CLIM: 'Climate Report',
  HRTS: 'Human Rights Report',
  EITI: 'EITI Payments to Governments Report',
  GPGR: 'Gender Pay Gap Report',
  CRPL: 'Carbon Reduction Plan',
  DEIR: 'Diversity and Inclusion Report',
  SASB: 'SASB Index',
  GBFW: 'Sustainable Bond Framework',
  SCTR: 'Supply Chain Transparency Report',
  SPOP: 'Second Party Opinion',
  TNFD: 'Nature and Biodiversity Report',
  BNDA: 'Bond Allocation Report',
  UNGC: 'UN Global Compact Progress Report',
  HSAF: 'Health and Safety Report',
  CODE: 'Code of Conduct',
  WATR: 'Water Stewardship Report',
  SLBF: 'Sustainability-Linked Bond Framework',
  PRIT: 'PRI Transparency Report',
  EMAS: 'EMAS Environmental Statement',
  ESGD: 'ESG Data Book',
  CBEN: 'Community Benefit Report',
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
  return Object.hasOwn(reportTypeNames, code) ? (reportTypeNames[code] as string) : `Specialty disclosure (${code})`;
}

/** Meanings of `report_class` (TYP-2). */
export const reportClassNames: Readonly<Record<string, string>> = {
  D: 'Standalone sustainability report',
  E: 'Sustainability disclosure inside a larger report',
  S: 'Specialised ESG document',
  F: 'Annual report without substantive sustainability content',
};
