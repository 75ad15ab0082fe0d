import type { ReportQuery } from '../reportQuery.ts';
import type { CompanyTable } from './companyTable.ts';
import { flagsMask } from './reportRow.ts';

/** Conditions on `reports r` and their values. */
export interface Conditions {
  readonly sql: string;
  readonly values: readonly (string | number)[];
  /** True when nothing can match, so that nothing need be asked. */
  readonly none: boolean;
  /** What narrows most decides where the search begins. */
  readonly lead: Lead;
  /** First and last fiscal year that can match, or null when any can. */
  readonly years: readonly [number, number] | null;
}

type Lead = 'ids' | 'company' | 'filter' | 'none';

const indexes: Readonly<Record<Lead, string>> = {
  ids: 'NOT INDEXED',
  company: 'INDEXED BY reports_by_company',
  filter: 'INDEXED BY reports_by_filter',
  none: 'INDEXED BY reports_by_newest',
};

/** The index to use; left alone, SQLite would guess, having no statistics. */
export function indexFor(lead: Lead): string {
  return indexes[lead];
}

/** Turns a query (all but its text) into conditions. All but those on single reports are answered by the filter index. */
export function conditionsOf(query: ReportQuery, companies: CompanyTable): Conditions {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };
  let none = false;
  let lead: Lead = 'none';

  const years = query.fcyear?.map((year) => year ?? 0).filter(Number.isSafeInteger);
  const also = years ? (query.fcyear_also ?? []) : [];
  if (years && also.length > 0) {
    add(`(r.fy IN (${years.join(',')}) OR r.report_id IN (SELECT value FROM json_each(?)))`, JSON.stringify(also));
  } else if (years?.length === 0) none = true;
  else if (years) add(`r.fy IN (${years.join(',')})`);
  for (const [column, wanted] of Object.entries({
    type: query.type,
    class: query.class,
    level: query.assurance_level,
  })) {
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
  if (parts.length > 0 || query.state === 'gone') lead = 'filter';
  const state = query.state ?? 'listed';
  if (state !== 'all') add(state === 'listed' ? 'r.state = 0' : 'r.state <> 0');
  for (const name of ['country', 'sector', 'industry', 'isin'] as const) {
    const wanted: readonly (string | null)[] | undefined = query[name];
    if (!wanted) continue;
    const given = wanted.filter((value) => value !== null);
    const orNone = wanted.includes(null) ? ` OR ${name} IS NULL` : '';
    add(`r.company IN (SELECT id FROM companies WHERE ${name} IN (${placeholders(given)})${orNone})`, ...given);
    lead = name === 'isin' ? 'company' : 'filter';
  }
  if (query.company_key) {
    const ids = query.company_key.map((key) => companies.find(key) ?? -1);
    add('r.company IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
    lead = 'company';
  }
  if (query.downloaded) {
    const { ids, is } = query.downloaded;
    add(`r.report_id ${is ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`, JSON.stringify(ids));
    if (is) lead = 'ids';
  }
  return {
    sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '),
    values,
    none,
    lead,
    years: years && years.length > 0 && also.length === 0 ? [Math.min(...years), Math.max(...years)] : null,
  };
}

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(',');
}
