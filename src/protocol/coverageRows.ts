import { coverageMarks, typeFamilies } from '../api/schemas/reportTypes.ts';
import type { CoverageLook, CoverageView } from './coverage.ts';
import { type FamilyChoice, familyPlaces, isListed, isSplit } from './coverageCell.ts';

/** The part of a view that cells are read from. */
export type Cells = Pick<CoverageView, 'years' | 'counts' | 'marks'>;

export interface Cell {
  /** Listed reports. */
  readonly count: number;
  /** Bits of `coverageMarks`, of all families of the choice together. */
  readonly marks: number;
  /** Nothing here, but the year before has a two-year record, which covers this year too (FY-3). */
  readonly coveredBySplit: boolean;
}

/** One company's figures for a choice of families. */
export interface RowFigures {
  readonly reports: number;
  /** Years without a listed report, from the company's first to the last of the matrix; all when it has none. */
  readonly gaps: number;
  /** Years under which a two-year record is filed. */
  readonly split: readonly number[];
}

/** Reads cells and figures of one choice of families. */
export class CellReader {
  readonly #cells: Cells;
  readonly #places: readonly number[];

  constructor(cells: Cells, choice: FamilyChoice) {
    this.#cells = cells;
    this.#places = familyPlaces(choice);
  }

  cell(row: number, column: number): Cell {
    const marks = this.#marks(row, column);
    return {
      count: this.#count(row, column),
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
    let begun = false;
    let columns = 0;
    const split: number[] = [];
    for (let column = 0; column < years.length; column++) {
      const year = years[column] as number;
      const marks = this.#marks(row, column);
      reports += this.#count(row, column);
      if (isSplit(marks)) split.push(year);
      if (year === 0) continue;
      columns++;
      if (isListed(marks)) begun = true;
      else if (begun && !this.#splitBefore(row, column)) gaps++;
    }
    return { reports, gaps: begun ? gaps : columns, split };
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

  #count(row: number, column: number): number {
    const at = this.#at(row, column);
    let count = 0;
    for (const place of this.#places) count += this.#cells.counts[at + place] ?? 0;
    return count;
  }
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

function comparison(
  { countries }: CoverageView,
  { sort }: CoverageLook,
  figures: (row: number) => RowFigures,
): (a: number, b: number) => number {
  switch (sort) {
    case 'name':
      return (a, b) => a - b;
    case 'country': {
      const collator = new Intl.Collator();
      // What is not stated goes last.
      return (a, b) => collator.compare(countries[a] ?? '\uFFFF', countries[b] ?? '\uFFFF');
    }
    case 'reports':
      return (a, b) => figures(a).reports - figures(b).reports;
    case 'gaps':
      return (a, b) => figures(a).gaps - figures(b).gaps;
    default:
      return sort satisfies never;
  }
}
