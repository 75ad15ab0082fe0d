const httpDate =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4}|[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2}|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d) /;

/**
 * How long the service asks us to stay away, in ms from its answer; null when it does not say. A date is counted from
 * the answer's own `Date`, so that a wrong clock on this machine changes nothing.
 */
export function retryAfter(header: string | undefined, date: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Math.ceil(Number(value) * 1000), Number.MAX_SAFE_INTEGER);
  const until = readHttpDate(value);
  if (until === null) return null;
  return Math.max(0, until - (readHttpDate(date) ?? now));
}

/** A date of HTTP in ms since the epoch, null when it is none. */
export function readHttpDate(value: string | undefined): number | null {
  if (value === undefined || !httpDate.test(value)) return null;
  const time = Date.parse(/^\w{3} \w{3} /.test(value) ? `${value} GMT` : value);
  return Number.isNaN(time) ? null : time;
}
