import { type Clock, linkSignals } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { Answer, CallOptions, Query, Service, ServiceRequest } from './call.ts';
import { type Headers, header, isJsonType, requestIdOf } from './headers.ts';
import type { SentRequest } from './ledger.ts';
import type { Line } from './line.ts';
import { edgePage, networkProblem } from './problems.ts';
import { problemOf } from './refusal.ts';
import { mostTries, type RetryWait, retrying } from './retry.ts';
import { readHttpDate } from './retryAfter.ts';
import { send, type WireAnswer, type WireRequest } from './send.ts';

/** How the service is asked. */
export interface ServiceOptions {
  readonly baseUrl: URL;
  readonly key: Secret | null;
  readonly authentication: 'bearer' | 'x-api-key';
  readonly userAgent: string;
  readonly line: Pick<Line, 'origin' | 'ended' | 'turn' | 'giveBack' | 'read' | 'pause'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly onRetryWait: (wait: RetryWait) => void;
  /** Told of every request that went out, whatever came of it. */
  readonly onSent: (request: SentRequest) => void;
}

/** An answer that drips in for longer than this, ms, is given up. */
const longestAnswer = 300_000;
/** How long nobody asks after a 429 that does not say when to come back, ms. */
const unspecifiedPause = 1000;

/** Makes what endpoints ask: each request waits for its turn, goes out, and is tried again where that may help. */
export function createService(options: ServiceOptions): Service {
  const { clock, random, onRetryWait: onWait } = options;
  return {
    async ask(request, call = {}) {
      const wire = wireOf(request, options);
      const linked = linkSignals(call.signal, options.line.ended);
      const tries = Math.min(call.tries ?? mostTries, mostTries);
      try {
        const ask = () => askOnce(request, wire, call, linked.signal, options);
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
  { line, clock, logger, key, onSent }: ServiceOptions,
): Promise<Answer> {
  const keyed = request.key !== false && key !== null;
  const connection = await line.turn(line.origin, priority, keyed, signal);
  const started = clock.monotonic();
  const at = clock.now();
  const sent = (status: number | null) => onSent({ route: request.route, priority, at, status });
  let answer: WireAnswer;
  try {
    answer = await inTime(clock, signal, (limited) => send(connection.client, wire, limited));
  } catch (error) {
    logger.debug(`${request.method} ${request.route} failed after ${elapsed(clock, started)}`);
    sent(null);
    throw error;
  } finally {
    line.giveBack(connection);
  }
  const { status, headers, body } = answer;
  sent(status);
  logger.debug(`${request.method} ${request.route} ${status} in ${elapsed(clock, started)}`);
  if (keyed) await line.read(headers);
  const requestId = requestIdOf(headers);
  if (status === 304 && request.etag !== undefined) {
    const serverTime = readHttpDate(header(headers, 'date'));
    return { body: new Uint8Array(), isJson: false, serverTime, requestId, etag: request.etag, isUnchanged: true };
  }
  if (status < 200 || status > 299) {
    const error = problemOf(answer, clock.now(), key ? [key] : []);
    const wait = error.problem.retryAfter ?? (status === 429 ? unspecifiedPause : undefined);
    if (wait !== undefined) await line.pause(wait, error.problem.cause, !keyed || !isJsonType(headers));
    throw error;
  }
  const isJson = isJsonType(headers);
  if (!isJson && request.accepts !== 'any') throw edgePage(status, requestId);
  if (isJson && !announcesEnd(headers) && !isWholeJson(body)) {
    throw networkProblem(l10n.t('The connection broke before the answer was complete.'), l10n.t('Try again.'));
  }
  const serverTime = readHttpDate(header(headers, 'date'));
  return { body, isJson, serverTime, requestId, etag: header(headers, 'etag') };
}

/** Whether HTTP itself tells a whole body from one that broke off. */
function announcesEnd(headers: Headers): boolean {
  return header(headers, 'content-length') !== undefined || header(headers, 'transfer-encoding') !== undefined;
}

function isWholeJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}

/** Runs with a signal that also aborts when the answer takes longer than anybody waits. */
async function inTime<T>(clock: Clock, signal: AbortSignal, run: (limited: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const { signal: limited, unlink } = linkSignals(signal, late.signal);
  clock.sleep(longestAnswer, done.signal).then(
    () =>
      late.abort(networkProblem(l10n.t('The answer took too long.'), l10n.t('Check the connection, then try again.'))),
    () => {}, // The answer came first.
  );
  try {
    return await run(limited);
  } finally {
    done.abort();
    unlink();
  }
}

function elapsed(clock: Clock, since: number): string {
  return `${Math.round(clock.monotonic() - since)} ms`;
}

function wireOf(request: ServiceRequest, options: ServiceOptions): WireRequest {
  const { baseUrl, key, authentication, userAgent } = options;
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
    body: request.body === undefined ? undefined : JSON.stringify(request.body),
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
