import { coverageMarks, typeFamilies } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { countText, visibleText } from '../base/words.ts';
import {
  type CellContent,
  type CoverageFormat,
  type CoverageLook,
  type CoverageView,
  cellLooks,
  cellState,
  type FamilyChoice,
  familyLabel,
  familyNoun,
  familyPlaces,
  isListed,
  isSplit,
  isTail,
  splitLabel,
  yearLabel,
} from './coverage.ts';
import { csvTable, markdownTable } from './format/table.ts';

type CoverageCells = Pick<CoverageView, 'years' | 'counts' | 'pdfs' | 'marks' | 'here'>;

interface RowFigures {
  readonly reports: number;
  /**
   * Years without a listed report between the company's first and latest: what others publish, and a newer year at the
   * end of the matrix, change nothing.
   */
  readonly gaps: number;
  /** Years under which a two-year record is filed. */
  readonly split: readonly number[];
}

/** Reads cells and figures of one choice of families. */
export class CellReader {
  readonly #cells: CoverageCells;
  readonly #places: readonly number[];

  constructor(cells: CoverageCells, choice: FamilyChoice) {
    this.#cells = cells;
    this.#places = familyPlaces(choice);
  }

  cell(row: number, column: number): CellContent {
    const marks = this.#marks(row, column);
    return {
      count: this.#count('counts', row, column),
      pdfs: this.#count('pdfs', row, column),
      here: this.#count('here', row, column),
      marks,
      coveredBySplit: !isListed(marks) && this.#splitBefore(row, column),
    };
  }

