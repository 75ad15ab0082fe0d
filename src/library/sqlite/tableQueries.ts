import { isDeepStrictEqual } from 'node:util';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { LibraryChange } from '../libraryChange.ts';
import {
  type FactCount,
  maxRange,
  maxRows,
  type ReportOrder,
  type ReportQuery,
  type RowPlace,
  type RowRange,
  type SortColumn,
  type TableRow,
  triStateFields,
} from '../reportQuery.ts';
import type { Database } from './openDatabase.ts';
import { countReports, type ReportWay, reportValues, selectReports } from './reportQueries.ts';
import { factSql, tableRowOf } from './reportRow.ts';

/**
 * Up to this offset, rows are found by skipping those before. Of 1,000,000 reports that takes 1 to 15 ms by a column
 * with an index, 90 to 175 ms by any other: an index for each of these would cost more than it gives.
 */
const near = 1000;

/**
 * The table of all reports. Its first rows are asked for each time; further down, the ids of all are read in order and
 * kept until the library or the order changes: at 1,000,000 reports sorting them takes 0.4 to 1.4 s, which would
 * otherwise be the price of every page.
 */
export class ReportTable {
  readonly #db: Database;
  #kept: { readonly of: ReportQuery; readonly order: ReportOrder; readonly ids: Float64Array } | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** To be told of every write. */
  note({ reports, companies }: LibraryChange): void {
    if (reports.length + companies.length > 0) this.#kept = null;
  }

  /** The rows at a place of an order. */
  rowsAt(query: ReportQuery, order: ReportOrder, { offset, limit }: RowPlace): TableRow[] {
    const ids = this.#idsAt(query, order, Math.max(0, Math.trunc(offset)), Math.min(limit, maxRows));
    return this.#db
      .all(
        `SELECT r.report_id, r.fy, r.state, r.body, c.company_name, c.country, c.sector, c.industry FROM json_each(?) ids
         CROSS JOIN reports r ON r.report_id = ids.value CROSS JOIN companies c ON c.id = r.company`,
        JSON.stringify(ids),
      )
      .map(tableRowOf);
  }

  /** The ids of the rows from one place of an order up to, and without, another. */
  idsBetween(query: ReportQuery, order: ReportOrder, from: number, to: number): RowRange {
    const first = Math.max(0, Math.trunc(from));
    const length = Math.max(0, Math.trunc(to) - first);
    return { ids: this.#idsAt(query, order, first, Math.min(length, maxRange)), whole: length <= maxRange };
  }

  /** How many there are; known of those that were put in order just before. */
  count(query: ReportQuery): number {
    return isDeepStrictEqual(this.#kept?.of, query) ? (this.#kept?.ids.length ?? 0) : countReports(this.#db, query);
  }

  #idsAt(query: ReportQuery, order: ReportOrder, offset: number, limit: number): number[] {
    if (!this.#kept || !isDeepStrictEqual([this.#kept.of, this.#kept.order], [query, order])) {
      const sorted = `ORDER BY ${orderSql(order)}`;
      const way = wayOf(order);
      // Reports with words have to be gathered anyhow: then they are counted and scrolled for nothing.
      if (offset + limit <= near && !query.text?.trim()) {
        const place = `${sorted} LIMIT ${limit} OFFSET ${offset}`;
        return selectReports(this.#db, query, 'r.report_id', place, way).map(([id]) => Number(id));
      }
      const ids = Float64Array.from(reportValues(this.#db, query, 'r.report_id', sorted, way) as number[]);
      this.#kept = { of: query, order, ids };
    }
    return [...this.#kept.ids.subarray(offset, offset + limit)];
  }
}

/** How often each three-valued fact is true, false and undetermined among the reports that a query finds. */
export function factCounts(db: Database, query: ReportQuery): FactCount[] {
  const flags = reportValues(db, query, 'r.flags') as number[];
  const counts = triStateFields.map(() => [0, 0, 0, 0] as [number, number, number, number]);
  // Counted here: sums in SQL, one for each fact and answer, take four times as long.
  for (const all of flags) {
    const halves = [all % half, Math.floor(all / half)] as const;
    for (const [index, said] of counts.entries()) {
      const bits = index < factsInHalf ? halves[0] >> (2 * index) : halves[1] >> (2 * (index - factsInHalf));
      said[(bits & 3) as 0 | 1 | 2 | 3]++;
    }
  }
  return triStateFields.map((field, index) => {
    const [undetermined = 0, yes = 0, no = 0] = counts[index] ?? [];
    return { field, yes, no, undetermined };
  });
}

/** Bit operations take 32 bits, so that flags are counted in two halves. */
const factsInHalf = 13;
const half = 4 ** factsInHalf;

/** What each column is sorted by, null when unknown. Facts have yes behind no. */
const sortSql: Readonly<Record<Exclude<SortColumn, TriStateField>, string>> = {
  company: 'c.sort_name',
  ...{ country: 'c.country COLLATE NOCASE', sector: 'c.sector COLLATE NOCASE', industry: 'c.industry COLLATE NOCASE' },
  ...{ title: 'r.title COLLATE NOCASE', pages: 'r.pages', filesize: 'r.filesize' },
  ...{ type: "nullif(r.type, '')", class: "nullif(r.class, '')", language: "nullif(r.lang, '')" },
  ...{ assurance_level: "nullif(r.level, '')", fiscal_year: 'nullif(r.fy, 0)', published: "nullif(r.published, '')" },
};

function orderSql({ column, descending }: ReportOrder): string {
  // What stands for unknown comes last downwards anyhow, and as it is the index has the order.
  if (descending && column === 'fiscal_year') return 'r.fy DESC, r.report_id';
  if (descending && column === 'published') return 'r.published DESC, r.report_id';
  const sql =
    column in sortSql ? sortSql[column as keyof typeof sortSql] : `nullif(3 - ${factSql(column as TriStateField)}, 3)`;
  return `${sql} ${descending ? 'DESC' : 'ASC'} NULLS LAST, r.report_id`;
}

/** The index that has an order, or all it takes to sort. */
function wayOf({ column }: ReportOrder): ReportWay {
  switch (column) {
    case 'company':
      return { index: 'company', always: true, companies: 'INDEXED BY companies_by_name' };
    case 'country':
    case 'sector':
    case 'industry':
      return { index: 'company', always: true, companies: '' };
    case 'title':
    case 'published':
      return { index: column, always: true };
    default:
      return { index: 'filter' };
  }
}
