/**
 * Companies by fiscal years by families of report types. What stands in row r, column c and family f is at
 * `(r * years.length + c) * typeFamilies.length + f` of each array. Year 0 is "undated" and comes first; years between
 * the first and the last are there though nobody has reports in them, so that gaps can be seen.
 */
export interface CoverageMatrix {
  /** One place for each company, as in names and countries. */
  readonly keys: readonly string[];
  readonly names: readonly (string | null)[];
  readonly countries: readonly (string | null)[];
  readonly years: readonly number[];
  /** Listed reports; 255 stands for all higher counts. */
  readonly counts: Uint8Array<ArrayBuffer>;
  /** Those of them with a PDF, or without word that there is none; 255 stands for all higher counts. */
  readonly pdfs: Uint8Array<ArrayBuffer>;
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
