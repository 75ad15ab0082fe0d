import { STATUS_CODES } from 'node:http';

/** A field or parameter that was refused, and why. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Thrown by routes and gates; becomes an RFC 9457 answer (ERR-1). */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
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
export function invalid(...fields: FieldProblem[]): HttpProblem {
  const first = fields[0];
  return new HttpProblem(422, first ? `${first.field}: ${first.message}` : 'The request is invalid.', { fields });
}

export function problemResponse(problem: HttpProblem): Response {
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    ...(problem.fields.length > 0 && { errors: problem.fields }),
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { ...problem.headers, 'content-type': 'application/problem+json' },
  });
}
