import { type ColumnName, columns } from '../../api/schemas/fields.ts';
import type { LibraryChange } from '../libraryChange.ts';
import type { FieldUse, FieldUseReading } from '../store.ts';
import { companyTotals } from './companyQueries.ts';
import type { Database } from './openDatabase.ts';
import { decodeMetadata } from './reportRow.ts';

/** A column with more values than this has about one for each report: which are frequent says little. */
const maxDistinct = 5_000;
/** Most values shown of a column; more than there are report types. */
const maxValues = 40;
/** Longer values are prose, of which only the beginnings are compared. */
const maxLength = 120;

/** What is counted of one column; values are null once they are too many. */
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
  const sorted = [...(values ?? [])].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, maxValues);
  const frequent = sorted.map(([value, count]) => ({ value, count }));
  return { column, filled, distinct: values?.size ?? null, values: frequent };
}

/** Reports that are counted in one go: other callers wait for no more than these. */
const slice = 250;
const sliceSql = `SELECT b.report_id, b.body FROM bodies b CROSS JOIN reports r ON r.report_id = b.report_id
  WHERE b.report_id > ? AND r.state = 0 ORDER BY b.report_id LIMIT ?`;

/** A count of the first `max` reports, by their ids. */
interface Count {
  readonly max: number;
  readonly tallies: readonly Tally[];
  after: number;
  counted: number;
  result: readonly FieldUse[] | null;
}

/** Counts in slices, so that other callers wait only briefly. The result is kept until the library changes. */
export class FieldUseCount {
  readonly #db: Database;
  #count: Count | null = null;
  #isStale = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call it after every write. A running count continues; the next one starts again. */
  note({ reports }: LibraryChange): void {
    if (reports.length > 0) this.#isStale = true;
  }

  /** @param max how many reports to count, in the order of their ids */
  advance(max: number): FieldUseReading {
    if (!this.#count || (this.#count.result && this.#isStale) || max !== this.#count.max) {
      const tallies = columns.map(({ name }): Tally => ({ column: name, filled: 0, values: new Map() }));
      this.#count = { max, tallies, after: 0, counted: 0, result: null };
      this.#isStale = false;
    }
    const count = this.#count;
    if (!count.result) this.#countSlice(count);
    const isWhole = count.result !== null && count.counted < max;
    const total = isWhole ? count.counted : companyTotals(this.#db).listed;
    return { counted: count.counted, total, fields: count.result };
  }

  #countSlice(count: Count): void {
    const rows = this.#db.all(sliceSql, count.after, Math.min(slice, count.max - count.counted));
    for (const [id, body] of rows) {
      count.after = Number(id);
      const metadata = decodeMetadata(String(body));
      for (const tally of count.tallies) countIn(tally, metadata[tally.column]);
    }
    count.counted += rows.length;
    if (rows.length === 0 || count.counted === count.max) count.result = count.tallies.map(useOf);
  }
}
