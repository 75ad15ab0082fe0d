import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { onDisk } from './diskProblem.ts';
import type { FileBody } from './ports.ts';

/** Largest PDF that is taken, in bytes. */
export const largestFile = 2 * 1024 ** 3;

/** Chunks are written in batches of this many bytes: a write awaited per chunk costs a third of the speed. */
const batchBytes = 1 << 20;

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
  /** Told how many bytes came, at most ten times a second and once at the end. */
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
 * Writes a body to an open, empty file and hashes it as it flows. On abort it rejects at once with the signal's
 * reason, whatever the body does; the body is cancelled on every way out but success.
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
  const { contentLength } = response;
  const limit = options.maxBytes ?? largestFile;
  if (contentLength !== null && contentLength > limit) throw tooLarge(limit);
  const hash = createHash('sha256');
  const report = throttled(options, contentLength);
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  let batch: Uint8Array[] = [];
  let batched = 0;
  let writing: Promise<void> | undefined;

  async function flush() {
    // One write at a time keeps the order and bounds the memory: a batch on its way, a batch being gathered.
    await writing;
    if (batched === 0) return;
    const [chunks, position] = [batch, bytes - batched];
    writing = onDisk(() => writeAll(file, chunks, position));
    // Awaited at the next flush; until then a failure must not count as unhandled.
    writing.catch(() => {});
    batch = [];
    batched = 0;
  }

  try {
    for await (const chunk of response.body) {
      options.signal?.throwIfAborted();
      if (chunk.byteLength === 0) continue;
      bytes += chunk.byteLength;
      if (bytes > limit) throw tooLarge(limit);
      if (contentLength !== null && bytes > contentLength) {
        throw new StreamProblem('too-long', 'More bytes came than the server announced.');
      }
      hash.update(chunk);
      if (head.length < 1024) head = Buffer.concat([head, chunk.subarray(0, 1024 - head.length)]);
      batch.push(chunk);
      batched += chunk.byteLength;
      if (batched >= batchBytes) await flush();
      report(bytes);
    }
    options.signal?.throwIfAborted();
    if (contentLength !== null && bytes < contentLength) {
      throw new StreamProblem('cut-short', 'The connection ended before the whole file had come.');
    }
    await flush();
  } finally {
    await writing;
  }
  report(bytes, true);
  return { sha256: hash.digest('hex'), bytes, looksLikePdf: head.includes('%PDF-') };
}

/** Writes all of the chunks: `writev` may stop short, then the rest goes one by one. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[], position: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks, position);
  let skip = bytesWritten;
  let at = position;
  for (const chunk of chunks) {
    for (let from = Math.min(skip, chunk.byteLength); from < chunk.byteLength; ) {
      const { bytesWritten: more } = await file.write(chunk, from, chunk.byteLength - from, at + from);
      from += more;
    }
    skip = Math.max(0, skip - chunk.byteLength);
    at += chunk.byteLength;
  }
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
  return new StreamProblem('too-large', `The file is larger than the ${Math.floor(limit / 1e6)} MB that are accepted.`);
}
