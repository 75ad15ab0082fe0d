import type { SqlRow } from '../../machine/sqliteFile.ts';
import {
  type GroupBy,
  type GroupCount,
  type Listing,
  languagesOf,
  type PageOptions,
  type ReportQuery,
  type ReportSummary,
} from '../reportQuery.ts';
import { findCompany } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { endsYearLaterSql, flagsMask, summaryOf } from './reportRow.ts';
import { documentSql, idOfDocumentSql, reportsFor, yearOfDocumentSql } from './searchText.ts';

/** The fiscal years there are. By these the types of a year are found in the filter index, which begins with years. */
const yearsSql = `WITH RECURSIVE years(fy) AS (
    SELECT min(fy) FROM reports UNION ALL
    SELECT (SELECT min(fy) FROM reports WHERE fy > years.fy) FROM years WHERE years.fy IS NOT NULL
  ) SELECT fy FROM years`;

/** Orders of lists, and what comes after a position: two values, what the list is sorted by and the id. */
const orders = {
  /** Latest fiscal year first, undated last; within a year, highest id first. */
  year: { sql: 'r.fy DESC, r.report_id DESC', after: '(r.fy, r.report_id) < (?, ?)' },
  /** The same, as the index of words has it. */
  document: { sql: 't.rowid DESC', after: `t.rowid < (${documentSql})` },
  published: { sql: 'r.published DESC, r.report_id DESC', after: '(r.published, r.report_id) < (?, ?)' },
};

/** The columns that the filter index begins with. */
const filterOrder = ['fy', 'type', 'state', 'lang', 'class', 'level'] as const;
/**
 * SQL to group by. Columns of the filter index are grouped with those before them, and the parts added up after: in the
 * order of the index nothing needs to be sorted, which is three times as fast.
 */
const groupColumns = {
  ...{ type: 'type', class: 'class', fcyear: 'fy', language: 'lang', assurance_level: 'level', published: 'published' },
  ...{ country: 'c.country', sector: 'c.sector', industry: 'c.industry', company: 'c.company_key' },
} as const;

/** Newest first, by fiscal year or by publication; goes on from a position, never from an offset. */
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

/** In the order given; ids that are not held are left out. */
export function summaries(db: Database, ids: readonly number[]): ReportSummary[] {
  return db
    .all(
      `SELECT r.report_id, r.fy, r.state, r.body FROM json_each(?) ids
       CROSS JOIN reports r ON r.report_id = ids.value`,
      JSON.stringify(ids),
    )
    .map(summaryOf);
}

export function countReports(db: Database, query: ReportQuery): number {
  return Number(selectReports(db, query, 'count(*)', '', countingWay(query))[0]?.[0] ?? 0);
}

/** The index that has the counted rows together: 10 to 30 ms at 1,000,000 reports, where reading all takes 100. */
function countingWay({ published, country, sector, industry }: ReportQuery): ReportWay {
  if (published) return { index: 'published', always: true };
  return country || sector || industry ? { index: 'company', always: true } : { index: 'filter' };
}

