import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Clock, linkSignals } from '../../base/clock.ts';
import { nesting } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { keyPrefixLength, looksLikeKey, type Secret } from '../../base/secret.ts';
import { duration } from '../../base/words.ts';
import type { CallOptions } from '../schemas/page.ts';
import type { Answer, Service, ServiceRequest } from './answers.ts';
import type { Exchange, RequestBudget } from './budget.ts';
import type { PauseScope, RequestKind } from './budgetRow.ts';
import { ApiError, badRequest, edgePage, networkProblem, unexpectedShape } from './errors.ts';
import { type Headers, header, isJsonType, readHttpDate, requestIdOf, retryAfter, wholeNumber } from './headers.ts';
import type { HttpRequest } from './network.ts';
import { deadline, networkError } from './networkErrors.ts';
import { errorOf, type WholeAnswer } from './refusedAnswer.ts';

export interface ServiceOptions extends RetryOptions {
  readonly baseUrl: URL;
  readonly key: Secret | null;
  readonly authentication: 'bearer' | 'x-api-key';
  readonly userAgent: string;
  readonly budget: Pick<RequestBudget, 'origin' | 'ended' | 'acquire' | 'read' | 'pause'>;
}

/** An answer that drips in for longer than this, ms, is given up. */
const maxAnswerTime = 300_000;
/** How long nobody asks after a 429 that does not say when to come back, ms. */
const unspecifiedPause = 1000;
/** Bytes of a body, decompressed too, that are ever held. */
const maxBody = 32 * 1024 * 1024;

/** Makes what endpoints ask: each request waits for its turn, goes out, and is tried again where that may help. */
export function createService(options: ServiceOptions): Service {
  return {
    async ask(request, call = {}) {
      const { signal, unlink } = linkSignals(call.signal, options.budget.ended);
      const tries = Math.min(call.tries ?? maxTries, maxTries);
      try {
        return await retrying(() => askOnce(request, call, signal, options), tries, signal, options);
      } finally {
        unlink();
      }
    },
  };
}

async function askOnce(
  request: ServiceRequest,
  { priority = 'interactive' }: CallOptions,
  given: AbortSignal,
  options: ServiceOptions,
): Promise<Answer> {
  const { budget, clock, logger, key } = options;
  requireNoKey(request, key);
  const kind = request.key === false || key === null ? 'keyless' : request.isForLink ? 'link' : 'keyed';
  const go = await budget.acquire({ origin: budget.origin, priority, kind }, given);
  const since = clock.monotonic();
  const { signal, met, unlink } = deadline(clock, maxAnswerTime, given);
  let status: number | string = 'failed';
  try {
    const exchange = await go.send({ ...httpRequestOf(request, options), signal });
    const latency = clock.monotonic() - since;
    const answer = await wholeOf(exchange, signal);
    status = answer.status;
    met();
    return { ...(await answerOf(request, answer, kind, options)), latency };
  } finally {
    met();
    unlink();
    logger.debug(`${request.method} ${request.route} ${status} after ${Math.round(clock.monotonic() - since)} ms`);
    // Last: the next request has to know of the wait that an answer asks for.
    go.release();
  }
}

/** Refuses a key in any other part of a request. @throws ApiError of kind `invalid` */
function requireNoKey({ path = '', query, body }: ServiceRequest, key: Secret | null): void {
  const text = JSON.stringify([decodeURIComponent(path), query, body]);
  const own = key?.reveal() ?? '';
  // A short one may be part of anything.
  if (looksLikeKey(text) || (own.length > keyPrefixLength && text.includes(JSON.stringify(own).slice(1, -1))))
    throw badRequest(
      l10n.t('The text looks like an API key, so it was not sent.'),
      l10n.t('Correct it, then try again.'),
    );
}

/** What an answer says of the rate, and the answer itself, where it is a success. */
async function answerOf(
  request: ServiceRequest,
  answer: WholeAnswer,
  kind: RequestKind,
  { budget, clock, key }: ServiceOptions,
): Promise<Answer> {
  const { status, headers, body } = answer;
  if (kind !== 'keyless') await budget.read(headers);
  const secrets = key ? [key] : [];
  const requestId = requestIdOf(headers, secrets);
  const serverTime = readHttpDate(header(headers, 'date'));
  if (status === 304 && request.etag !== undefined)
    return { body: new Uint8Array(), isJson: false, serverTime, requestId, etag: request.etag, isUnchanged: true };
  const isJson = isJsonType(headers);
  if (status < 200 || status > 299) {
    const error = errorOf(answer, clock.now(), secrets);
    // Of the service's own refusals only those that pass with time ask for a wait; any page of the edge may.
    const stated = error.problem.retryAfter ?? (isJson ? null : retryAfter(headers, clock.now()));
    const wait = stated ?? (status === 429 ? unspecifiedPause : null);
    if (wait !== null) await budget.pause(budget.origin, wait, error.problem.cause, scopeOf(kind, status, isJson));
    throw error;
  }
  if (!isJson && request.accepts !== 'any') throw edgePage(status, requestId);
  if (isJson && !announcesEnd(headers) && nesting(body) === 'open')
    throw networkProblem(l10n.t('The connection dropped before the response was complete.'), l10n.t('Try again.'));
  return { body, isJson, serverTime, requestId, etag: header(headers, 'etag') };
}

