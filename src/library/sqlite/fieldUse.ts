import { type ColumnName, columns } from '../../api/schemas/fields.ts';
import type { LibraryChange } from '../libraryChange.ts';
import type { FieldUse, FieldUseReading } from '../store.ts';
import { companyTotals } from './companyQueries.ts';
import type { Database } from './openDatabase.ts';
import { decodeMetadata } from './reportRow.ts';

/** A column with more values than this has about one for each report: which are frequent says little. */
const maxDistinct = 5_000;
/** Values that are told of a column. */
const maxTold = 12;
/** Longer values are prose, and told apart by their beginnings alone. */
const maxLength = 120;

/** What is counted of one column; values are null once they are too many to be kept apart. */
interface Tally {
  readonly column: ColumnName;
  filled: number;
  values: Map<string, number> | null;
}

function countIn(tally: Tally, whole: string): void {
  if (whole === '') return;
  tally.filled++;
  if (!tally.values) return;
  const value = whole.length > maxLength ? `${whole.slice(0, maxLength)}…` : whole;
  const known = tally.values.get(value) ?? 0;
  if (known === 0 && tally.values.size >= maxDistinct) tally.values = null;
  else tally.values.set(value, known + 1);
}

function useOf({ column, filled, values }: Tally): FieldUse {
  if (!values) return { column, filled, distinct: null, values: [] };
  const sorted = [...values].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    column,
    filled,
    distinct: values.size,
    values: sorted.slice(0, maxTold).map(([value, count]) => ({ value, count })),
  };
}

/** Reports that are counted in one go: others that wait for the library wait for no more than these. */
const slice = 250;
const sliceSql = 'SELECT report_id, body FROM reports WHERE report_id > ? AND state = 0 ORDER BY report_id LIMIT ?';

/**
 * Counts in slices, so that it never keeps the library from anybody for long: every call goes on a little, the last one
 * has the result. It is kept until the library changes: counting 1,000,000 reports takes a minute.
 */
export class FieldUseCount {
  readonly #db: Database;
  #tallies: readonly Tally[] = [];
  #after = 0;
  #counted = 0;
  /** Null while it is counted. */
  #result: readonly FieldUse[] | null = [];
  #isStale = true;
  /** Most reports to count. */
  #max = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** To be told of every write. A count under way goes on; once it is through, the next one begins anew. */
  note({ reports }: LibraryChange): void {
    if (reports.length > 0) this.#isStale = true;
  }

  /** @param max after so many reports, in the order of their ids, it is through */
  advance(max: number): FieldUseReading {
    if ((this.#result && this.#isStale) || max !== this.#max) this.#begin(max);
    if (!this.#result) this.#countSlice();
    const isWhole = this.#result !== null && this.#counted < max;
    const total = isWhole ? this.#counted : companyTotals(this.#db).listed;
    return { counted: this.#counted, total, fields: this.#result };
  }

  #begin(max: number): void {
    this.#max = max;
    this.#tallies = columns.map(({ name }) => ({ column: name, filled: 0, values: new Map() }));
    this.#after = 0;
    this.#counted = 0;
    this.#result = null;
    this.#isStale = false;
  }

  #countSlice(): void {
    const rows = this.#db.all(sliceSql, this.#after, Math.min(slice, this.#max - this.#counted));
    for (const [id, body] of rows) {
      this.#after = Number(id);
      const metadata = decodeMetadata(String(body));
      for (const tally of this.#tallies) countIn(tally, metadata[tally.column]);
    }
    this.#counted += rows.length;
    if (rows.length === 0 || this.#counted === this.#max) this.#result = this.#tallies.map(useOf);
  }
}
