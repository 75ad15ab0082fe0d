import { coverageMarks, type TypeFamily, typeFamilies } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';

/** What a matrix can be looked at by: everything, all that reports on sustainability, or one family. */
export const familyChoices = ['all', 'sustainability', ...typeFamilies] as const;
export type FamilyChoice = (typeof familyChoices)[number];

const familyLabels: Readonly<Record<FamilyChoice, string>> = {
  all: l10n.later('All report types'),
  sustainability: l10n.later('Sustainability reporting (SR, IR, AR2)'),
  SR: l10n.later('Sustainability Report (SR)'),
  IR: l10n.later('Integrated Report (IR)'),
  AR2: l10n.later('Annual Report with Sustainability Disclosures (AR2)'),
  AR1: l10n.later('Annual Report (AR1)'),
  specialty: l10n.later('Specialty disclosures'),
};

const familyNouns: Readonly<Record<FamilyChoice, string>> = {
  all: l10n.later('any report'),
  sustainability: l10n.later('any sustainability reporting'),
  SR: l10n.later('a sustainability report'),
  IR: l10n.later('an integrated report'),
  AR2: l10n.later('an annual report with sustainability disclosures'),
  AR1: l10n.later('an annual report without a sustainability section'),
  specialty: l10n.later('a specialty disclosure'),
};

export function familyLabel(choice: FamilyChoice): string {
  return l10n.word(familyLabels[choice]);
}

/** A report of the choice in a sentence: "without a sustainability report". */
export function familyNoun(choice: FamilyChoice): string {
  return l10n.word(familyNouns[choice]);
}

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

const cellStateLabels: Readonly<Record<CellState, string>> = {
  none: l10n.later('No report'),
  metadata: l10n.later('Metadata only, no PDF'),
  available: l10n.later('PDF available'),
  downloaded: l10n.later('Downloaded'),
  changed: l10n.later('Downloaded, newer PDF upstream'),
  withdrawn: l10n.later('Withdrawn'),
};

export function cellStateLabel(state: CellState): string {
  return l10n.word(cellStateLabels[state]);
}

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
  return year === 0 ? l10n.t('Undated') : String(year);
}

/** The two years that a two-year record filed under `year` states, as `2018/19` (FY-3). */
export function splitLabel(year: number): string {
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}

/** A cell in words, for a tooltip and a screen reader. */
export function cellWords(year: number, count: number, marks: number): string {
  const parts = [`${yearLabel(year)}: ${cellStateLabel(cellState(marks))}`];
  if (count === 255) parts.push(l10n.t('255 or more reports'));
  else if (count > 1) parts.push(l10n.t('{0} reports', count));
  if (isSplit(marks)) parts.push(l10n.t('two-year record {0} filed under {1}', splitLabel(year), year));
  return parts.join(', ');
}
