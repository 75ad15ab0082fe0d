import { isDeepStrictEqual } from 'node:util';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { LibraryChange } from '../libraryChange.ts';
import {
  type FactCount,
  type GroupBy,
  type GroupCount,
  type Listing,
  languagesOf,
  maxRange,
  maxRows,
  type PageOptions,
  type ReportOrder,
  type ReportQuery,
  type ReportSummary,
  type RowPlace,
  type RowRange,
  type SortColumn,
  type TableRow,
  triStateFields,
} from '../reportQuery.ts';
import { findCompany } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { factSql, flagsMask, isFiscalYear, summaryOf, summarySql, tableRowOf } from './reportRow.ts';
import { documentSql, reportsFor } from './searchText.ts';

/** Newest first, by fiscal year or by publication; continues after a position, never at an offset. */
export function listReports(db: Database, query: ReportQuery, { after, limit }: PageOptions): Listing<ReportSummary> {
  const ids = pageOf(db, query, after, limit);
  const items = summaries(db, ids);
  const last = items.at(-1);
  if (!last || ids.length < limit) return { items, next: null };
  const sorted = query.sort === 'published' ? (last.published ?? '') : (last.fiscal_year ?? 0);
  return { items, next: `${last.report_id}.${sorted}` };
}

export function listReportIds(db: Database, query: ReportQuery): number[] {
  return pageOf(db, query, undefined, Number.MAX_SAFE_INTEGER);
}

function pageOf(db: Database, query: ReportQuery, after: string | undefined, limit: number): number[] {
  const source = sourceOf(db, query);
  if (!source) return [];
  const isPublished = query.sort === 'published';
  // Latest fiscal year first, undated last; within a year, highest id first.
  const order = isPublished ? 'r.published DESC, r.report_id DESC' : `${source.doc} DESC`;
  // An invalid position restarts from the first page.
  const [, id, sorted] = /^(\d+)\.(.*)$/s.exec(after ?? '') ?? [];
  const position = sorted === undefined ? [] : [isPublished ? sorted : Number(sorted), Number(id)];
  const further = isPublished ? '(r.published, r.report_id) < (?, ?)' : `${source.doc} < (${documentSql})`;
  return db
    .all(
      `SELECT r.report_id FROM ${source.from} WHERE ${source.where}
       ${sorted === undefined ? '' : `AND ${further}`} ORDER BY ${order} LIMIT ?`,
      ...[...source.values, ...position, limit],
    )
    .map(([reportId]) => Number(reportId));
}

/** In the order given; ids that are not held are left out. */
export function summaries(db: Database, ids: readonly number[]): ReportSummary[] {
  const sql = `SELECT ${summarySql} FROM json_each(?) ids
    CROSS JOIN reports r ON r.report_id = ids.value CROSS JOIN bodies b ON b.report_id = r.report_id`;
  return db.all(sql, JSON.stringify(ids)).map(summaryOf);
}

export function countReports(db: Database, query: ReportQuery): number {
  const source = sourceOf(db, query);
  return source ? db.number(`SELECT count(*) FROM ${source.from} WHERE ${source.where}`, ...source.values) : 0;
}

/** What each group is counted by; `c` is the report's company. */
const groupColumns: Readonly<Record<GroupBy, string>> = {
  ...{ type: 'r.type', class: 'r.class', fcyear: 'r.fy', language: 'r.lang', assurance_level: 'r.level' },
  ...{ published: 'r.published', country: 'c.country', sector: 'c.sector', industry: 'c.industry' },
  company: 'c.company_key',
};

