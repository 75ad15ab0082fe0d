import { BlockList, isIP } from 'node:net';
import { finished, PassThrough, type Readable } from 'node:stream';
import { type Clock, linkSignals } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { isLoopback } from '../../base/secret.ts';
import type { DownloadLink, FileResponse, OpenLinkOptions, Resume } from '../schemas/report.ts';
import type { Exchange, RequestBudget } from './budget.ts';
import { ApiError, comeBack, unexpectedShape } from './errors.ts';
import { type Headers, header, retryAfter, wholeNumber } from './headers.ts';
import { deadline, networkError, tooLate } from './networkErrors.ts';

export interface LinkOptions {
  readonly baseUrl: URL;
  readonly userAgent: string;
  readonly budget: Pick<RequestBudget, 'ended' | 'acquire' | 'pause'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const maxRedirects = 3;
/** How long the head of an answer may take, ms; hints that come before it (1xx) give no more time. */
const headLimit = 60_000;
/** A host that is waited for and sends fewer bytes than this in so many ms is given up. */
const leastRate = { bytes: 32 * 1024, ms: 60_000 };

/** Fetches a signed link (DL-2): without the key, at most 3 redirects, all https. It is never tried again. */
export async function openLink(link: DownloadLink, call: OpenLinkOptions, options: LinkOptions): Promise<FileResponse> {
  const { budget, baseUrl } = options;
  const { signal, unlink } = linkSignals(call.signal, budget.ended);
  try {
    let url = addressOf(link.url.reveal(), undefined, baseUrl);
    for (let redirects = 0; ; redirects++) {
      const answer = await get(url, call, signal, options);
      if (answer.statusCode < 300 || answer.statusCode > 399) {
        const file = await fileOf(answer, url.origin, call.resume, signal, options);
        finished(file.body, unlink);
        return file;
      }
      answer.body.destroy();
      if (redirects === maxRedirects) throw unexpectedShape('The link to the file redirects too often.');
      url = addressOf(header(answer.headers, 'location') ?? '', url, baseUrl);
    }
  } catch (error) {
    unlink();
    signal.throwIfAborted();
    throw error;
  }
}

/** Requests a file; its connection is returned with the end of the body. */
async function get(url: URL, call: OpenLinkOptions, signal: AbortSignal, options: LinkOptions): Promise<Exchange> {
  const { budget, userAgent, logger, clock } = options;
  const { priority = 'interactive', resume } = call;
  const headers: Record<string, string> = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' };
  if (resume) headers.range = `bytes=${resume.from}-`;
  if (resume?.tag !== undefined) headers['if-range'] = resume.tag;
  const go = await budget.acquire({ origin: url.origin, priority, kind: 'file' }, signal);
  const head = deadline(clock, headLimit, signal);
  const end = () => {
    head.unlink();
    go.release();
  };
  try {
    const path = `${url.pathname}${url.search}`;
    const answer = await go.send({ method: 'GET', path, headers, signal: head.signal });
    logger.debug(`GET of a signed link ${answer.statusCode}`);
    // A body that is dropped before it is read ends with an error without a listener.
    answer.body.on('error', () => {}).once('close', end);
    return answer;
  } catch (error) {
    end();
    throw error;
  } finally {
    head.met();
  }
}

async function fileOf(
  { statusCode: status, headers, body }: Exchange,
  origin: string,
  resume: Resume | undefined,
  signal: AbortSignal,
  { budget, clock }: LinkOptions,
): Promise<FileResponse> {
  const contentLength = wholeNumber(headers, 'content-length');
  const encoding = header(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  const part = partOf(status, headers, resume);
  if (part && encoding === 'identity') return { ...part, contentLength, body: streamOf(body, signal, clock) };
  body.destroy();
  if (part) throw unexpectedShape('The file was unexpectedly compressed.');
  if (status === 206 && resume) throw unexpectedShape('The server returned the wrong part of the file.');
  const wait = retryAfter(headers, clock.now()) ?? undefined;
  const error = linkRefused(status, wait);
  // Files may come from the service's own origin, whose API goes on.
  if (wait !== undefined) await budget.pause(origin, wait, error.problem.cause, 'files');
  throw error;
}

/** The body with our own errors. A host that sends next to nothing is given up; a reader may take its time. */
function streamOf(body: Readable, signal: AbortSignal, clock: Clock): Readable {
  const stream = new PassThrough();
  const ended = new AbortController();
  let received = 0;
  // While the reader is behind, the host can't send.
  let wasFull = false;
  body.on('data', (chunk: Uint8Array) => {
    received += chunk.byteLength;
  });
  stream.on('drain', () => {
    wasFull = true;
  });
  body.once('close', () => {
    ended.abort();
    if (!body.readableEnded) stream.destroy(signal.aborted ? signal.reason : networkError(body.errored));
  });
  // An error that comes before anybody reads is kept for the reader.
  stream.on('error', () => {});
  stream.once('close', () => body.destroy());
  const watch = async () => {
    do {
      [received, wasFull] = [0, stream.writableNeedDrain];
      await clock.sleep(leastRate.ms, ended.signal);
    } while (wasFull || stream.writableNeedDrain || received >= leastRate.bytes);
    stream.destroy(tooLate());
  };
  watch().catch(() => {}); // The body ended first.
  return body.pipe(stream);
}

/** The part of the file in an answer; undefined for one that starts elsewhere or is of another version. */
function partOf(
  status: number,
  headers: Headers,
  resume: Resume | undefined,
): Omit<FileResponse, 'contentLength' | 'body'> | undefined {
  const tag = strongTag(header(headers, 'etag'));
  if (status === 200) return { start: 0, total: wholeNumber(headers, 'content-length'), tag };
  const range = header(headers, 'content-range') ?? '';
  const [, start, total = '*'] = /^\s*bytes\s+(\d{1,15})-\d{1,15}\/(\d{1,15}|\*)\s*$/i.exec(range) ?? [];
  if (status !== 206 || !resume || Number(start) !== resume.from) return undefined;
  if (tag !== undefined && resume.tag !== undefined && tag !== resume.tag) return undefined;
  return { start: resume.from, total: total === '*' ? null : Number(total), tag: tag ?? resume.tag };
}

function strongTag(value: string | undefined): string | undefined {
  const tag = value?.trim();
  return tag !== undefined && /^"[\x21\x23-\x7e]{1,256}"$/.test(tag) ? tag : undefined;
}

/** The address of a link or of where it redirects to. Throws without repeating it when it may not be fetched. */
function addressOf(text: string, from: URL | undefined, baseUrl: URL): URL {
  const url = URL.canParse(text, from?.href) && text !== '' ? new URL(text, from?.href) : undefined;
  if (url && mayFetch(url, baseUrl)) return url;
  throw from ? unexpectedShape("The link to the file redirects to an address that isn't allowed.") : forbiddenAddress();
}

/** The error of a link that leads to where no file for the public is served. */
export function forbiddenAddress(): ApiError {
  return unexpectedShape("The link to the file isn't allowed.");
}

function linkRefused(status: number, wait: number | undefined): ApiError {
  const gone = status === 401 || status === 403 || status === 404 || status === 410;
  return new ApiError({
    kind: status === 429 ? 'rate-limited' : 'temporary',
    cause: gone
      ? l10n.t('The link to the file no longer works ({0}).', status)
      : l10n.t("The file can't be fetched now ({0}).", status),
    nextStep: gone ? l10n.t('Download it again. Each attempt requests a new link.') : comeBack(wait),
    status,
    retryAfter: wait,
  });
}

/** Addresses that never serve a file to the public: loopback, private, link-local, shared, multicast, reserved. */
const inside = new BlockList();
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
]) {
  const [network = '', bits] = range.split('/');
  inside.addSubnet(network, Number(bits));
}

