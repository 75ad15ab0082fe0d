import * as z from 'zod/mini';
import { coverageMarks, reportTypeName, type TypeFamily, typeFamilies } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { nothing } from '../base/rpc.ts';
import { conversation, filterText, fromEditor, keptState } from './page.ts';

/** What a matrix can be looked at by: everything, all that reports on sustainability, or one family. */
export const familyChoices = ['all', 'sustainability', ...typeFamilies] as const;
export type FamilyChoice = (typeof familyChoices)[number];

/** How a choice reads in a sentence: "without a sustainability report". */
const nouns: Readonly<Record<FamilyChoice, string>> = {
  all: l10n.later('any report'),
  sustainability: l10n.later('any sustainability reporting'),
  SR: l10n.later('a sustainability report'),
  IR: l10n.later('an integrated report'),
  AR2: l10n.later('an annual report with sustainability disclosures'),
  AR1: l10n.later('an annual report without a sustainability section'),
  specialty: l10n.later('a specialty disclosure'),
};

export function familyNoun(choice: FamilyChoice): string {
  return l10n.word(nouns[choice]);
}

/** How a choice reads by itself. */
export function familyLabel(choice: FamilyChoice): string {
  if (choice === 'all') return l10n.t('All report types');
  if (choice === 'sustainability') return l10n.t('Sustainability reporting (SR, IR, AR2)');
  return choice === 'specialty' ? l10n.t('Specialty disclosures') : `${reportTypeName(choice)} (${choice})`;
}

/** The places of a choice's families among all families. */
export function familyPlaces(choice: FamilyChoice): number[] {
  const isPart = (family: TypeFamily) => {
    if (choice === 'sustainability') return family === 'SR' || family === 'IR' || family === 'AR2';
    return choice === 'all' || choice === family;
  };
  return [...typeFamilies.keys()].filter((place) => isPart(typeFamilies[place] as TypeFamily));
}

interface CellLook {
  readonly label: string;
  /** In a table to export, where it stands beside a number. */
  readonly short: string;
  /** The codicon of its mark; none for an empty cell. */
  readonly icon: string;
}

/** How the best of a cell's reports stand; a legend tells them apart. */
export const cellLooks = {
  none: { label: l10n.later('No report'), short: '', icon: '' },
  metadata: { label: l10n.later('Metadata only, no PDF'), short: l10n.later('metadata only'), icon: 'issue-draft' },
  available: { label: l10n.later('PDF available'), short: l10n.later('available'), icon: 'circle-large' },
  partly: { label: l10n.later('Partly downloaded'), short: l10n.later('{0} of {1} downloaded'), icon: 'color-mode' },
  downloaded: { label: l10n.later('Downloaded'), short: l10n.later('downloaded'), icon: 'circle-large-filled' },
  changed: {
    label: l10n.later('Downloaded, newer PDF available'),
    short: l10n.later('changed'),
    icon: 'arrow-circle-up',
  },
  withdrawn: { label: l10n.later('Withdrawn'), short: l10n.later('withdrawn'), icon: 'circle-slash' },
} as const satisfies Readonly<Record<string, CellLook>>;
export type CellState = keyof typeof cellLooks;
export const cellStates = Object.keys(cellLooks) as readonly CellState[];

export function cellStateLabel(state: CellState): string {
  return l10n.word(cellLooks[state].label);
}

/** The contents of a cell: listed reports, those with a PDF, `coverageMarks` bits, and PDFs that are here. */
export interface CellContent {
  readonly count: number;
  readonly pdfs: number;
  readonly marks: number;
  readonly here: number;
  /** Nothing here, but the year before has a two-year report, which covers this year too (FY-3). */
  readonly coveredBySplit: boolean;
}

