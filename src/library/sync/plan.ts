import type { Entitlements } from '../../api/schemas/meta.ts';
import { reportsPageSize } from './run.ts';
import type { WalkFilter } from './syncRecord.ts';

export interface LoadPlanInput {
  readonly entitlements: Pick<Entitlements, 'full_access' | 'fcyear_start' | 'fcyear_end' | 'watchlist_size'>;
  /** Time from a request to its whole answer, in ms, as measured just now; null when it could not be. */
  readonly latency: number | null;
  /** Requests per second that the client allows itself. */
  readonly requestsPerSecond: number;
  /** The present year by the server's clock. */
  readonly year: number;
}

export interface LoadPlan {
  /** One filter for each cursor chain; the empty filter walks everything. */
  readonly filters: readonly WalkFilter[];
  /** True when the interface's rules prove that the chains together bring every report there is. */
  readonly proven: boolean;
  /** Chains that may wait for an answer at once. */
  readonly concurrency: number;
}

/** At this share of the permitted rate one chain, which waits for each answer, still does well enough. */
const goodEnough = 0.8;
/** The service's limit on parallel connections (LIM-1). */
const maxConnections = 8;
/** A window wider than this is not believed. */
const maxYears = 60;

const whole: readonly WalkFilter[] = [{}];

/**
 * Plans a first load. A cursor chain gives one page per round trip, so far from the service it can't fill the permitted
 * rate; then the load runs as several chains over fiscal years.
 *
 * Why they bring everything, where `proven` is true: a licence that is not for full access serves only reports whose
 * fiscal year lies in its window; the `fcyear` filter and the window file a report under the same year (FY rules 3
 * and 6), and undated documents lie outside every window (FY rule 5). So the years of a closed window, each walked by
 * itself, leave nothing out.
 *
 * Where `proven` is false: with full access the window binds nothing and undated documents may be served; an
 * open-ended window may hold years beyond those walked. Such a load is followed by one unfiltered walk.
 */
export function planFirstLoad(input: LoadPlanInput): LoadPlan {
  const { entitlements, latency, requestsPerSecond } = input;
  const one: LoadPlan = { filters: whole, proven: true, concurrency: 1 };
  if (latency === null || (latency / 1000) * requestsPerSecond <= goodEnough) return one;

  const first = entitlements.fcyear_start;
  const last = entitlements.fcyear_end ?? input.year + 1;
  if (first === null || last - first < 2 || last - first >= maxYears) return one;
  // Latest first: they hold most, and are looked at first.
  const filters = Array.from({ length: last - first + 1 }, (_, index) => ({ fcyear: [last - index] }));
  // A few more than are needed on average, because answers do not come evenly.
  const wanted = Math.ceil((latency / 1000) * requestsPerSecond * 1.25) + 1;
  return {
    filters,
    proven: !entitlements.full_access && entitlements.fcyear_end !== null,
    concurrency: Math.min(maxConnections, Math.max(2, wanted)),
  };
}

/** Reports per company and fiscal year, all types; seen in catalogues of this kind, good to a factor of two. */
const reportsPerCompanyYear = 1.7;

/** About how many pages a licence fills. Unknown sizes count as middling. */
export function estimatedPages(companies: number | null, years: number): number {
  return Math.ceil(((companies ?? 1000) * years * reportsPerCompanyYear) / reportsPageSize);
}

/** Size and time of a first load, to be told before it starts (LIM-4). */
export interface LoadEstimate {
  readonly reports: number;
  readonly requests: number;
  /** At the permitted rate. */
  readonly seconds: number;
  /** True when it is large enough to ask whether it should wait for the night. */
  readonly large: boolean;
}

/** From this many reports on, a first load is worth a question. */
const largeReports = 50_000;

export function estimateFirstLoad(input: Omit<LoadPlanInput, 'latency'>): LoadEstimate {
  const { fcyear_start: first, fcyear_end: last, watchlist_size } = input.entitlements;
  const years = first === null ? 15 : Math.max(1, (last ?? input.year) - first + 1);
  const requests = estimatedPages(watchlist_size, Math.min(years, maxYears));
  const reports = requests * reportsPageSize;
  return {
    reports,
    requests,
    seconds: Math.ceil(requests / input.requestsPerSecond),
    large: reports >= largeReports,
  };
}

const hour = 3_600_000;
const day = 24 * hour;

/** When the service would rather serve large loads, 00:00 to 06:00 UTC: now, or the coming midnight (ms). */
export function nextQuietTime(now: number): number {
  const sinceMidnight = now % day;
  return sinceMidnight < 6 * hour ? now : now - sinceMidnight + day;
}
