import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Clock, linkSignals } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { CallOptions, Priority } from '../schemas/page.ts';
import { nesting } from './answers.ts';
import type { Answer, Query, Service, ServiceRequest } from './call.ts';
import { ApiError, edgePage, networkProblem, unexpectedShape } from './errors.ts';
import { type Headers, header, isJsonType, readHttpDate, requestIdOf, wholeNumber } from './headers.ts';
import type { SentRequest } from './ledger.ts';
import { inTurn, TurnMissed, type WireRequest } from './network.ts';
import { networkError } from './networkErrors.ts';
import { errorOf, type WireAnswer } from './refusedAnswer.ts';
import { maxTries, type RetryWait, retrying } from './retry.ts';
import type { RequestScheduler, Turn } from './scheduler.ts';

/** How the service is asked. */
export interface ServiceOptions {
  readonly baseUrl: URL;
  readonly key: Secret | null;
  readonly authentication: 'bearer' | 'x-api-key';
  readonly userAgent: string;
  readonly scheduler: Pick<RequestScheduler, 'origin' | 'ended' | 'turn' | 'read' | 'pause' | 'succeeded'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly onRetryWait: (wait: RetryWait) => void;
  /** Told of every request that went out, whatever came of it. */
  readonly onSent: (request: SentRequest) => void;
}

/** An answer that drips in for longer than this, ms, is given up. */
const maxAnswerTime = 300_000;
/** How long nobody asks after a 429 that does not say when to come back, ms. */
const unspecifiedPause = 1000;
/** Bytes of a body, decompressed too, that are ever held. */
const maxBody = 32 * 1024 * 1024;

/** Makes what endpoints ask: each request waits for its turn, goes out, and is tried again where that may help. */
export function createService(options: ServiceOptions): Service {
  const { clock, random, onRetryWait: onWait, scheduler } = options;
  return {
    async ask(request, call = {}) {
      const wire = wireOf(request, options);
      const linked = linkSignals(call.signal, scheduler.ended);
      const tries = Math.min(call.tries ?? maxTries, maxTries);
      try {
        const ask = () => inTurn(() => askOnce(request, wire, call, linked.signal, options));
        return await retrying(ask, tries, linked.signal, { clock, random, onWait });
      } finally {
        linked.unlink();
      }
    },
  };
}

async function askOnce(
  request: ServiceRequest,
  wire: WireRequest,
  { priority = 'interactive' }: CallOptions,
  signal: AbortSignal,
  options: ServiceOptions,
): Promise<Answer> {
  const { scheduler, key } = options;
  const keyed = request.key !== false && key !== null;
  const { origin } = scheduler;
  const turn = await scheduler.turn({ origin, priority, keyed, signal });
  try {
    return await answerOf(request, wire, { priority, keyed, turn, signal }, options);
  } finally {
    // Last: whoever waits for the connection has to know of the wait that an answer asks for.
    turn.giveBack();
  }
}

interface Going {
  readonly priority: Priority;
  readonly keyed: boolean;
  readonly turn: Turn;
  readonly signal: AbortSignal;
}

async function answerOf(
  request: ServiceRequest,
  wire: WireRequest,
  { priority, keyed, turn, signal }: Going,
  { scheduler, clock, logger, key, onSent }: ServiceOptions,
): Promise<Answer> {
  const { origin } = scheduler;
  const started = clock.monotonic();
  const at = clock.now();
  const sent = (status: number | null) => {
    const elapsed = `${Math.round(clock.monotonic() - started)} ms`;
    logger.debug(`${request.method} ${request.route} ${status ?? 'failed'} after ${elapsed}`);
    onSent({ route: request.route, priority, at, status });
  };
  let answer: WireAnswer;
  try {
    answer = await inTime(clock, signal, (limited) => exchange(turn, wire, limited));
  } catch (error) {
    if (!(error instanceof TurnMissed)) sent(null);
    throw error;
  }
  const { status, headers, body } = answer;
  sent(status);
  if (keyed) await scheduler.read(headers);
  const requestId = requestIdOf(headers);
  const serverTime = readHttpDate(header(headers, 'date'));
  if (status === 304 && request.etag !== undefined)
    return { body: new Uint8Array(), isJson: false, serverTime, requestId, etag: request.etag, isUnchanged: true };
  if (status < 200 || status > 299) {
    const error = errorOf(answer, clock.now(), key ? [key] : []);
    const wait = error.problem.retryAfter ?? (status === 429 ? unspecifiedPause : undefined);
    if (wait !== undefined) await scheduler.pause(origin, wait, error.problem.cause, !keyed || !isJsonType(headers));
    throw error;
  }
  const isJson = isJsonType(headers);
  if (!isJson && request.accepts !== 'any') throw edgePage(status, requestId);
  if (isJson && !announcesEnd(headers) && nesting(body) === 'open')
    throw networkProblem(l10n.t('The connection dropped before the response was complete.'), l10n.t('Try again.'));
  await scheduler.succeeded(origin);
  return { body, isJson, serverTime, requestId, etag: header(headers, 'etag') };
}

/** Whether HTTP itself tells a whole body from one that broke off. */
function announcesEnd(headers: Headers): boolean {
  return header(headers, 'content-length') !== undefined || header(headers, 'transfer-encoding') !== undefined;
}

/** Runs with a signal that also aborts when the answer takes too long. */
async function inTime<T>(clock: Clock, signal: AbortSignal, run: (limited: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const { signal: limited, unlink } = linkSignals(signal, late.signal);
  clock.sleep(maxAnswerTime, done.signal).then(
    () =>
      late.abort(
        networkProblem(l10n.t('The response took too long.'), l10n.t('Check the connection, then try again.')),
      ),
    () => {}, // The answer came first.
  );
  try {
    return await run(limited);
  } finally {
    done.abort();
    unlink();
  }
}

/**
 * Sends a request and collects the answer, whatever its status; no redirect is followed. Throws the signal's reason
 * when it aborts, `network` when no whole answer came, `unexpected-shape` for a body above 32 MiB. What it throws holds
 * nothing of the request.
 */
async function exchange(turn: Turn, wire: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  let answer: WireAnswer;
  try {
    const { statusCode: status, headers, body } = await turn.request({ ...wire, signal });
    if ((wholeNumber(headers, 'content-length') ?? 0) > maxBody) {
      body.on('error', () => {}).destroy();
      throw tooLarge();
    }
    answer = { status, headers, body: await collect(body) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ApiError || error instanceof TurnMissed ? error : networkError(error);
  }
  return { ...answer, body: await decode(answer.body, header(answer.headers, 'content-encoding')) };
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

const decoders: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>> =
  {
    gzip: promisify(gunzip),
    'x-gzip': promisify(gunzip),
    deflate: promisify(inflate),
    br: promisify(brotliDecompress),
  };

async function decode(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || body.byteLength === 0) return body;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decoder) throw unexpectedShape(l10n.t('It uses an unsupported compression.'));
  try {
    return await decoder(body, { maxOutputLength: maxBody });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw networkProblem(l10n.t('The response arrived damaged.'), l10n.t('Try again.'));
  }
}

function tooLarge(): ApiError {
  return unexpectedShape(l10n.t('It is larger than 32 MiB.'));
}

function wireOf(request: ServiceRequest, { baseUrl, key, authentication, userAgent }: ServiceOptions): WireRequest {
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
    path: `${baseUrl.pathname}${request.path ?? request.route}${queryString(request.query)}`,
    headers,
    body: request.body === undefined ? null : JSON.stringify(request.body),
  };
}

function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