/** Largest first. */
export function groupReports(db: Database, query: ReportQuery, by: GroupBy): GroupCount[] {
  const counts = new Map<string | number | null, number>();
  for (const [found, count] of countsBy(db, query, groupColumns[by])) {
    for (const given of valuesIn(by, found)) {
      const value = given === '' || given === 0 ? null : (given as string | number | null);
      counts.set(value, (counts.get(value) ?? 0) + Number(count));
    }
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}

/** Counts by what a column holds, in parts. */
function countsBy(db: Database, query: ReportQuery, column: (typeof groupColumns)[GroupBy]): (readonly unknown[])[] {
  const isOfCompany = column.startsWith('c.');
  const sql = isOfCompany ? 'r.company' : `r.${column}`;
  if (query.text?.trim()) {
    // Reports with words come in no column's order: SQLite would sort them all to group them.
    const counts = new Map<string | number, number>();
    for (const value of reportValues(db, query, sql)) counts.set(value, (counts.get(value) ?? 0) + 1);
    return isOfCompany ? describedBy(db, [...counts], column) : [...counts];
  }
  if (isOfCompany) {
    const way = { index: 'company', always: true } as const;
    return describedBy(db, selectReports(db, query, `${sql}, count(*)`, 'GROUP BY 1', way), column);
  }
  if (column === 'published')
    return selectReports(db, query, `${sql}, count(*)`, 'GROUP BY 1', { index: 'published', always: true });
  const parts = filterOrder.slice(0, filterOrder.findIndex((name) => name === column) + 1);
  return selectReports(db, query, `${sql}, count(*)`, `GROUP BY ${parts.map((name) => `r.${name}`).join(', ')}`);
}

/** The groups of what stands in the column: each language, the year and the month. */
function valuesIn(by: GroupBy, found: unknown): readonly unknown[] {
  if (found !== '' && by === 'language') return languagesOf(String(found));
  return by === 'published' ? [...new Set([4, 7].map((length) => String(found).slice(0, length)))] : [found];
}

export interface ReportWay {
  /** The index to use where nothing narrows them. */
  readonly index: keyof typeof indexes;
  /** Also used where filters narrow the rows, but not for few: those of some companies or ids, or with rare words. */
  readonly always?: boolean;
  /** Their companies come along as `c`, in the order of this index of theirs, or in any. */
  readonly companies?: 'INDEXED BY companies_by_name' | '';
}

/** Rows about the reports `r` that a query finds. */
export function selectReports(
  db: Database,
  query: ReportQuery,
  columns: string,
  grouping: string,
  way: ReportWay = { index: 'filter' },
): SqlRow[] {
  const source = sourceOf(db, query, way);
  if (!source) return [];
  return db.all(`SELECT ${columns} FROM ${source.from} WHERE ${source.where} ${grouping}`, ...source.values);
}

/** A value of each of them, in one text: a row for each takes several times as long to hand over. */
export function reportValues(
  db: Database,
  query: ReportQuery,
  sql: string,
  sorted = '',
  way: ReportWay = { index: 'filter' },
): (string | number)[] {
  const source = sourceOf(db, query, way);
  if (!source) return [];
  const values = `SELECT ${sql} AS value FROM ${source.from} WHERE ${source.where} ${sorted}`;
  const row = db.get(`SELECT json_group_array(value) FROM (${values})`, ...source.values);
  return JSON.parse(String(row?.[0])) as (string | number)[];
}

/** Replaces the numbers of companies by what these say: there are forty reports to one. */
function describedBy(db: Database, counts: readonly SqlRow[], column: string): SqlRow[] {
  const sql = `SELECT c.id, ${column} FROM companies c WHERE c.id IN (SELECT value FROM json_each(?))`;
  const said = new Map(db.all(sql, JSON.stringify(counts.map(([id]) => id))) as [unknown, unknown][]);
  return counts.map(([id, count]) => [said.get(id) ?? null, count]);
}

function pageOf(db: Database, query: ReportQuery, after: string | undefined, limit: number): number[] {
  const isPublished = query.sort === 'published';
  const source = sourceOf(db, query, { index: isPublished ? 'published' : 'none' });
  if (!source) return [];
  const order = orders[isPublished ? 'published' : source.isText ? 'document' : 'year'];
  // A position that is none begins anew.
  const [, id, sorted] = /^(\d+)\.(.*)$/s.exec(after ?? '') ?? [];
  const position = sorted === undefined ? [] : [isPublished ? sorted : Number(sorted), Number(id)];
  const further = position.length > 0 ? ` AND ${order.after}` : '';
  return db
    .all(
      `SELECT r.report_id FROM ${source.from} WHERE ${source.where}${further} ORDER BY ${order.sql} LIMIT ?`,
      ...source.values,
      ...position,
      limit,
    )
    .map(([reportId]) => Number(reportId));
}

interface ReportSource {
  readonly from: string;
  readonly where: string;
  readonly values: readonly (string | number)[];
  readonly isText: boolean;
}

/** Null when the text that is asked for holds no word, and so finds nothing. */
function sourceOf(db: Database, query: ReportQuery, way: ReportWay): ReportSource | null {
  const { sql, values, lead, years } = conditionsOf(db, query);
  const { text = '' } = query;
  const isFew = lead === 'ids' || lead === 'company';
  if (text.trim() === '') {
    const isWay = lead === 'none' || (way.always && !isFew);
    const isByFilter = (isWay ? way.index : lead) === 'filter';
    const where = isByFilter && query.type && !query.fcyear ? `r.fy IN (${yearsSql}) AND ${sql}` : sql;
    return { from: fromOf(way, isWay ? null : lead), where, values, isText: false };
  }
  const match = reportsFor(db, text);
  if (match === null) return null;
  const span = years ? ` AND t.rowid BETWEEN (${documentSql}) AND (${documentSql})` : '';
  const ends = years ? [years[0], 0, years[1], Number.MAX_SAFE_INTEGER] : [];
  // The cross join keeps the index of words in the lead: it alone comes in the order that is asked for.
  const join = `${indexes.none} ON r.fy = ${yearOfDocumentSql} AND r.report_id = (t.${idOfDocumentSql})`;
  const from = withCompanies(way, `report_text t CROSS JOIN reports r ${join}`);
  const where = `report_text MATCH ?${span} AND ${sql}`;
  return { from, where, values: [match, ...ends, ...values], isText: true };
}

/** Where reports come from: the way's index, or another that narrows them more. */
function fromOf(way: ReportWay, lead: Lead | null): string {
  if (lead) return withCompanies(way, `reports r ${indexes[lead]}`);
  const reports = `reports r ${indexes[way.index]}`;
  return way.companies === undefined
    ? reports
    : `companies c ${way.companies} CROSS JOIN ${reports} ON r.company = c.id`;
}

function withCompanies({ companies }: ReportWay, from: string): string {
  return companies === undefined ? from : `${from} CROSS JOIN companies c ON c.id = r.company`;
}

interface Conditions {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** What narrows most decides where the search begins. */
  readonly lead: Lead;
  /** First and last fiscal year that can match, or null when any can. */
  readonly years: readonly [number, number] | null;
}

type Lead = 'ids' | 'company' | 'filter' | 'none';

/** The index to use; left alone, SQLite would guess, having no statistics. */
const indexes: Readonly<Record<Lead | 'published' | 'title', string>> = {
  ids: 'NOT INDEXED',
  company: 'INDEXED BY reports_by_company',
  filter: 'INDEXED BY reports_by_filter',
  none: 'INDEXED BY reports_by_newest',
  published: 'INDEXED BY reports_by_published',
  title: 'INDEXED BY reports_by_title',
};

/** Turns a query (all but its text) into conditions. The filter index answers all but those on single reports. */
function conditionsOf(db: Database, query: ReportQuery): Conditions {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  let lead: Lead = 'none';

  const years = query.fcyear?.map((year) => year ?? 0).filter(Number.isSafeInteger);
  const before = query.fcyear_split?.filter(Number.isSafeInteger).map((year) => year - 1) ?? [];
  if (years && before.length > 0) {
    add(`(r.fy IN (${years.join(',')}) OR (r.fy IN (${before.join(',')}) AND ${endsYearLaterSql}))`);
  } else if (years) add(`r.fy IN (${years.join(',')})`);
  const stated = { type: query.type, class: query.class, level: query.assurance_level };
  for (const [column, wanted] of Object.entries(stated)) {
    if (wanted) add(`r.${column} IN (${placeholders(wanted)})`, ...wanted.map((text) => text ?? ''));
  }
  if (query.language) {
    const isSpoken = query.language.map((code) => (code === null ? "r.lang = ''" : 'instr(r.lang, ?) > 0'));
    const spoken = query.language.flatMap((code) => (code === null ? [] : [`,${code.toLowerCase()},`]));
    add(`(${isSpoken.join(' OR ') || 'FALSE'})`, ...spoken);
  }
  if (query.facts) {
    const { mask, value } = flagsMask(query.facts);
    if (mask !== 0) add(`(r.flags & ${mask}) = ${value}`);
  }
  if (query.published) {
    // What begins with a year or month: a dot comes right behind the dash.
    const isWithin = query.published.map((date) =>
      date ? '(r.published >= ? AND r.published < ?)' : "r.published = ''",
    );
    add(
      `(${isWithin.join(' OR ') || 'FALSE'})`,
      ...query.published.flatMap((date) => (date ? [date, `${date}.`] : [])),
    );
    // All of them as one stretch of the index: of several SQLite would first gather all reports.
    const dates = query.published.filter((date) => date !== null);
    const [first] = dates.toSorted();
    const [last] = dates
      .map((date) => `${date}.`)
      .sort()
      .reverse();
    if (first !== undefined && last !== undefined && dates.length === query.published.length)
      add('r.published >= ? AND r.published < ?', first, last);
  }
  // Whole years stand together in the order of every list.
  const isOfYears = years && before.length === 0 && parts.length === 1;
  if ((parts.length > 0 && !isOfYears) || query.state === 'gone') lead = 'filter';
  const state = query.state ?? 'listed';
  if (state !== 'all') add(state === 'listed' ? 'NOT r.state' : 'r.state <> 0');
  for (const name of ['country', 'sector', 'industry', 'isin'] as const) {
    const wanted = query[name];
    if (!wanted) continue;
    const described = isOneOf(name, wanted);
    add(`r.company IN (SELECT id FROM companies WHERE ${described.sql})`, ...described.values);
    lead = name === 'isin' ? 'company' : 'filter';
  }
  const companies = (keys: readonly string[]) => JSON.stringify(keys.map((key) => findCompany(db, key) ?? -1));
  if (query.company_key) {
    add('r.company IN (SELECT value FROM json_each(?))', companies(query.company_key));
    lead = 'company';
  }
  for (const { ids, company_key = [], is } of query.among ?? []) {
    const ofCompanies = `SELECT report_id FROM reports ${indexes.company} WHERE company IN (SELECT value FROM json_each(?))`;
    const set = `SELECT value FROM json_each(?) UNION ALL ${ofCompanies}`;
    add(`r.report_id ${is ? 'IN' : 'NOT IN'} (${set})`, JSON.stringify(ids), companies(company_key));
    if (is) lead = 'ids';
  }
  return {
    sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '),
    values,
    lead,
    years: years && years.length > 0 && before.length === 0 ? [Math.min(...years), Math.max(...years)] : null,
  };
}

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}

/** In SQL, that a column holds one of these values; null asks for those that state none. */
function isOneOf(column: string, wanted: readonly (string | null)[]) {
  const values = wanted.filter((value) => value !== null);
  const orNone = wanted.includes(null) ? ` OR ${column} IS NULL` : '';
  return { sql: `(${column} IN (${values.map(() => '?').join(',')})${orNone})`, values };
}
