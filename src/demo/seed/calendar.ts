import type { Random } from '../random.ts';
import type { YearLabel } from './companies.ts';

const dayMs = 86_400_000;

/** The dates of a fiscal year, named by the year in which it ends (FY-1). */
export interface Period {
  /** YYYY-MM-DD. */
  readonly start: string;
  /** YYYY-MM-DD. */
  readonly end: string;
  /** True when it spans two calendar years. */
  readonly split: boolean;
}

export function periodOf(fiscalYear: number, endMonth: number): Period {
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

/** When a report came out, and when the service took it in. Times in ms since the epoch. */
interface Publishing {
  readonly published: number;
  /** How much of the date the report states: the length of YYYY-MM-DD, YYYY-MM or YYYY, or 0 (CNV-5). */
  readonly precision: 10 | 7 | 4 | 0;
  readonly created: number;
  readonly updated: number;
}

/** The service's first load; older reports were all taken in then. */
const firstLoad = Date.UTC(2023, 0, 9);
/** Nothing in the catalogue is later. */
const latest = Date.UTC(2026, 8, 30);

export function publishingOf(period: Period, random: Random): Publishing {
  const published = Math.min(Date.parse(period.end) + random.int(75, 210) * dayMs, latest - 20 * dayMs);
  const draw = random.next();
  const second = random.int(0, 86_399) * 1000;
  const created = Math.max(published + random.int(2, 15) * dayMs, firstLoad + random.int(0, 30) * dayMs) + second;
  const updated = random.chance(0.3) ? Math.min(created + random.int(10, 700) * dayMs, latest) : created;
  return {
    published,
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
