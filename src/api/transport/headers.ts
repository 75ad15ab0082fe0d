import { redact, type Secret } from '../../base/secret.ts';
import { plainText } from '../../base/words.ts';

/** Response headers as undici gives them: lower-case names, repeated ones as arrays. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** True for `application/json`, `application/problem+json` and their kin. */
export function isJsonType(headers: Headers): boolean {
  return /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(header(headers, 'content-type') ?? '');
}

/** A header that holds a whole number of at least 0, else null. */
export function wholeNumber(headers: Headers, name: string): number | null {
  const value = header(headers, name)?.trim() ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : null;
}

/** The service's id of the request, for support. One that holds a secret is dropped: a proxy may echo it. */
export function requestIdOf(headers: Headers, secrets: readonly Secret[]): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']) {
    const value = header(headers, name);
    if (value && redact(value, secrets) === value) return plainText(value, 100);
  }
  return undefined;
}

/** How long to stay away, in ms; null if unstated. Dates are compared with the answer's own `Date`. */
export function retryAfter(headers: Headers, now: number): number | null {
  const from = readHttpDate(header(headers, 'date')) ?? now;
  // A proxy may join two headers into one.
  const texts = [headers['retry-after'] ?? []]
    .flat()
    .flatMap((text) => (/^[\d., ]+$/.test(text) ? text.split(',') : text));
  const waits = texts.map((text) => waitOf(text.trim(), from)).filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.max(...waits);
}

/** A thousand years, ms: a date can name when it is over. */
const longestWait = 3.2e13;

function waitOf(text: string, from: number): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), longestWait);
  const until = readHttpDate(text);
  return until === null ? null : Math.max(0, until - from);
}

/** A date of HTTP in ms since the epoch, null when it is none. */
export function readHttpDate(value = ''): number | null {
  const time = /^[a-z]{3}, \d{2} [a-z]{3} \d{4} /i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