/** The state that a cell comes to. A newer PDF available asks for attention, so it goes before all others. */
export function cellState({ marks, pdfs, here }: Omit<CellContent, 'coveredBySplit'>): CellState {
  if (marks & coverageMarks.changed) return 'changed';
  if (marks & coverageMarks.downloaded) return here < pdfs ? 'partly' : 'downloaded';
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

export function yearLabel(year: number): string {
  return year === 0 ? l10n.t('Undated') : String(year);
}

/** The two years that a two-year report filed under `year` states, as `2018/19` (FY-3). */
export function splitLabel(year: number): string {
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}

/** True when nothing stands in a cell of a year that the two-year report of the year before covers. */
export function isTail(cell: CellContent): boolean {
  return cell.coveredBySplit && cellState(cell) === 'none';
}

/** A cell in words, for a tooltip and a screen reader. */
export function cellWords(year: number, cell: CellContent): string {
  if (isTail(cell))
    return l10n.t('{0}: covered by the two-year report {1}, filed under {2}', year, splitLabel(year - 1), year - 1);
  const { count, pdfs, marks, here } = cell;
  const parts = [`${yearLabel(year)}: ${cellStateLabel(cellState(cell))}`];
  const isPartly = here > 0 && here < pdfs;
  if (isPartly) parts.push(l10n.t('{0} of {1} downloaded', here, pdfs === 255 ? '255+' : pdfs));
  if (!isPartly || pdfs < count) {
    if (count === 255) parts.push(l10n.t('{0} reports', '255+'));
    else if (count > 1) parts.push(l10n.t('{0} reports', count));
  }
  if (isSplit(marks)) parts.push(l10n.t('two-year report {0} filed under {1}', splitLabel(year), year));
  return parts.join(', ');
}

/** Which companies: all of the license, or those with a report that the Reports view is filtered to. */
const coverageScopes = ['watchlist', 'filter'] as const;
export type CoverageScope = (typeof coverageScopes)[number];

/** What rows can be sorted by. */
const coverageSorts = ['name', 'country', 'reports', 'gaps'] as const;
export type CoverageSort = (typeof coverageSorts)[number];

/** How a person looks at the matrix. Comes back from outside as part of a page's state. */
const coverageLookSchema = z.strictObject({
  family: z.enum(familyChoices),
  sort: z.enum(coverageSorts),
  descending: z.boolean(),
  /** Shows only companies without a report of the family for this fiscal year. */
  gapYear: z.nullable(z.int().check(z.minimum(0), z.maximum(9999))),
  filter: filterText,
});
export type CoverageLook = z.output<typeof coverageLookSchema>;

export const firstLook: CoverageLook = { family: 'all', sort: 'name', descending: false, gapYear: null, filter: '' };

/**
 * A matrix as the page shows it: companies in order of their names, years from the first to the last with 0 for
 * undated, and for each company, year and family counts and marks, in that order.
 */
export interface CoverageView {
  readonly scope: CoverageScope;
  /** The filter of the Reports view in words; null when it has none. */
  readonly filterWords: string | null;
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly countries: readonly (string | null)[];
  readonly years: readonly number[];
  readonly counts: Uint8Array;
  /** Listed reports with a PDF, at the service or here; 255 stands for all higher counts. */
  readonly pdfs: Uint8Array;
  readonly marks: Uint8Array;
  /** Listed reports whose PDF is in the workspace; 255 stands for all higher counts. */
  readonly here: Uint8Array;
}

/** Exports are made of what the person looks at. */
const coverageFormats = ['csv', 'markdown'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];

const look = z.strictObject({ look: coverageLookSchema });

export const coverageProtocol = conversation({
  view: fromEditor<CoverageView>(),
  kept: keptState(
    {
      look: coverageLookSchema,
      /** The cell that has the keyboard, and how far the rows are scrolled, in px. */
      row: z.int().check(z.minimum(0), z.maximum(1_000_000)),
      column: z.int().check(z.minimum(0), z.maximum(1000)),
      top: z.number().check(z.minimum(0), z.maximum(100_000_000)),
    },
    { look: firstLook, row: 0, column: 0, top: 0 },
  ),
  calls: {
    /** By row, so that the page can only name companies that it was given. */
    openCompany: { params: z.strictObject({ row: z.int() }), result: nothing },
    openCell: {
      params: z.strictObject({ row: z.int(), year: z.int(), family: z.enum(familyChoices) }),
      result: nothing,
    },
    copyAs: { params: z.strictObject({ look: coverageLookSchema, format: z.enum(coverageFormats) }), result: nothing },
    /** True when a file was written, false when the person left the question. */
    save: { params: look, result: z.boolean() },
    viewAsText: { params: look, result: nothing },
    setScope: { params: z.strictObject({ scope: z.enum(coverageScopes) }), result: nothing },
  },
});
