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
import type { Database } from './database.ts';
import { selectReports } from './reportQueries.ts';
import { layoutOf, type ReportLayout } from './reportRow.ts';

/** Rows of the table of all reports in an order, those at a place of it. */
export function reportsAt(
  db: Database,
  query: ReportQuery,
  order: ReportOrder,
  { offset, limit }: RowPlace,
): TableRow[] {
  const layout = layoutOf(db);
  return db
    .all(
      `SELECT r.report_id, r.fy, r.state, r.body, c.company_name, c.country, c.sector, c.industry FROM json_each(?) ids
       CROSS JOIN reports r ON r.report_id = ids.value CROSS JOIN companies c ON c.id = r.company`,
      JSON.stringify(idsAt(db, query, order, offset, Math.min(limit, maxRows))),
    )
    .map((row) => layout.tableRow(row));
}

/** Ids of the rows from one place of an order up to, and without, another. */
export function idsBetween(db: Database, query: ReportQuery, order: ReportOrder, from: number, to: number): RowRange {
  const [first, end] = [Math.max(0, Math.trunc(from)), Math.trunc(to)];
  const ids = idsAt(db, query, order, first, Math.max(0, Math.min(end - first, maxRange)));
  return { ids, whole: end - first <= maxRange };
}

/** How often each three-valued fact is true, false and undetermined among the reports that a query finds. */
export function factCounts(db: Database, query: ReportQuery): FactCount[] {
  const layout = layoutOf(db);
  const sums = triStateFields.flatMap((field) => [1, 2].map((bits) => `sum(${layout.factSql(field)} = ${bits})`));
  const [total = 0, ...found] = (selectReports(db, query, `count(*), ${sums.join(', ')}`, '')[0] ?? []).map(Number);
  return triStateFields.map((field, index) => {
    const [yes = 0, no = 0] = found.slice(2 * index);
    return { field, yes, no, undetermined: total - yes - no };
  });
}

function idsAt(db: Database, query: ReportQuery, order: ReportOrder, offset: number, limit: number): number[] {
  const sorted = `${sortSql(layoutOf(db), order.column)} ${order.descending ? 'DESC' : 'ASC'}`;
  const grouping = `ORDER BY ${sorted} NULLS LAST, r.report_id LIMIT ${limit} OFFSET ${offset}`;
  return selectReports(db, query, 'r.report_id', grouping).map(([id]) => Number(id));
}

const companySql = (column: string) => `(SELECT c.${column} FROM companies c WHERE c.id = r.company)`;
const filled = (column: string) => `nullif(r.${column}, '')`;

/** What a column is sorted by, null when unknown. */
function sortSql(layout: ReportLayout, column: SortColumn): string {
  switch (column) {
    case 'company':
      return companySql('sort_name');
    case 'country':
    case 'sector':
    case 'industry':
      return `${companySql(column)} COLLATE NOCASE`;
    case 'title':
      return `${layout.titleSql} COLLATE NOCASE`;
    case 'pages':
      return layout.valueSql('report_pages');
    case 'filesize':
      return layout.valueSql('report_filesize');
    case 'published':
      return `nullif(${layout.publishedSql}, '')`;
    case 'fiscal_year':
      return 'nullif(r.fy, 0)';
    case 'type':
    case 'class':
      return filled(column);
    case 'language':
      return filled('lang');
    case 'assurance_level':
      return filled('level');
    default:
      // Yes comes behind no.
      return `nullif(3 - ${layout.factSql(column)}, 3)`;
  }
}
