import type { YearCounts } from '../../protocol/reportTable.ts';

export type Year = number | null;
export interface YearBar {
  readonly year: Year;
  readonly count: number;
  readonly isOn: boolean;
}

/** Most years that stand beside one another, the newest ones. */
export const maxYears = 60;

/**
 * Every year from the first to the last, those without a report too, then the undated ones. Where an odd year is too
 * far from the others for one row, those without a report are left out.
 */
export function barsOf(counts: YearCounts): YearBar[] {
  const known = new Map(counts.map((each) => [each.year, each]));
  const years = counts.flatMap(({ year }) => year ?? []).sort((a, b) => a - b);
  const [first = 0, last = -1] = [years[0], years.at(-1)];
  const isNear = last - first < maxYears;
  const shown = isNear ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : years.slice(-maxYears);
  const undated = known.get(null);
  return [...shown.map((year) => known.get(year) ?? { year, count: 0, isOn: false }), ...(undated ? [undated] : [])];
}
