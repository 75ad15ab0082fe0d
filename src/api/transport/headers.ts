import { plainText } from '../../base/words.ts';

/** Response headers as undici gives them: lower-case names, repeated ones as arrays. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The first value of a header. */
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

/** The id under which the service knows the request, for support. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray']) {
    const value = header(headers, name);
    if (value) return plainText(value, 100);
  }
  return undefined;
}
