import { languagesOf } from '../languages.ts';
import { readPosition, writePosition } from '../positions.ts';
import type { GroupBy, GroupCount, Listing, ReportPosition, ReportQuery, ReportSummary } from '../reportQuery.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection, Row } from './connection.ts';
import type { FilterIndex } from './filterIndex.ts';
import { type Conditions, conditionsOf, indexFor } from './querySql.ts';
import type { ReportTable } from './reportTable.ts';
import { documentOf, idOfDocument } from './searchText.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordTable } from './wordTable.ts';

const order = 'ORDER BY r.fy DESC, r.report_id DESC';

/** Where the columns of {@link ReportQueries.coverage} stand. */
export const coverageColumns = { fy: 0, type: 1, state: 2, members: 3 } as const;

interface Parts {
  readonly connection: Connection;
  readonly filters: FilterIndex;
  readonly reports: ReportTable;
  readonly companies: CompanyTable;
  readonly words: WordTable;
  readonly vocabulary: Vocabulary;
}

/** Questions about reports. Every list is newest first and goes on from a position, never from an offset. */
export class ReportQueries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list(query: ReportQuery, after: string | undefined, limit: number): Listing<ReportSummary> {
    const ids = this.#page(query, after, limit);
    const items = this.summaries(ids);
    const last = items.at(-1);
    const next =
      ids.length === limit && last ? writePosition({ fy: last.fiscal_year ?? 0, report_id: last.report_id }) : null;
    return { items, next };
  }

  ids(query: ReportQuery): number[] {
    return this.#page(query, undefined, Number.MAX_SAFE_INTEGER);
  }

  /** In the order given; ids that are not held are left out. */
  summaries(ids: readonly number[]): ReportSummary[] {
    return this.#parts.reports.summaries(ids);
  }

  count(query: ReportQuery): number {
    return Number(this.#aggregate(query, 'count(*)', '')[0]?.[0] ?? 0);
  }

  groups(query: ReportQuery, by: GroupBy): GroupCount[] {
    if (by === 'country' || by === 'sector' || by === 'industry' || by === 'company') {
      // Counted by company first, in the order of an index: there are forty reports to one.
      const counts = this.#aggregate(query, 'r.company, count(*)', 'GROUP BY r.company', 'company');
      return this.#named(this.#describedBy(counts, by === 'company' ? 'company_key' : by), by);
    }
    return this.#named(this.#aggregate(query, `${groupColumns[by]}, count(*)`, `GROUP BY ${groupOrders[by]}`), by);
  }

  /** Puts what companies say in the place of their ids. */
  #describedBy(counts: readonly Row[], column: 'company_key' | 'country' | 'sector' | 'industry'): Row[] {
    const rows = this.#parts.connection.all(
      `SELECT id, ${column} FROM companies WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(counts.map(([id]) => id)),
    );
    const said = new Map(rows.map(([id, value]) => [id, value]));
    return counts.map(([id, count]) => [said.get(id) ?? null, count]);
  }

  /**
   * What a coverage matrix is made of; see {@link coverageColumns}. The index of filters holds reports by fiscal year,
   * type and state, and gives one row for each; what comes in another order would have to be sorted for that. The index
   * of companies has all that is asked for as well.
   */
  coverage(query: ReportQuery): Row[] {
    const member = 'r.company * 4 + (r.flags & 3)';
    const isSorted =
      !query.company_key && !query.isin && !query.text && !query.downloaded && this.#parts.filters.isMade;
    return isSorted
      ? this.#aggregate(query, `r.fy, r.type, r.state, group_concat(${member})`, 'GROUP BY 1, 2, 3')
      : this.#aggregate(query, `r.fy, r.type, r.state, ${member}`, '');
  }

  /** `whole` is the index for a query that nothing narrows. */
  #aggregate(query: ReportQuery, columns: string, grouping: string, whole: 'filter' | 'company' = 'filter'): Row[] {
    const { connection, filters } = this.#parts;
    const where = this.#where(query);
    const match = this.#match(query);
    if (where.none || match === null) return [];
    if (match === undefined) {
      const lead = where.lead === 'none' ? whole : where.lead;
      // A column known to be one value drops out of the grouping, and with it the order of the index that grouping is in.
      const sql = where.lead === 'none' ? where.sql.replace('r.state', '+r.state') : where.sql;
      // Without the index of filters, that of companies has most of what is counted; a year is found in that of years.
      const index = indexFor(lead === 'filter' && !filters.isMade && !where.years ? 'company' : lead, filters);
      return connection.all(`SELECT ${columns} FROM reports r ${index} WHERE ${sql} ${grouping}`, ...where.values);
    }
    const text = textCondition(match, where, null);
    return connection.all(
      `SELECT ${columns} FROM ${textJoin} WHERE ${text.sql} AND ${where.sql} ${grouping}`,
      ...text.values,
      ...where.values,
    );
  }

  #page(query: ReportQuery, after: string | undefined, limit: number): number[] {
    const where = this.#where(query);
    const match = this.#match(query);
    if (where.none || match === null) return [];
    const from = after === undefined ? null : readPosition(after);
    const rows = match === undefined ? this.#byIndex(where, from, limit) : this.#byText(match, where, from, limit);
    return rows.map((row) => Number(row[0]));
  }

  #byIndex(where: Conditions, from: ReportPosition | null, limit: number): Row[] {
    const index = indexFor(where.lead, this.#parts.filters);
    const values: (string | number)[] = [...where.values];
    let sql = where.sql;
    if (from) {
      sql += ' AND (r.fy < ? OR (r.fy = ? AND r.report_id < ?))';
      values.push(from.fy, from.fy, from.report_id);
    }
    return this.#parts.connection.all(
      `SELECT r.report_id FROM reports r ${index} WHERE ${sql} ${order} LIMIT ?`,
      ...values,
      limit,
    );
  }

  #byText(match: string, where: Conditions, from: ReportPosition | null, limit: number): Row[] {
    const text = textCondition(match, where, from);
    return this.#parts.connection.all(
      `SELECT r.report_id FROM ${textJoin} WHERE ${text.sql} AND ${where.sql} ORDER BY t.rowid DESC LIMIT ?`,
      ...text.values,
      ...where.values,
      limit,
    );
  }

  /** Undefined when no text is asked for, null when the text holds no word and so finds nothing. */
  #match(query: ReportQuery): string | null | undefined {
    return query.text === undefined || query.text.trim() === ''
      ? undefined
      : this.#parts.vocabulary.matchReports(query.text);
  }

  #where(query: ReportQuery): Conditions {
    return conditionsOf(query, this.#parts.words, this.#parts.companies);
  }

  #named(rows: readonly Row[], by: GroupBy): GroupCount[] {
    const { words } = this.#parts;
    const counts = new Map<string | number | null, number>();
    const add = (value: string | number | null, count: number) => counts.set(value, (counts.get(value) ?? 0) + count);
    for (const [value, count] of rows) {
      const number = Number(count);
      if (by === 'country' || by === 'sector' || by === 'industry' || by === 'company') {
        add(value === null ? null : String(value), number);
      } else if (by === 'fcyear') add(Number(value) === 0 ? null : Number(value), number);
      else if (Number(value) === 0) add(null, number);
      else if (by === 'language') for (const code of languagesOf(words.text(Number(value)))) add(code, number);
      else add(words.text(Number(value)), number);
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
  }
}

/** The cross join keeps the index of words in the lead: it alone comes in the order that is asked for. */
const textJoin = `report_text t CROSS JOIN reports r ON r.report_id = (t.${idOfDocument})`;

function textCondition(
  match: string,
  where: Conditions,
  from: ReportPosition | null,
): { readonly sql: string; readonly values: (string | number)[] } {
  let sql = 'report_text MATCH ?';
  const values: (string | number)[] = [match];
  if (from) {
    sql += ` AND t.rowid < (${documentOf})`;
    values.push(from.fy, from.report_id);
  }
  if (where.years) {
    sql += ` AND t.rowid BETWEEN (${documentOf}) AND (${documentOf})`;
    values.push(where.years[0], 0, where.years[1], Number.MAX_SAFE_INTEGER);
  }
  return { sql, values };
}

const groupColumns = { type: 'r.type', class: 'r.class', fcyear: 'r.fy', language: 'r.lang' } as const;

/** The index of filters comes in this order, so that nothing need be sorted; parts of a group are added up afterwards. */
const groupOrders = {
  fcyear: 'r.fy',
  type: 'r.fy, r.type',
  language: 'r.fy, r.type, r.state, r.lang',
  class: 'r.fy, r.type, r.state, r.lang, r.class',
} as const;
