import type { Entitlements } from '../../api/schemas/meta.ts';
import { reportsPageSize } from './run.ts';
import type { WalkFilter } from './syncRecord.ts';

export interface LoadPlanInput {
  readonly entitlements: Pick<Entitlements, 'full_access' | 'fcyear_start' | 'fcyear_end' | 'watchlist_size'>;
  /** Time from the writing of a request to the head of its answer, in ms; null when it is not known. */
  readonly latency: number | null;
  /** Requests per second that the client allows itself. */
  readonly requestsPerSecond: number;
  /** The present year by the server's clock. */
  readonly year: number;
}

export interface LoadPlan {
  /** One filter for each cursor chain; the empty filter walks everything. Together they bring every report there is. */
  readonly filters: readonly WalkFilter[];
  /** Chains that may wait for an answer at once. */
  readonly concurrency: number;
}

/** At this share of the permitted rate one chain, which waits for each answer, still does well enough. */
const goodEnough = 0.8;
const maxConnections = 8;
const maxYears = 60;
/** So many years, from the present one on, are asked for in one chain; no report covers a later one. */
const yearsToCome = 100;

/**
 * Plans a first load. One chain gives one page per round trip, so far from the service it runs in several, one per
 * year. A license's window of years leaves nothing out; full access has no window, so it is one chain.
 */
export function planFirstLoad(input: LoadPlanInput): LoadPlan {
  const { entitlements, latency, requestsPerSecond } = input;
  const one: LoadPlan = { filters: [{}], concurrency: 1 };
  const inFlight = ((latency ?? 0) / 1000) * requestsPerSecond;
  const { full_access, fcyear_start: first, fcyear_end } = entitlements;
  const last = fcyear_end ?? input.year - 1;
  if (inFlight <= goodEnough) return one;
  if (full_access || first === null || last - first < 2 || last - first >= maxYears) return one;
  const filters = inParts(years(first, last).reverse()).map((fcyear) => ({ fcyear }));
  const toCome = fcyear_end === null ? [{ fcyear: years(last + 1, last + yearsToCome) }] : [];
  // A few more than are needed on average, because answers do not come evenly.
  const wanted = Math.ceil(inFlight * 1.25) + 1;
  return { filters: [...filters, ...toCome], concurrency: Math.min(maxConnections, Math.max(2, wanted)) };
}

/** Latest years first, since they hold most; older ones are joined, so that all parts end at about the same time. */
function inParts(latestFirst: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (let at = 0; at < latestFirst.length; ) {
    const size = at < 10 ? 1 : at < 16 ? 2 : 4;
    parts.push(latestFirst.slice(at, at + size));
    at += size;
  }
  return parts;
}

function years(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Reports per company and fiscal year, all types; seen in catalogs of this kind, good to a factor of two. */
const reportsPerCompanyYear = 1.7;

/** Size and time of a first load, to be told before it starts (LIM-4). */
export interface LoadEstimate {
  readonly reports: number;
  /** At the permitted rate. */
  readonly seconds: number;
  /** True when it is large enough to ask when to load. */
  readonly large: boolean;
}

/** From this many reports on, a first load is worth a question. */
const largeReports = 50_000;

export function estimateFirstLoad(input: Omit<LoadPlanInput, 'latency'>): LoadEstimate {
  const { fcyear_start: first, fcyear_end: last, watchlist_size } = input.entitlements;
  const years = first === null ? 15 : Math.max(1, (last ?? input.year) - first + 1);
  // An unknown number of companies counts as middling.
  const expected = (watchlist_size ?? 1000) * Math.min(years, maxYears) * reportsPerCompanyYear;
  const requests = Math.ceil(expected / reportsPageSize);
  const reports = requests * reportsPageSize;
  return {
    reports,
    seconds: Math.ceil(requests / input.requestsPerSecond),
    large: reports >= largeReports,
  };
}

const hour = 3_600_000;
const day = 24 * hour;

export const quietHours = 6 * hour;

/** When the running or the next quiet hours begin: the service asks to run large loads from 00:00 to 06:00 UTC (ms). */
export function nextQuietTime(now: number): number {
  const sinceMidnight = now % day;
  return now - sinceMidnight + (sinceMidnight < quietHours ? 0 : day);
}