  /** True when neither a listed report nor the two-year record of the year before is there. */
  isGap(row: number, column: number): boolean {
    return !isListed(this.#marks(row, column)) && !this.#splitBefore(row, column);
  }

  figures(row: number): RowFigures {
    const { years } = this.#cells;
    let reports = 0;
    let gaps = 0;
    /** Those since the last report; undefined before the first. */
    let open: number | undefined;
    const split: number[] = [];
    for (let column = 0; column < years.length; column++) {
      const year = years[column] as number;
      const marks = this.#marks(row, column);
      reports += this.#count('counts', row, column);
      if (isSplit(marks)) split.push(year);
      if (year === 0) continue;
      if (isListed(marks)) {
        gaps += open ?? 0;
        open = 0;
      } else if (open !== undefined && !this.#splitBefore(row, column)) open++;
    }
    return { reports, gaps, split };
  }

  #splitBefore(row: number, column: number): boolean {
    const { years } = this.#cells;
    const isNext = column > 0 && years[column] !== 0 && (years[column - 1] as number) + 1 === years[column];
    return isNext && (this.#marks(row, column - 1) & coverageMarks.split) !== 0;
  }

  #at(row: number, column: number): number {
    return (row * this.#cells.years.length + column) * typeFamilies.length;
  }

  #marks(row: number, column: number): number {
    const at = this.#at(row, column);
    let marks = 0;
    for (const place of this.#places) marks |= this.#cells.marks[at + place] ?? 0;
    return marks;
  }

  #count(what: 'counts' | 'pdfs' | 'here', row: number, column: number): number {
    const at = this.#at(row, column);
    let count = 0;
    for (const place of this.#places) count += this.#cells[what][at + place] ?? 0;
    return count;
  }
}

/** What counts as a gap, in one sentence. */
export function gapsRule(): string {
  return l10n.t(
    'Gaps are years without a report between a company’s first and latest one; years that a two-year report covers don’t count.',
  );
}

/** The rows that a look shows, in its order. */
export interface CoverageRows {
  readonly rows: readonly number[];
  readonly reader: CellReader;
  figures(row: number): RowFigures;
}

/** Narrows and sorts; what is equal stays in order of the names. */
export function coverageRows(view: CoverageView, look: CoverageLook): CoverageRows {
  const reader = new CellReader(view, look.family);
  const kept = new Map<number, RowFigures>();
  const figures = (row: number) => {
    const known = kept.get(row) ?? reader.figures(row);
    kept.set(row, known);
    return known;
  };
  const wanted = look.filter.trim().toLocaleLowerCase();
  const gapColumn = look.gapYear === null ? -1 : view.years.indexOf(look.gapYear);
  const rows: number[] = [];
  for (let row = 0; row < view.keys.length; row++) {
    if (wanted !== '' && !names(view, row, wanted)) continue;
    if (gapColumn >= 0 && !reader.isGap(row, gapColumn)) continue;
    rows.push(row);
  }
  const compare = comparison(view, look, figures);
  const direction = look.descending ? -1 : 1;
  rows.sort((a, b) => direction * compare(a, b) || a - b);
  return { rows, reader, figures };
}

function names({ names, keys, countries }: CoverageView, row: number, wanted: string): boolean {
  return [names[row], keys[row], countries[row]].some((text) => text?.toLocaleLowerCase().includes(wanted));
}

/** By `sort`, in ascending order. A country that is not stated goes last. */
function comparison(
  { countries }: CoverageView,
  { sort }: CoverageLook,
  figures: (row: number) => RowFigures,
): (a: number, b: number) => number {
  if (sort === 'name') return (a, b) => a - b;
  if (sort !== 'country') return (a, b) => figures(a)[sort] - figures(b)[sort];
  const { compare } = new Intl.Collator();
  const country = (row: number) => countries[row] ?? '\uFFFF';
  return (a, b) => compare(country(a), country(b));
}

/**
 * The mark of a report whose PDF is in the workspace; 0 for one that is no longer served, whose state is that it is
 * not. Nothing is claimed about a PDF without two hashes to compare.
 */
export function localMark(
  report: { readonly isListed: boolean; readonly sha256: string | null },
  localSha256: string | null,
): number {
  if (!report.isListed) return 0;
  const isChanged = report.sha256 !== null && localSha256 !== null && report.sha256 !== localSha256;
  return isChanged ? coverageMarks.changed : coverageMarks.downloaded;
}

const twoYears = l10n.later('in two-year record');

/** A file for programs is the same in all languages; a table to read speaks the reader's language. */
type Say = (words: string) => string;

/** What a look shows, as a file: one row per company, one column per fiscal year, then two-year and undated records. */
export function coverageExport(view: CoverageView, look: CoverageLook, format: CoverageFormat): string {
  const rows = coverageRows(view, look);
  return format === 'csv' ? csvTable(tableOf(view, rows, String)) : markdownTable(tableOf(view, rows, l10n.word));
}

/** The same as a document to read, with what it is about above the table. */
export function coverageText(view: CoverageView, look: CoverageLook): string {
  const shown = coverageRows(view, look);
  const head = [
    `# ${l10n.t('Coverage')}`,
    '',
    view.scope === 'filter' && view.filterWords !== null
      ? l10n.t('Reports filter: {0}', view.filterWords)
      : l10n.t('All licensed companies'),
    familyLabel(look.family),
    coverageSentence(view, look, shown.rows.length, view.keys.length),
    l10n.t(
      'Each cell shows the status of its best report and, for several reports, how many there are or are downloaded. Two-year reports are filed under their first year.',
    ),
    gapsRule(),
  ];
  return `${head.join('\n')}\n\n${markdownTable(tableOf(view, shown, l10n.word))}`;
}

/** How many companies are shown and why, in one sentence. */
export function coverageSentence(
  view: Pick<CoverageView, 'years'>,
  look: CoverageLook,
  shown: number,
  all: number,
): string {
  const companies = all === 1 ? l10n.t('1 company') : l10n.t('{0} companies', countText(all));
  const of = shown === all ? companies : l10n.t('{0} of {1}', countText(shown), companies);
  if (look.gapYear === null || !view.years.includes(look.gapYear)) return of;
  const noun = familyNoun(look.family);
  return look.gapYear === 0
    ? l10n.t('{0} without {1} undated', of, noun)
    : l10n.t('{0} without {1} for {2}', of, noun, look.gapYear);
}

function tableOf(view: CoverageView, { rows, reader, figures }: CoverageRows, say: Say): string[][] {
  const dated = view.years.map((year, column) => ({ year, column })).filter(({ year }) => year !== 0);
  const undated = view.years.indexOf(0);
  const header = ['company', 'company_key', 'country', 'reports', 'gaps', ...dated.map(({ year }) => yearLabel(year))];
  return [
    [...header, 'two-year', 'undated'],
    ...rows.map((row) => {
      const { reports, gaps, split } = figures(row);
      return [
        visibleText(view.names[row] ?? ''),
        view.keys[row] ?? '',
        view.countries[row] ?? '',
        String(reports),
        String(gaps),
        ...dated.map(({ column }) => cellText(reader.cell(row, column), say)),
        split.map(splitLabel).join(' '),
        undated < 0 ? '' : cellText(reader.cell(row, undated), say),
      ];
    }),
  ];
}

function cellText(cell: CellContent, say: Say): string {
  if (isTail(cell)) return say(twoYears);
  const { count, pdfs, here } = cell;
  const state = cellState(cell);
  const { short } = cellLooks[state];
  const words = short === '' ? '' : say(short);
  if (state === 'partly') return words.replace('{0}', String(here)).replace('{1}', String(pdfs));
  // Statements about PDFs count those alone.
  const shown = pdfs || count;
  return shown > 1 ? `${shown} ${words}` : words;
}
