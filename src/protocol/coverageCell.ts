import { coverageMarks, type TypeFamily, typeFamilies } from '../api/schemas/coverage.ts';

/** What a matrix can be looked at by: everything, all that reports on sustainability, or one family. */
export const familyChoices = ['all', 'sustainability', ...typeFamilies] as const;
export type FamilyChoice = (typeof familyChoices)[number];

export const familyLabels: Readonly<Record<FamilyChoice, string>> = {
  all: 'All report types',
  sustainability: 'Sustainability reporting (SR, IR, AR2)',
  SR: 'Sustainability Report (SR)',
  IR: 'Integrated Report (IR)',
  AR2: 'Annual Report with Sustainability Disclosures (AR2)',
  AR1: 'Annual Report (AR1)',
  specialty: 'Specialty disclosures',
};

/** A report of the choice in a sentence: "without a sustainability report". */
export const familyNouns: Readonly<Record<FamilyChoice, string>> = {
  all: 'any report',
  sustainability: 'any sustainability reporting',
  SR: 'a sustainability report',
  IR: 'an integrated report',
  AR2: 'an annual report with sustainability disclosures',
  AR1: 'an annual report without a sustainability section',
  specialty: 'a specialty disclosure',
};

const familiesOf: Readonly<Record<FamilyChoice, readonly TypeFamily[]>> = {
  all: typeFamilies,
  sustainability: ['SR', 'IR', 'AR2'],
  SR: ['SR'],
  IR: ['IR'],
  AR2: ['AR2'],
  AR1: ['AR1'],
  specialty: ['specialty'],
};

/** The places of a choice's families among all families. */
export function familyPlaces(choice: FamilyChoice): number[] {
  return familiesOf[choice].map((family) => typeFamilies.indexOf(family));
}

/** How the best of a cell's reports stand; a legend tells them apart. */
export const cellStates = ['none', 'metadata', 'available', 'downloaded', 'changed', 'withdrawn'] as const;
export type CellState = (typeof cellStates)[number];

export const cellStateLabels: Readonly<Record<CellState, string>> = {
  none: 'No report',
  metadata: 'Metadata only, no PDF',
  available: 'PDF available',
  downloaded: 'Downloaded',
  changed: 'Downloaded, newer PDF upstream',
  withdrawn: 'Withdrawn',
};

/** The state that a cell's marks come to. A newer PDF upstream asks for attention, so it goes before all others. */
export function cellState(marks: number): CellState {
  if (marks & coverageMarks.changed) return 'changed';
  if (marks & coverageMarks.downloaded) return 'downloaded';
  if (marks & coverageMarks.file) return 'available';
  if (marks & coverageMarks.metadataOnly) return 'metadata';
  return marks & coverageMarks.gone ? 'withdrawn' : 'none';
}

/** True when a listed report is there, with or without a PDF. */
export function isListed(marks: number): boolean {
  return (marks & (coverageMarks.file | coverageMarks.metadataOnly)) !== 0;
}

export function isSplit(marks: number): boolean {
  return (marks & coverageMarks.split) !== 0;
}

/** A year as a column's head. */
export function yearLabel(year: number): string {
  return year === 0 ? 'Undated' : String(year);
}

/** The two years that a two-year record filed under `year` states, as `2018/19` (FY-3). */
export function splitLabel(year: number): string {
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}

/** A cell in words, for a tooltip and a screen reader. */
export function cellWords(year: number, count: number, marks: number): string {
  const state = cellStateLabels[cellState(marks)];
  const many = count > 1 ? `, ${count === 255 ? '255 or more' : count} reports` : '';
  const split = isSplit(marks) ? `, two-year record ${splitLabel(year)} filed under ${year}` : '';
  return `${yearLabel(year)}: ${state}${many}${split}`;
}
