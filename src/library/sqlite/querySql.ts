import { languagesOf } from '../languages.ts';
import { flagsMask } from '../packing/triStates.ts';
import type { ReportQuery } from '../reportQuery.ts';
import type { CompanyTable } from './companyTable.ts';
import type { FilterIndex } from './filterIndex.ts';
import type { WordTable } from './wordTable.ts';

/** Conditions on `reports r` and their values. */
export interface Conditions {
  readonly sql: string;
  readonly values: (string | number)[];
  /** True when nothing can match, so that nothing need be asked. */
  readonly none: boolean;
  /** What narrows most decides where the search begins. */
  readonly lead: 'ids' | 'company' | 'filter' | 'none';
  /** First and last fiscal year that can match, or null when any can. */
  readonly years: readonly [number, number] | null;
}

const indexes: Readonly<Record<Conditions['lead'], string>> = {
  ids: 'NOT INDEXED',
  company: 'INDEXED BY reports_by_company',
  filter: 'INDEXED BY reports_by_filter',
  none: 'INDEXED BY reports_by_newest',
};

/** The index to use; left alone, SQLite would guess, having no statistics. */
export function indexFor(lead: Conditions['lead'], filters: Pick<FilterIndex, 'isMade'>): string {
  return indexes[lead === 'filter' && !filters.isMade ? 'none' : lead];
}

/** Turns a query (all but its text) into conditions on the hot columns, all of which the filter index holds. */
export function conditionsOf(query: ReportQuery, words: WordTable, companies: CompanyTable): Conditions {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  let none = false;
  let lead: Conditions['lead'] = 'none';

  const among = (column: string, numbers: readonly number[]) => {
    if (numbers.length === 0) none = true;
    else parts.push(`${column} IN (${numbers.join(',')})`);
  };
  const word = (text: string | null) => (text === null ? 0 : (words.find(text) ?? -1));

  const years = query.fcyear?.map((year) => year ?? 0).filter(Number.isSafeInteger);
  const also = years ? (query.fcyear_also ?? []) : [];
  if (years && also.length > 0) {
    parts.push(`(r.fy IN (${years.join(',')}) OR r.report_id IN (SELECT value FROM json_each(?)))`);
    values.push(JSON.stringify(also));
  } else if (years) among('r.fy', years);
  if (query.type) among('r.type', query.type.map(word));
  const state = query.state ?? 'listed';
  if (state !== 'all') parts.push(state === 'listed' ? 'r.state = 0' : 'r.state <> 0');
  if (query.class) among('r.class', query.class.map(word));
  if (query.language) among('r.lang', languageWords(query.language, words));
  if (query.assurance_level) among('r.level', query.assurance_level.map(word));
  if (query.facts) {
    const { mask, value } = flagsMask(query.facts);
    if (mask !== 0) parts.push(`(r.flags & ${mask}) = ${value}`);
  }
  // The filter index holds all of the above, so it answers without a look at the rows; the order alone leads otherwise.
  if (parts.length > (state === 'all' ? 0 : 1)) lead = 'filter';
  for (const name of ['country', 'sector', 'industry', 'isin'] as const) {
    const wanted: readonly (string | null)[] | undefined = query[name];
    if (!wanted) continue;
    if (wanted.length === 0) none = true;
    const given = wanted.filter((value) => value !== null);
    const orNone = wanted.includes(null) ? ` OR ${name} IS NULL` : '';
    parts.push(`r.company IN (SELECT id FROM companies WHERE ${name} IN (${given.map(() => '?').join(',')})${orNone})`);
    values.push(...given);
    lead = name === 'isin' ? 'company' : 'filter';
  }
  if (query.company_key) {
    if (query.company_key.length === 0) none = true;
    parts.push('r.company IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(query.company_key.map((key) => companies.find(key) ?? -1)));
    lead = 'company';
  }
  if (query.downloaded) {
    const { ids, is } = query.downloaded;
    parts.push(`r.report_id ${is ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(ids));
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

function languageWords(codes: readonly (string | null)[], words: WordTable): number[] {
  const wanted = new Set(codes.map((code) => code?.toLowerCase()));
  const found: number[] = codes.includes(null) ? [0] : [];
  for (const [id, text] of words.all()) {
    if (text.length <= 20 && languagesOf(text).some((code) => wanted.has(code))) found.push(id);
  }
  return found;
}
