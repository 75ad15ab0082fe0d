/** How many checks passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Runs that were made once more; none but on build machines. */
  readonly retried?: number;
}

export const none: Tally = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Tally, b: Tally): Tally {
  const sum = (count: keyof Tally) => (a[count] ?? 0) + (b[count] ?? 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), retried: sum('retried') };
}

/** The plain line that every test command ends with; .ci/run and people's own scripts read it, so nothing else is in it. */
export function line(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`;
}
