/** A code of the `framework` filter, and the three-valued field it asks to be true. */
export interface FrameworkCode {
  readonly code: string;
  readonly name: string;
  readonly field: string;
}

/** The codes that `GET /meta/frameworks` lists. */
export const frameworkCodes: readonly FrameworkCode[] = [
  { code: 'gri', name: 'GRI Standards', field: 'standards_gri' },
  { code: 'sasb', name: 'SASB Standards', field: 'standards_sasb' },
  { code: 'tcfd', name: 'TCFD recommendations', field: 'standards_tcfd' },
  { code: 'issb', name: 'IFRS S1 and S2 (ISSB)', field: 'standards_issb' },
  { code: 'esrs', name: 'ESRS and CSRD', field: 'standards_esrs' },
  { code: 'integrated', name: 'Integrated Reporting Framework', field: 'standards_integrated' },
  { code: 'ghg_protocol', name: 'GHG Protocol', field: 'standards_ghg_protocol' },
  { code: 'eu_taxonomy', name: 'EU Taxonomy', field: 'standards_eu_taxonomy' },
  { code: 'ungp', name: 'UN Guiding Principles', field: 'standards_ungp' },
  { code: 'cdp', name: 'CDP', field: 'standards_cdp' },
  { code: 'ungc', name: 'UN Global Compact', field: 'standards_ungc' },
  { code: 'sbti', name: 'Science Based Targets initiative', field: 'standards_sbti' },
];

/** The framework with this code, in whatever case it was written. */
export function frameworkOf(code: string): FrameworkCode | undefined {
  const wanted = code.toLowerCase();
  return frameworkCodes.find((each) => each.code === wanted);
}
