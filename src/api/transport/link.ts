import { type Readable, Transform } from 'node:stream';
import { type Clock, linkSignals } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { DownloadLink } from '../schemas/report.ts';
import type { CallOptions } from './call.ts';
import { ApiError } from './errors.ts';
import { type FilePart, partOf, type Resume, rangeHeaders } from './fileRange.ts';
import { type Headers, header, wholeNumber } from './headers.ts';
import type { Line } from './line.ts';
import { mayFetch } from './linkAddress.ts';
import { networkError } from './networkErrors.ts';
import { comeBack, unexpectedShape } from './problems.ts';
import { retryAfter } from './retryAfter.ts';
import { sendRequest } from './undici.ts';

/** Takes a chunk. The promise it may give is awaited before the next one; what it throws ends the pouring. */
export type Take = (chunk: Uint8Array) => Promise<void> | undefined;

/** A PDF's bytes on their way. They must be poured to their end or cancelled. */
export interface FileResponse extends FilePart {
  /** Bytes of this body that the server announced, if any. */
  readonly contentLength: number | null;
  /**
   * Gives all bytes in order. A promise for each chunk would cost as much again as all the rest. Rejects with what `take`
   * throws, with the signal's reason, or with `network` when the bytes break off; nothing is being taken any more then.
   */
  pour(take: Take): Promise<void>;
  /**
   * The same bytes as a stream, for `pipeline`; use either this or `pour`. It fails with the signal's reason, with
   * `network` when the bytes break off, or with `unexpected-shape` when more come than may; ended or destroyed, it gives
   * the connection back.
   */
  readonly body: Readable;
  cancel(): void;
}

export interface LinkOptions {
  readonly baseUrl: URL;
  readonly userAgent: string;
  readonly line: Line;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Options of the fetch of a link; more than `maxBytes` are refused. */
export interface OpenLinkOptions extends CallOptions {
  readonly maxBytes?: number | undefined;
  /** Asks for the rest of a file alone. The server may send the whole all the same: `start` says which came. */
  readonly resume?: Resume | undefined;
}

const mostHops = 3;

/**
 * Fetches a signed link with a plain GET (DL-2): without the key, at most 3 redirects, none of them to anything but
 * https. It is never tried again: a fresh link is asked for instead. Throws `temporary` for a link that no longer works
 * or may work later, `rate-limited`, `network`, or `unexpected-shape`; nothing it throws holds the link.
 */
export async function openLink(link: DownloadLink, call: OpenLinkOptions, options: LinkOptions): Promise<FileResponse> {
  const { line, baseUrl } = options;
  const { signal, unlink } = linkSignals(call.signal, line.ended);
  try {
    let url = addressOf(link.url.reveal(), undefined, baseUrl);
    for (let hop = 0; ; hop++) {
      const answer = await get(url, call, signal, options);
      if (answer.status < 300 || answer.status > 399) return await fileOf(answer, call, signal, unlink, options);
      answer.drop();
      if (hop === mostHops) throw unexpectedShape(l10n.t('The link to the file redirects too often.'));
      url = addressOf(header(answer.headers, 'location') ?? '', url, baseUrl);
    }
  } catch (error) {
    unlink();
    signal.throwIfAborted();
    throw error;
  }
}

/** An answer whose body is still to come. */
interface OpenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Gives up the body and with it the socket. */
  drop(): void;
  /** The body came to its end. */
  finish(): void;
}

async function get(url: URL, call: OpenLinkOptions, signal: AbortSignal, options: LinkOptions): Promise<OpenAnswer> {
  const { line, userAgent, logger } = options;
  const connection = await line.turn(url.origin, call.priority ?? 'interactive', false, signal);
  try {
    const { statusCode, headers, body } = await sendRequest(connection.client, {
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity', ...rangeHeaders(call.resume) },
      signal,
    });
    logger.debug(`GET of a signed link ${statusCode}`);
    // A body that is dropped before anybody reads it ends with an error that nobody wants to hear.
    body.on('error', () => {});
    const giveBack = once(() => line.giveBack(connection));
    const drop = () => {
      body.destroy();
      giveBack();
    };
    return { status: statusCode, headers, body, drop, finish: giveBack };
  } catch (error) {
    line.giveBack(connection);
    signal.throwIfAborted();
    throw networkError(error);
  }
}

