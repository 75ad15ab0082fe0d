import { coverageMarks, familyIndex, typeFamilies } from '../api/schemas/reportTypes.ts';

/** Companies of a coverage matrix, one place in each list per company. */
export interface CoveredCompanies {
  readonly keys: readonly string[];
  readonly names: readonly (string | null)[];
  readonly countries: readonly (string | null)[];
}

/**
 * Companies by fiscal years by families of report types. What stands in row r, column c and family f is at
 * `(r * years.length + c) * typeFamilies.length + f` of both arrays. Year 0 is "undated" and comes first; years between
 * the first and the last are there though nobody has reports in them, so that gaps can be seen.
 */
export interface CoverageMatrix extends CoveredCompanies {
  readonly years: readonly number[];
  /** Listed reports; 255 stands for all higher counts. */
  readonly counts: Uint8Array<ArrayBuffer>;
  /** Bits of `coverageMarks`. */
  readonly marks: Uint8Array<ArrayBuffer>;
}

/** Wider spans than this are no calendar: stray years are shown without those between. */
const widestSpan = 80;

/** The columns of a matrix over reports of these years. */
export function yearColumns(found: Iterable<number>): number[] {
  const sorted = [...new Set(found)].sort((a, b) => a - b);
  const dated = sorted.filter((year) => year !== 0);
  const [first = 0, last = 0] = [dated[0], dated.at(-1)];
  const whole =
    dated.length > 0 && last - first <= widestSpan
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : dated;
  return sorted[0] === 0 ? [0, ...whole] : whole;
}

/** A row of a matrix. */
export interface CoverageRow {
  readonly from: CoverageBuilder;
  readonly at: number;
  readonly years: readonly number[];
}

/** A matrix while it is filled. */
export class CoverageBuilder {
  readonly years: readonly number[];
  readonly counts: Uint8Array<ArrayBuffer>;
  readonly marks: Uint8Array<ArrayBuffer>;
  readonly #columns: ReadonlyMap<number, number>;

  constructor(rows: number, years: readonly number[]) {
    this.years = years;
    this.#columns = new Map(years.map((year, index) => [year, index]));
    this.counts = new Uint8Array(rows * years.length * typeFamilies.length);
    this.marks = new Uint8Array(this.counts.length);
  }

  has(year: number): boolean {
    return this.#columns.has(year);
  }

  /** Where reports of a year and type of row 0 stand; undefined for a year without a column. */
  offset(year: number, type: string | null): number | undefined {
    const column = this.#columns.get(year);
    return column === undefined ? undefined : column * typeFamilies.length + familyIndex(type);
  }

  /** How far apart two rows are. */
  get stride(): number {
    return this.years.length * typeFamilies.length;
  }

  clear(row: number): void {
    this.counts.fill(0, row * this.stride, (row + 1) * this.stride);
    this.marks.fill(0, row * this.stride, (row + 1) * this.stride);
  }

  /** Adds one report at a place that {@link offset} gave, moved by its row. */
  add(at: number, listed: boolean, hasFile: boolean): void {
    this.marks[at] = (this.marks[at] ?? 0) | markOf(listed, hasFile);
    const count = this.counts[at] ?? 0;
    if (listed && count < 255) this.counts[at] = count + 1;
  }

  /** A row, and the years in which it has reports: each report leaves a mark. */
  row(row: number): CoverageRow {
    const marks = this.marks.subarray(row * this.stride, (row + 1) * this.stride);
    const years = this.years.filter((_, column) => {
      const from = column * typeFamilies.length;
      for (let at = from; at < from + typeFamilies.length; at++) if (marks[at] !== 0) return true;
      return false;
    });
    return { from: this, at: row * this.stride, years };
  }

  /** Takes the cells of a row of another matrix; all its years must have a column here. */
  copy(row: number, { from, at, years }: CoverageRow): void {
    const size = typeFamilies.length;
    for (const year of years) {
      const source = at + (from.#columns.get(year) ?? 0) * size;
      const target = row * this.stride + (this.#columns.get(year) ?? 0) * size;
      for (let family = 0; family < size; family++) {
        this.counts[target + family] = from.counts[source + family] ?? 0;
        this.marks[target + family] = from.marks[source + family] ?? 0;
      }
    }
  }

  /** Notes that a listed report there states two fiscal years. */
  split(at: number): void {
    this.marks[at] = (this.marks[at] ?? 0) | coverageMarks.split;
  }
}

function markOf(listed: boolean, hasFile: boolean): number {
  if (!listed) return coverageMarks.gone;
  return hasFile ? coverageMarks.file : coverageMarks.metadataOnly;
}
