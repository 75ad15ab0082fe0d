import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { BatchWriter } from './batchWriter.ts';
import { blockBytes } from './blocks.ts';
import { onDisk } from './diskProblem.ts';
import type { FileBody } from './ports.ts';

/** Largest PDF that is taken, in bytes. */
export const largestFile = 2 * 1024 ** 3;

/** Shortest time between two progress reports, in ms. */
const progressInterval = 100;

/** How a stream ended short of a whole file. */
export type StreamProblemCode = 'too-large' | 'cut-short' | 'too-long';

/** Thrown when the bytes that came can't be the file. Its message is fit to be shown. */
export class StreamProblem extends Error {
  override readonly name = 'StreamProblem';
  readonly code: StreamProblemCode;

  constructor(code: StreamProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface StreamOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Refuses more than this many bytes; {@link largestFile} unless told. */
  readonly maxBytes?: number | undefined;
  /** Bytes that an earlier attempt left in the file; a body that begins at 0 replaces them. */
  readonly held?: number | undefined;
  /** Told how many bytes are here, at most ten times a second and once at the end. */
  readonly onProgress?: ((bytes: number, total: number | null) => void) | undefined;
}

export interface Streamed {
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** Whether a PDF header came; told, not judged. */
  readonly looksLikePdf: boolean;
}

/**
 * Writes a body to an open file and hashes it as it flows. A body that begins further on continues what the file holds,
 * whose bytes are read and hashed first. When the body breaks off, all that came is in the file. On abort it rejects at
 * once with the signal's reason, whatever the body does; the body is cancelled on every way out but success.
 * @throws StreamProblem, DiskProblem, or the body's own error
 */
export function streamToFile(response: FileBody, file: FileHandle, options: StreamOptions): Promise<Streamed> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      response.cancel();
      return reject(signal.reason);
    }
    const onAbort = () => {
      response.cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    // The response stays referenced from here until its body has ended.
    pump(response, file, options)
      .catch((error: unknown) => {
        response.cancel();
        throw error;
      })
      .finally(() => signal?.removeEventListener('abort', onAbort))
      .then(resolve, reject);
  });
}

async function pump(response: FileBody, file: FileHandle, options: StreamOptions): Promise<Streamed> {
  const { contentLength, start = 0, total = contentLength } = response;
  const limit = options.maxBytes ?? largestFile;
  const announced = contentLength === null ? null : start + contentLength;
  if (Math.max(announced ?? 0, total ?? 0) > limit) throw tooLarge(limit);
  const hash = createHash('sha256');
  let head = await begin(file, hash, start, options);
  const report = throttled(options, total ?? announced);
  const writer = new BatchWriter(file, start);
  let bytes = start;
  try {
    await response.pour((chunk) => {
      options.signal?.throwIfAborted();
      bytes += chunk.byteLength;
      if (bytes > limit) throw tooLarge(limit);
      if (announced !== null && bytes > announced) throw new StreamProblem('too-long', l10n.word(tooLong));
      hash.update(chunk);
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      const full = writer.add(chunk);
      report(bytes);
      return full;
    });
    options.signal?.throwIfAborted();
    if (bytes < (total ?? announced ?? 0)) throw new StreamProblem('cut-short', l10n.word(cutShort));
  } finally {
    // Also what came before a body broke off: the next attempt goes on from there.
    if (!options.signal?.aborted) await writer.flush();
    await writer.end();
  }
  report(bytes, true);
  return { sha256: hash.digest('hex'), bytes, looksLikePdf: head.includes('%PDF-') };
}

const headBytes = 1024;
const tooLong = l10n.later('More bytes came than the server announced.');
const cutShort = l10n.later('The connection ended before the whole file had come.');

/** Makes file and hash ready for a body that begins at `start`; gives the first bytes of what is there. */
async function begin(file: FileHandle, hash: Hash, start: number, { held = 0, signal }: StreamOptions) {
  let head: Buffer = Buffer.alloc(0);
  if (held > start) await onDisk(() => file.truncate(start));
  for (let at = 0; at < start; ) {
    signal?.throwIfAborted();
    const buffer = Buffer.allocUnsafe(Math.min(blockBytes, start - at));
    const { bytesRead } = await onDisk(() => file.read(buffer, 0, buffer.length, at));
    if (bytesRead === 0) throw new StreamProblem('cut-short', l10n.word(cutShort));
    if (at === 0) head = buffer.subarray(0, Math.min(bytesRead, headBytes));
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return head;
}

function throttled(
  { clock, onProgress }: StreamOptions,
  total: number | null,
): (bytes: number, last?: boolean) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (bytes, last = false) => {
    if (!onProgress) return;
    const now = clock.monotonic();
    if (!last && now - told < progressInterval) return;
    told = now;
    onProgress(bytes, total);
  };
}

function tooLarge(limit: number): StreamProblem {
  return new StreamProblem(
    'too-large',
    l10n.t('The file is larger than the {0} MB that are accepted.', Math.floor(limit / 1e6)),
  );
}
