import { nesting } from '../../base/json.ts';
import { type CallOptions, type ListOptions, type Page, type RawPage, readPage } from '../schemas/page.ts';
import type { Reading } from '../schemas/record.ts';
import { unexpectedShape } from './errors.ts';

/** The JSON of an answer. Throws `unexpected-shape` for a body that is invalid, too deep or too large. */
export function parseJson({ body, requestId }: Pick<Answer, 'body'> & Partial<Answer>): unknown {
  const found = nesting(body);
  if (found === 'deep') throw unexpectedShape('It is nested too deeply.', requestId);
  if (found === 'many') throw unexpectedShape('It contains too many values.', requestId);
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // The parser's message quotes the body, which nobody should have to read.
    throw unexpectedShape('It is not valid JSON.', requestId);
  }
}

/** What a reader made of an answer. Throws `unexpected-shape` with the reader's reason when it could make nothing. */
export function readAnswer<T>(answer: Answer, read: (body: unknown) => Reading<T>): T {
  const reading = read(parseJson(answer));
  if (!reading.ok) throw unexpectedShape(reading.reason, answer.requestId);
  return reading.value;
}

export interface List<T> {
  readonly route: string;
  readonly query: Query;
  /** The largest page that may be asked for, where the service says. */
  readonly largest?: number;
  readonly read: (raw: unknown) => Reading<T>;
}

/** Walks a list, requesting each page when the previous one is used (PAG-1). Throws when a cursor repeats. */
export async function* pages<T>(service: Service, list: List<T>, options: ListOptions): AsyncGenerator<Page<T>> {
  const seen = new Set<string>();
  let cursor = options.cursor;
  for (;;) {
    if (cursor !== undefined) seen.add(cursor);
    const answer = await askPage(service, list, { ...options, cursor });
    const page = readAnswer(answer, (body) => readPage(body, answer.serverTime, list.read));
    yield { ...page, latency: answer.latency };
    if (!page.has_more || page.next_cursor === null) return;
    if (seen.has(page.next_cursor)) throw unexpectedShape('The list leads back to an earlier page.', answer.requestId);
    cursor = page.next_cursor;
  }
}

/** Asks for the one page that `options` name, and leaves it unread. */
export async function rawPage<T>(service: Service, list: List<T>, options: ListOptions): Promise<RawPage> {
  const { body, serverTime } = await askPage(service, list, options);
  return { body: new Uint8Array(body), serverTime };
}

async function askPage<T>(service: Service, list: List<T>, options: ListOptions): Promise<Answer> {
  const { largest = Number.POSITIVE_INFINITY } = list;
  const limit = Math.min(options.limit ?? largest, largest);
  const query = { ...list.query, limit: Number.isFinite(limit) ? limit : undefined, cursor: options.cursor };
  return service.ask({ method: 'GET', route: list.route, query }, options);
}

/** Query parameters in the order they are sent; an array repeats its name, undefined leaves it out. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Path template below the base URL, for logs and errors: `/reports/{report_id}`. */
  readonly route: string;
  /** The path itself; the route when left out. */
  readonly path?: string;
  readonly query?: Query;
  readonly body?: unknown;
  /** False for the one endpoint that wants no key (END-1). */
  readonly key?: false;
  /** True for a link to a file: what the service refuses it for may hold up nothing else. */
  readonly isForLink?: true;
  /** `any` when a success may be something other than JSON. */
  readonly accepts?: 'json' | 'any';
  /** The mark of what is in hand; the service need not send the same again. */
  readonly etag?: string | undefined;
}

/** A successful answer, not yet read. */
export interface Answer {
  readonly body: Uint8Array;
  readonly isJson: boolean;
  /** The server's clock in ms since the epoch, from the Date header. */
  readonly serverTime: number | null;
  /** From the writing of the request to the head of its answer, in ms. */
  readonly latency?: number | undefined;
  readonly requestId?: string | undefined;
  /** The mark of this body, if the service gives one. */
  readonly etag?: string | undefined;
  /** True when what the request's mark names is still right; the body is empty then. */
  readonly isUnchanged?: boolean;
}

/** What endpoints ask: one request, paced, retried where that is safe, and answered or refused with an `ApiError`. */
export interface Service {
  ask(request: ServiceRequest, options?: CallOptions): Promise<Answer>;
}