/** The edge counts every request from here, the service those of the key. A 503 for a link holds links alone (DL-3). */
function scopeOf(kind: RequestKind, status: number, isJson: boolean): PauseScope {
  if (!isJson || kind === 'keyless') return 'origin';
  return kind === 'link' && status !== 429 ? 'links' : 'key';
}

/** Whether HTTP itself tells a whole body from one that broke off. */
function announcesEnd(headers: Headers): boolean {
  return header(headers, 'content-length') !== undefined || header(headers, 'transfer-encoding') !== undefined;
}

/** The whole answer, unpacked. Throws `network` when it broke off, `unexpected-shape` above 32 MiB. */
async function wholeOf({ statusCode, headers, body }: Exchange, signal: AbortSignal): Promise<WholeAnswer> {
  try {
    if ((wholeNumber(headers, 'content-length') ?? 0) > maxBody) throw tooLarge();
    const packed = await collect(body);
    return { status: statusCode, headers, body: await decode(packed, header(headers, 'content-encoding')) };
  } catch (error) {
    body.on('error', () => {}).destroy();
    signal.throwIfAborted();
    throw networkError(error);
  }
}

/** The whole body. Closes the connection as soon as there is too much of it. */
async function collect(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBody) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
}

const unzip = promisify(gunzip);

async function decode(body: Uint8Array, encoding = ''): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity' || body.byteLength === 0) return body;
  if (name !== 'gzip' && name !== 'x-gzip') throw unexpectedShape('It uses an unsupported compression.');
  try {
    return await unzip(body, { maxOutputLength: maxBody });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw networkProblem(l10n.t('The response arrived damaged.'), l10n.t('Try again.'));
  }
}

function tooLarge(): ApiError {
  return unexpectedShape('It is larger than 32 MiB.');
}

function httpRequestOf(
  request: ServiceRequest,
  { baseUrl, key, authentication, userAgent }: ServiceOptions,
): HttpRequest {
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: request.accepts === 'any' ? '*/*' : 'application/json',
    'accept-encoding': 'gzip',
  };
  if (request.etag !== undefined) headers['if-none-match'] = request.etag;
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (request.key !== false && key !== null) {
    if (authentication === 'bearer') headers.authorization = `Bearer ${key.reveal()}`;
    else headers['x-api-key'] = key.reveal();
  }
  return {
    method: request.method,
    path: `${baseUrl.pathname}${request.path ?? request.route}`,
    query: Object.fromEntries(Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined)),
    headers,
    body: request.body === undefined ? null : JSON.stringify(request.body),
  };
}

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
  readonly logger: Logger;
}

/** How often a call is tried at most. */
const maxTries = 5;
const firstDelay = 500;
const longestDelay = 30_000;
/** 0.5, 2, 8 and 30 s: the longest delays between five tries. */
const growth = 4;

const retried = new Set([429, 500, 502, 503, 504]);

/** True for what may go away by itself (ERR-3). Everything the client asks is a read, so that asking again is safe. */
function mayRetry(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { kind, status, permanent } = error.problem;
  return kind === 'network' ? !permanent : status !== undefined && retried.has(status);
}

/** How long to wait after the given failed try, in ms: exponential with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(longestDelay, firstDelay * growth ** (attempt - 1));
}

/** Calls until it works, at most `tries` times. A wait that the service stated is kept by the budget. */
export async function retrying<T>(
  ask: () => Promise<T>,
  tries: number,
  signal: AbortSignal | undefined,
  { clock, random, logger }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= tries || !mayRetry(error)) throw error;
      const told = error.problem.retryAfter || undefined;
      const delay = told ?? backoff(attempt, random);
      logger.info(`Waiting ${duration(delay)}: ${error.problem.cause}`);
      if (told === undefined) await clock.sleep(delay, signal);
    }
  }
}