/**
 * Whether a link may be fetched (DL-2): https to a public address or the service's own origin; loopback from loopback.
 * Names are checked again once resolved ({@link isPublic}).
 */
export function mayFetch(link: URL, baseUrl: URL): boolean {
  if (link.username !== '' || link.password !== '') return false;
  if (isLoopback(link)) return isLoopback(baseUrl) && (link.protocol === 'https:' || link.protocol === 'http:');
  if (link.protocol !== 'https:') return false;
  if (link.origin === baseUrl.origin) return true;
  const host = link.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return isIP(host) === 0 ? host !== 'localhost' && !host.endsWith('.localhost') : isPublic(host);
}

/** Whether an IP address may serve a file to the public. */
export function isPublic(address: string): boolean {
  const plain = translated(address) ?? address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) === 4) return !inside.check(plain);
  // Only global unicast addresses (2000::/3), and those of IPv4 written as IPv6 are none.
  return /^[23][0-9a-f]{3}:/i.test(plain) && !plain.startsWith('2002:');
}

/** The IPv4 address that networks without IPv4 reach through a gateway, as 64:ff9b::/96 (RFC 6052) writes it. */
function translated(address: string): string | undefined {
  const url = `http://[${address}]`;
  const host = isIP(address) === 6 && URL.canParse(url) ? new URL(url).hostname : '';
  const parts = /^\[64:ff9b::([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host)?.slice(1);
  return parts?.flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}
