import type { Random } from '../random.ts';
import type { YearLabel } from './companies.ts';

const dayMs = 86_400_000;

export type Period = ReturnType<typeof periodOf>;

/** The first and last day of a fiscal year, named by the year in which it ends, and whether it spans two (FY-1). */
export function periodOf(fiscalYear: number, endMonth: number) {
  return {
    start: isoDate(Date.UTC(fiscalYear - 1, endMonth, 1)),
    end: isoDate(Date.UTC(fiscalYear, endMonth, 1) - dayMs),
    split: endMonth < 12,
  };
}

/** The company's own name for a fiscal year: a year or a span of two (FY-1). */
export function labelOf(fiscalYear: number, period: Period, style: YearLabel): string {
  if (!period.split || style === 'end') return String(fiscalYear);
  return style === 'start' ? String(fiscalYear - 1) : `${fiscalYear - 1}/${fiscalYear}`;
}

/** The service's first load; older reports were all taken in then. */
const firstLoad = Date.UTC(2023, 0, 9);
/** Nothing in the catalogue is later. */
const latest = Date.UTC(2026, 8, 30);

/** When a report was published, and when the service added and changed its record, in ms since the epoch. */
export function publishingOf(period: Period, random: Random) {
  const published = Math.min(Date.parse(period.end) + random.int(75, 210) * dayMs, latest - 20 * dayMs);
  const draw = random.next();
  const second = random.int(0, 86_399) * 1000;
  const created = Math.max(published + random.int(2, 15) * dayMs, firstLoad + random.int(0, 30) * dayMs) + second;
  const updated = random.chance(0.3) ? Math.min(created + random.int(10, 700) * dayMs, latest) : created;
  return {
    published,
    /** How much of the date the report states: the length of YYYY-MM-DD, YYYY-MM or YYYY, or 0 (CNV-5). */
    precision: draw < 0.72 ? 10 : draw < 0.9 ? 7 : draw < 0.97 ? 4 : 0,
    created,
    updated: Math.max(created, updated),
  };
}

/** YYYY-MM-DD in UTC. */
export function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** ISO 8601 in UTC to the second. */
export function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
