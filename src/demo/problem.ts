import { STATUS_CODES } from 'node:http';
import type { FieldProblem, Reading } from './readings.ts';

/** Thrown by routes and gates; becomes an RFC 9457 answer (ERR-1). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly fields: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string,
    more: { readonly fields?: readonly FieldProblem[]; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(detail);
    this.status = status;
    this.fields = more.fields ?? [];
    this.headers = more.headers ?? {};
  }
}

/** 422 that names each invalid field; its message repeats the first. */
export function invalid(...fields: FieldProblem[]): Problem {
  const first = fields[0];
  return new Problem(422, first ? `${first.field}: ${first.message}` : 'The request is invalid.', { fields });
}

/** The answer for a problem. The entries of `errors` have whatever shape the reading gives them. */
export function problemResponse(problem: Problem, reading: Reading): Response {
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    ...(problem.fields.length > 0 && { errors: reading.fieldErrors(problem.fields) }),
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
  });
}

/** The Retry-After header for a value in seconds or an HTTP date, or none. */
export function retryHeaders(retryAfter: number | string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}
