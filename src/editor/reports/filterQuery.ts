import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy, ReportQuery } from '../../library/reportQuery.ts';
import { coversFiscalYear } from '../../library/reportQuery.ts';
import type { ReportsFilter } from './filter.ts';

/** What a filter is looked up with. */
export interface FilterSources {
  readonly library: Pick<LibraryCalls, 'reports'>;
  /** Ids of the reports whose PDF is in this workspace. */
  localReports(): Promise<readonly number[]>;
}

/** A filter as the library asks it, and the records of split years that it takes in, by the year they are filed under. */
export interface FilterQuery {
  readonly query: ReportQuery;
  readonly split: ReadonlyMap<number, readonly number[]>;
}

const pageLength = 1000;

/** The filter as the library asks it, with everything looked up that the library alone does not know. */
export async function queryOf(filter: ReportsFilter, sources: FilterSources): Promise<FilterQuery> {
  const { splitYears, downloaded, ...same } = filter;
  const ids = downloaded === undefined ? undefined : await sources.localReports();
  const query: ReportQuery = { ...same, ...(ids && { downloaded: { ids, is: downloaded === true } }) };
  const split = splitYears ? await splitYearReports(query, sources) : new Map<number, number[]>();
  const also = [...split.values()].flat();
  return { query: also.length > 0 ? { ...query, fcyear_also: also } : query, split };
}

/**
 * Reports of the fiscal years asked for that are filed under the year before: old records with a two-year string are
 * filed under the first of their years, and only the end of their period tells the year they cover (FY-3). By the year
 * they are filed under.
 */
export async function splitYearReports(
  query: ReportQuery,
  { library }: Pick<FilterSources, 'library'>,
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  const years = new Set(query.fcyear?.filter((year) => year !== null));
  for (const year of years) {
    const filed = year - 1;
    if (years.has(filed)) continue;
    const ids: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = await library.reports({ ...query, fcyear: [filed] }, { after, limit: pageLength });
      for (const report of page.items) if (coversFiscalYear(report, year)) ids.push(report.report_id);
      if (page.next === null) break;
      after = page.next;
    }
    if (ids.length > 0) found.set(filed, ids);
  }
  return found;
}

/** The part of a filter's answer that lies in one group of it; null is "not stated", for `fcyear` undated. */
export function queryOfGroup({ query, split }: FilterQuery, by: GroupBy, value: string | number | null): ReportQuery {
  if (by === 'fcyear') {
    const year = value === null ? null : Number(value);
    const isAsked = query.fcyear?.includes(year) ?? true;
    return { ...query, fcyear: isAsked ? [year] : [], fcyear_also: (year !== null && split.get(year)) || undefined };
  }
  const text = value === null ? null : String(value);
  if (by === 'company') return { ...query, company_key: text === null ? [] : [text] };
  return { ...query, [by]: [text] };
}
