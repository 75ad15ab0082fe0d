import type { Report, TriState } from '../../api/schemas/report.ts';

/**
 * The three-valued facts of a report in the order of their place in the flags; two bits each, so all sixteen fill
 * 32 bits (CNV-2). Places are part of the stored format: new ones go to the end.
 */
export const triStateFields = [
  'has_file',
  'standards_gri',
  'standards_sasb',
  'standards_tcfd',
  'standards_issb',
  'standards_esrs',
  'standards_integrated',
  'standards_ghg_protocol',
  'standards_eu_taxonomy',
  'standards_ungp',
  'standards_cdp',
  'standards_ungc',
  'standards_sbti',
  'has_materiality_assessment',
  'has_materiality_matrix',
  'independent_assurance_report_included',
] as const satisfies readonly (keyof Report)[];

/** Name of a three-valued field. */
export type TriStateField = (typeof triStateFields)[number];

const undetermined = 0;
const yes = 1;
const no = 2;

/** All three-valued facts of a report as one unsigned 32-bit number. */
export function packFlags(report: Pick<Report, TriStateField>): number {
  // Written out in the order of the list: fields asked for by name cost a tenth of those asked for by the list's.
  const flags =
    bits(report.has_file) |
    (bits(report.standards_gri) << 2) |
    (bits(report.standards_sasb) << 4) |
    (bits(report.standards_tcfd) << 6) |
    (bits(report.standards_issb) << 8) |
    (bits(report.standards_esrs) << 10) |
    (bits(report.standards_integrated) << 12) |
    (bits(report.standards_ghg_protocol) << 14) |
    (bits(report.standards_eu_taxonomy) << 16) |
    (bits(report.standards_ungp) << 18) |
    (bits(report.standards_cdp) << 20) |
    (bits(report.standards_ungc) << 22) |
    (bits(report.standards_sbti) << 24) |
    (bits(report.has_materiality_assessment) << 26) |
    (bits(report.has_materiality_matrix) << 28) |
    (bits(report.independent_assurance_report_included) << 30);
  return flags >>> 0;
}

function bits(value: TriState): number {
  return value === null ? undetermined : value ? yes : no;
}

/** The fact at a place of the flags. */
export function flagAt(flags: number, place: number): TriState {
  const bits = (flags >>> (2 * place)) & 3;
  return bits === undetermined ? null : bits === yes;
}

/** The bits that matter to a question about some of the facts, and the value they must have. */
export function flagsMask(wanted: Readonly<Partial<Record<TriStateField, TriState>>>): {
  readonly mask: number;
  readonly value: number;
} {
  let mask = 0;
  let value = 0;
  triStateFields.forEach((field, place) => {
    const want = wanted[field];
    if (want === undefined) return;
    mask |= 3 << (2 * place);
    if (want !== null) value |= (want ? yes : no) << (2 * place);
  });
  return { mask: mask >>> 0, value: value >>> 0 };
}
