import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { buffer } from 'node:stream/consumers';

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
    headers: HttpProblem['headers'] = {},
    fields: HttpProblem['fields'] = [],
  ) {
    super(detail);
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }
}

/** 422 that names each invalid field; its message repeats the first. */
export function invalid(first: FieldProblem, ...others: FieldProblem[]): HttpProblem {
  return new HttpProblem(422, `${first.field}: ${first.message}`, {}, [first, ...others]);
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

/** Query parameters of a request, read strictly; what is wrong is collected and refused together (422). */
export class QueryReader {
  readonly #parameters: URLSearchParams;
  readonly #problems: FieldProblem[] = [];

  constructor(url: string) {
    this.#parameters = new URL(url).searchParams;
  }

  /** The one value of a parameter; a repeat is refused. */
  one(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    if (values.length > 1) this.refuse(name, 'may be given once');
    if (values[0] === '') this.refuse(name, 'is empty');
    return values[0] || undefined;
  }

  many(name: string): readonly string[] {
    const values = this.#parameters.getAll(name);
    if (values.includes('')) this.refuse(name, 'is empty');
    return values;
  }

  limit(max: number): number {
    const text = this.one('limit');
    if (text === undefined) return Math.min(100, max);
    const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (limit < 1 || limit > max) this.refuse('limit', `must be a whole number from 1 to ${max}`);
    return limit;
  }

  refuse(field: string, message: string): void {
    this.#problems.push({ field, message });
  }

  done(): void {
    const [first, ...others] = this.#problems;
    if (first) throw invalid(first, ...others);
  }
}

const largestBody = 1_048_576;

/** The JSON object in a request's body. Throws 415, 413 or 400 for anything else. */
export async function jsonBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const type = incoming.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new HttpProblem(415, 'The body must be application/json.');
  const bytes = await buffer(incoming).catch(() => {
    throw new HttpProblem(400, 'The body broke off.');
  });
  if (bytes.length > largestBody) throw new HttpProblem(413, `A request body may hold ${largestBody} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpProblem(400, 'The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HttpProblem(400, 'The body must be a JSON object.');
  return value as Record<string, unknown>;
}

/** A member that holds an array of strings, or undefined when the body has no such member. Throws 422. */
export function stringsOf(body: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
  if (!Object.hasOwn(body, name)) return undefined;
  const value = body[name];
  if (!Array.isArray(value)) throw invalid({ field: name, message: 'must be an array of strings' });
  const wrong = value.findIndex((each) => typeof each !== 'string');
  if (wrong >= 0) throw invalid({ field: `${name}[${wrong}]`, message: 'must be a string' });
  return value as string[];
}
