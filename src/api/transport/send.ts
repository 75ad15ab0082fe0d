import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { l10n } from '../../base/l10n.ts';
import { ApiError } from './errors.ts';
import { type Headers, header, wholeNumber } from './headers.ts';
import { networkError } from './networkErrors.ts';
import { networkProblem, unexpectedShape } from './problems.ts';
import { type Client, sendRequest } from './undici.ts';

/** One HTTP request, ready to go out. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Bytes of a body, decompressed too, that are ever held. */
const largestBody = 32 * 1024 * 1024;

const decoders: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>> =
  {
    gzip: promisify(gunzip),
    'x-gzip': promisify(gunzip),
    deflate: promisify(inflate),
    br: promisify(brotliDecompress),
  };

/**
 * Sends a request and collects the answer, whatever its status; no redirect is followed. Throws the signal's reason
 * when it aborts, `network` when no whole answer came, `unexpected-shape` for a body above 32 MiB. What it throws holds
 * nothing of the request.
 */
export async function send(client: Client, wire: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  const { status, headers, body } = await exchange(client, wire, signal);
  return { status, headers, body: await decode(body, header(headers, 'content-encoding')) };
}

async function exchange(client: Client, wire: WireRequest, signal: AbortSignal): Promise<WireAnswer> {
  try {
    const { method, path, headers: sent, body: text } = wire;
    const answer = await sendRequest(client, { method, path, headers: sent, body: text ?? null, signal });
    const { statusCode: status, headers } = answer;
    if ((wholeNumber(headers, 'content-length') ?? 0) > largestBody) {
      answer.body.on('error', () => {}).destroy();
      throw tooLarge();
    }
    return { status, headers, body: await collect(answer.body) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ApiError ? error : networkError(error);
  }
}

/** The whole body. Closes the connection as soon as there is too much of it. */
function collect(body: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    body.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size > largestBody) body.destroy(tooLarge());
      else chunks.push(chunk);
    });
    body.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    body.once('error', reject);
  });
}

async function decode(body: Uint8Array, encoding: string | undefined): Promise<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || body.byteLength === 0) return body;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!decoder) throw unexpectedShape(l10n.t('It is compressed in a way that nobody asked for.'));
  try {
    return await decoder(body, { maxOutputLength: largestBody });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw networkProblem(l10n.t('The answer arrived damaged.'), l10n.t('Try again.'));
  }
}

function tooLarge(): ApiError {
  return unexpectedShape(l10n.t('It is larger than 32 MiB.'));
}