async function fileOf(
  answer: OpenAnswer,
  { maxBytes, resume }: OpenLinkOptions,
  signal: AbortSignal,
  unlink: () => void,
  { line, clock }: LinkOptions,
): Promise<FileResponse> {
  const { status, headers } = answer;
  const contentLength = wholeNumber(headers, 'content-length');
  const encoding = header(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  const part = partOf(status, headers, contentLength, resume);
  if (!part || encoding !== 'identity' || (maxBytes !== undefined && (contentLength ?? 0) > maxBytes)) {
    answer.drop();
    if (part)
      throw unexpectedShape(encoding === 'identity' ? l10n.word(tooLarge) : l10n.t('The file came compressed.'));
    if (status === 206 && resume)
      throw unexpectedShape(l10n.t('Another part of the file came than the one that was asked for.'));
    const wait = retryAfter(header(headers, 'retry-after'), header(headers, 'date'), clock.now()) ?? undefined;
    const error = linkRefused(status, wait);
    if (wait !== undefined) await line.pause(wait, error.problem.cause, true);
    throw error;
  }
  const cancel = () => {
    unlink();
    answer.drop();
  };
  const pour = async (take: Take) => {
    try {
      await pourBody(answer.body, maxBytes, take);
      answer.finish();
    } catch (error) {
      answer.drop();
      signal.throwIfAborted();
      throw error instanceof BrokenOff ? networkError(error.cause) : error;
    } finally {
      unlink();
    }
  };
  let stream: Readable | undefined;
  return {
    ...part,
    contentLength,
    cancel,
    pour,
    get body() {
      stream ??= streamOf(answer, maxBytes, signal, unlink);
      return stream;
    },
  };
}

/** The body with our own errors, cut off above `maxBytes`. */
function streamOf(
  answer: OpenAnswer,
  maxBytes = Number.POSITIVE_INFINITY,
  signal: AbortSignal,
  unlink: () => void,
): Readable {
  const { body } = answer;
  let size = 0;
  const stream = new Transform({
    transform(chunk: Uint8Array, _, done) {
      size += chunk.byteLength;
      if (size > maxBytes) done(unexpectedShape(l10n.word(tooLarge)));
      else done(null, chunk);
    },
  });
  const fail = () => stream.destroy(signal.aborted ? signal.reason : networkError(body.errored));
  // It may have broken off before anybody listened.
  if (body.destroyed && !body.readableEnded) queueMicrotask(fail);
  body.on('error', fail);
  body.on('close', () => body.readableEnded || fail());
  body.pipe(stream);
  stream.once('close', () => {
    if (body.readableEnded) answer.finish();
    else answer.drop();
    unlink();
  });
  return stream;
}

const tooLarge = l10n.later('The file is larger than it may be.');

/** Marks that the bytes ended early, apart from what the one who takes them throws. */
class BrokenOff extends Error {}

function pourBody(body: Readable, maxBytes: number | undefined, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let taking: Promise<void> | undefined;
    // What was given last is taken whole before anybody hears of an end, which comes to a paused body too.
    const fail = (error: unknown) => {
      body.off('data', onData).off('end', onEnd).pause();
      Promise.allSettled([taking]).then(() => reject(error));
    };
    const onEnd = () => {
      if (taking) taking.then(resolve, reject);
      else resolve();
    };
    const onData = (chunk: Uint8Array) => {
      try {
        size += chunk.byteLength;
        if (maxBytes !== undefined && size > maxBytes) throw unexpectedShape(l10n.word(tooLarge));
        taking = take(chunk);
        if (!taking) return;
        body.pause();
        taking.then(() => body.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    // It may have ended before anybody listened.
    if (body.destroyed) return fail(new BrokenOff('', { cause: body.errored }));
    body.on('end', onEnd);
    body.on('error', (cause) => fail(new BrokenOff('', { cause })));
    body.on('close', () => body.readableEnded || fail(new BrokenOff('', { cause: body.errored })));
    body.on('data', onData);
  });
}

/** The address of a link or of where it redirects to. Throws without repeating it when it may not be fetched. */
function addressOf(text: string, from: URL | undefined, baseUrl: URL): URL {
  const url = URL.canParse(text, from?.href) && text !== '' ? new URL(text, from?.href) : undefined;
  if (url && mayFetch(url, baseUrl)) return url;
  throw unexpectedShape(
    from
      ? l10n.t('The link to the file redirects to where it must not.')
      : l10n.t('The link to the file is not one that may be followed.'),
  );
}

function linkRefused(status: number, wait: number | undefined): ApiError {
  const gone = status === 401 || status === 403 || status === 404 || status === 410;
  return new ApiError({
    kind: status === 429 ? 'rate-limited' : 'temporary',
    cause: gone
      ? l10n.t('The link to the file no longer works ({0}).', status)
      : l10n.t("The file can't be fetched now ({0}).", status),
    nextStep: gone ? l10n.t('Download it again: a fresh link is asked for each time.') : comeBack(wait),
    status,
    retryAfter: wait,
  });
}

function once(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
}