/** Largest first. */
export function groupReports(db: Database, query: ReportQuery, by: GroupBy): GroupCount[] {
  const column = groupColumns[by];
  const isOfCompany = column.startsWith('c.');
  const found = new Map<unknown, number>();
  // Counted here: to group them, SQLite would sort all of them.
  for (const value of reportValues(db, query, isOfCompany ? 'r.company' : column))
    found.set(value, (found.get(value) ?? 0) + 1);
  const sql = `SELECT c.id, ${column} FROM companies c WHERE c.id IN (SELECT value FROM json_each(?))`;
  const described = new Map(
    isOfCompany ? db.all(sql, JSON.stringify([...found.keys()])).map(([id, text]) => [id, text]) : [],
  );
  const counts = new Map<string | number | null, number>();
  for (const [key, count] of found) {
    for (const given of valuesIn(by, isOfCompany ? described.get(key) : key)) {
      const value = (given || null) as string | number | null;
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** The groups of a column's value: each language; the year and the month. */
function valuesIn(by: GroupBy, found: unknown): readonly unknown[] {
  if (found !== '' && by === 'language') return languagesOf(String(found));
  return by === 'published' ? [...new Set([4, 7].map((length) => String(found).slice(0, length)))] : [found];
}

/** How often each three-valued fact is true, false and undetermined among the reports that a query finds. */
export function factCounts(db: Database, query: ReportQuery): FactCount[] {
  const counts = triStateFields.map((): [number, number, number, number] => [0, 0, 0, 0]);
  // Counted here: sums in SQL, one for each fact and answer, take four times as long.
  for (const flags of reportValues(db, query, 'r.flags') as number[]) {
    const halves = [flags % half, Math.floor(flags / half)] as const;
    for (const [index, answers] of counts.entries()) {
      const bits = index < factsInHalf ? halves[0] >> (2 * index) : halves[1] >> (2 * (index - factsInHalf));
      answers[(bits & 3) as 0 | 1 | 2 | 3]++;
    }
  }
  return triStateFields.map((field, index) => {
    const [undetermined = 0, yes = 0, no = 0] = counts[index] ?? [];
    return { field, yes, no, undetermined };
  });
}

/** Bit operations use 32 bits, so flags are counted in two halves. */
const factsInHalf = 13;
const half = 4 ** factsInHalf;

/** A value of each report that a query finds, in one text: a row for each takes several times as long to fetch. */
export function reportValues(db: Database, query: ReportQuery, sql: string, join = '', sorted = ''): unknown[] {
  const source = sourceOf(db, query);
  if (!source) return [];
  const values = `SELECT ${sql} AS value FROM ${source.from} ${join} WHERE ${source.where} ${sorted}`;
  return JSON.parse(String(db.get(`SELECT json_group_array(value) FROM (${values})`, ...source.values)?.[0]));
}

interface ReportSource {
  readonly from: string;
  readonly where: string;
  readonly values: readonly (string | number)[];
  /** The key of the list order, of the table that comes first. */
  readonly doc: string;
}

/** The reports `r` that a query finds; null when its text holds no word, and so finds nothing. */
function sourceOf(db: Database, query: ReportQuery): ReportSource | null {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  const addList = (sql: string, list: readonly unknown[]) =>
    add(`${sql} IN (SELECT value FROM json_each(?))`, JSON.stringify(list));
  const addAny = (options: readonly (readonly [string, ...string[]])[]) =>
    add(`(${options.map(([sql]) => sql).join(' OR ') || 'FALSE'})`, ...options.flatMap(([, ...given]) => given));

  const isText = Boolean(query.text?.trim());
  const doc = isText ? 't.rowid' : 'r.doc';
  if (isText) {
    const match = reportsFor(db, query.text ?? '');
    if (match === null) return null;
    add('report_text MATCH ?', match);
  }
  if (query.fcyear) {
    const years = query.fcyear.map((year) => year ?? 0).filter(isFiscalYear);
    const before = query.fcyear_split?.map((year) => year - 1).filter(isFiscalYear) ?? [];
    add(`(r.fy IN (${years}) OR r.fy IN (${before}) AND r.ends = r.fy + 1)`);
    // The reports of a year are together in the order of lists.
    const all = [...years, ...before];
    if (all.length > 0)
      add(
        `${doc} BETWEEN (${documentSql}) AND (${documentSql})`,
        ...[Math.min(...all), 0, Math.max(...all), Number.MAX_SAFE_INTEGER],
      );
  }
  const state = query.state ?? 'listed';
  if (state !== 'all') add(state === 'listed' ? 'NOT r.state' : 'r.state <> 0');
  for (const [column, wanted] of Object.entries({ type: query.type, class: query.class, level: query.assurance_level }))
    if (wanted)
      addList(
        `r.${column}`,
        wanted.map((text) => text ?? ''),
      );
  if (query.language)
    addAny(
      query.language.map((code) => (code === null ? ["r.lang = ''"] : ['instr(r.lang, ?)', `,${code.toLowerCase()},`])),
    );
  if (query.facts) {
    const { mask, value } = flagsMask(query.facts);
    add(`(r.flags & ${mask}) = ${value}`);
  }
  // What begins with a year or month: a dot comes right after the dash.
  if (query.published)
    addAny(
      query.published.map((date) =>
        date ? ['r.published >= ? AND r.published < ?', date, `${date}.`] : ["r.published = ''"],
      ),
    );
  for (const name of ['country', 'sector', 'industry', 'isin'] as const) {
    const wanted = query[name]?.map((text) => text ?? '');
    if (wanted)
      add(
        `r.company IN (SELECT id FROM companies WHERE ifnull(${name}, '') IN (SELECT value FROM json_each(?)))`,
        JSON.stringify(wanted),
      );
  }
  const companies = (keys: readonly string[]) => keys.map((key) => findCompany(db, key) ?? -1);
  if (query.company_key) addList('r.company', companies(query.company_key));
  for (const { ids, company_key = [], is } of query.among ?? []) {
    const ofCompanies = 'SELECT report_id FROM reports WHERE company IN (SELECT value FROM json_each(?))';
    add(
      `r.report_id ${is ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?) UNION ALL ${ofCompanies})`,
      ...[JSON.stringify(ids), JSON.stringify(companies(company_key))],
    );
  }
  // The cross join keeps the index of words first: it comes in the order of lists.
  const from = isText ? 'report_text t CROSS JOIN reports r ON r.doc = t.rowid' : 'reports r';
  return { from, where: parts.join(' AND ') || 'TRUE', values, doc };
}

/** Up to this offset, rows are found by skipping those before: half the time of sorting all. */
const near = 1000;

/** The table of all reports. Ids far down an order are kept until the library or the order changes. */
export class ReportTable {
  readonly #db: Database;
  #kept: { readonly of: readonly [ReportQuery, ReportOrder]; readonly ids: Float64Array } | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Call it after every write. */
  note({ reports, companies }: LibraryChange): void {
    if (reports.length + companies.length > 0) this.#kept = null;
  }

  /** The rows at a position of an order. */
  rowsAt(query: ReportQuery, order: ReportOrder, { offset, limit }: RowPlace): TableRow[] {
    const ids = this.#idsAt(query, order, Math.max(0, Math.trunc(offset)), Math.min(limit, maxRows));
    const sql = `SELECT ${summarySql}, c.company_name, c.country, c.sector, c.industry FROM json_each(?) ids
      CROSS JOIN reports r ON r.report_id = ids.value CROSS JOIN bodies b ON b.report_id = r.report_id
      CROSS JOIN companies c ON c.id = r.company`;
    return this.#db.all(sql, JSON.stringify(ids)).map(tableRowOf);
  }

  /** The ids of the rows from one position of an order up to, and without, another. */
  idsBetween(query: ReportQuery, order: ReportOrder, from: number, to: number): RowRange {
    const first = Math.max(0, Math.trunc(from));
    const length = Math.max(0, Math.trunc(to) - first);
    return { ids: this.#idsAt(query, order, first, Math.min(length, maxRange)), whole: length <= maxRange };
  }

  #idsAt(query: ReportQuery, order: ReportOrder, offset: number, limit: number): number[] {
    const sql = sortSql[order.column] ?? `nullif(3 - ${factSql(order.column as TriStateField)}, 3)`;
    const join = sql.startsWith('c.') ? 'CROSS JOIN companies c ON c.id = r.company' : '';
    const sorted = `ORDER BY ${sql} ${order.descending ? 'DESC' : 'ASC'} NULLS LAST, r.report_id`;
    if (!isDeepStrictEqual(this.#kept?.of, [query, order])) {
      if (offset + limit <= near) {
        const rows = `${sorted} LIMIT ${limit} OFFSET ${offset}`;
        return reportValues(this.#db, query, 'r.report_id', join, rows) as number[];
      }
      const ids = reportValues(this.#db, query, 'r.report_id', join, sorted) as number[];
      this.#kept = { of: [query, order], ids: Float64Array.from(ids) };
    }
    return [...(this.#kept?.ids.subarray(offset, offset + limit) ?? [])];
  }
}

/** What each column but the facts is sorted by, null when unknown. Of facts, no comes before yes. */
const sortSql: Readonly<Partial<Record<SortColumn, string>>> = {
  company: 'c.sort_name',
  ...{ country: 'c.country COLLATE NOCASE', sector: 'c.sector COLLATE NOCASE', industry: 'c.industry COLLATE NOCASE' },
  ...{ title: 'r.title COLLATE NOCASE', pages: 'r.pages', filesize: 'r.filesize' },
  ...{ type: "nullif(r.type, '')", class: "nullif(r.class, '')", language: "nullif(r.lang, '')" },
  ...{ assurance_level: "nullif(r.level, '')", fiscal_year: 'nullif(r.fy, 0)', published: "nullif(r.published, '')" },
};
