/** What a benchmark tells. Times are ms unless the goal names another unit. */
export interface BenchmarkResult {
  readonly name: string;
  readonly goal: string;
  readonly unit: string;
  readonly rows: readonly { readonly peer: string; readonly p50: number; readonly p95: number }[];
  /** What the goal is about, as a number: ours against the peer, or the worst share of a goal that was reached. */
  readonly ratio: number;
  /** Null when the peer that the goal names is not on this machine. */
  readonly met: boolean | null;
}

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The mean of the middle half: as steady as the median, and finer where a clock is coarse. */
export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const aside = Math.floor(sorted.length / 4);
  const kept = sorted.slice(aside, sorted.length - aside);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** Median and 95th percentile as a row. */
export function rowOf(peer: string, values: readonly number[]): BenchmarkResult['rows'][number] {
  return { peer, p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)) };
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A size from the environment, such as `LIBRARY_REPORTS=1000000`. */
export function sizeOf(name: string, usual: number): number {
  const given = Number(process.env[name]);
  return Number.isSafeInteger(given) && given > 0 ? given : usual;
}
