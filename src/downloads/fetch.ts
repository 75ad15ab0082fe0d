import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import type { FileResponse } from '../api/schemas/report.ts';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { onDisk } from '../files/guard.ts';
import { type FileHash, hashInto } from '../files/hash.ts';
import { type DownloadOptions, StreamProblem } from './ports.ts';

/** Largest PDF that is taken, in bytes. */
export const maxDownloadBytes = 2 * 1024 ** 3;

/** Bytes written at once. A write awaited for each chunk would cost a third of the speed. */
const bufferBytes = 1 << 20;

/** Shortest time between two progress reports, in ms. */
const progressInterval = 100;

export interface StreamOptions extends Pick<DownloadOptions, 'signal' | 'onProgress'> {
  /** Refuses a larger file; bytes. */
  readonly maxBytes?: number | undefined;
  readonly clock: Clock;
  /** Bytes that an earlier attempt left in the file; a body that begins at 0 replaces them. */
  readonly held?: number | undefined;
}

export interface Streamed extends FileHash {
  /** Whether a PDF header came; reported, not judged. */
  readonly looksLikePdf: boolean;
}

/**
 * Writes a body to an open file and hashes it. A body that begins further on continues the file, whose earlier bytes
 * are hashed first. When the body breaks off, all that came is in the file.
 * @throws StreamProblem, DiskProblem, the body's own error, or the signal's reason
 */
export async function streamToFile(
  response: FileResponse,
  file: FileHandle,
  options: StreamOptions,
): Promise<Streamed> {
  const { body, contentLength, start, total } = response;
  const { signal, held = 0, maxBytes = maxDownloadBytes } = options;
  // Also ends the wait for a stalled body.
  if (signal) addAbortSignal(signal, body);
  // After the reader has left, this handles the body's errors.
  body.on('error', () => {});
  const hash = createHash('sha256');
  const announced = contentLength === null ? null : start + contentLength;
  const report = throttled(options, total ?? announced);
  const writer = bufferedWriter(file, start);
  let bytes = start;
  try {
    if (Math.max(announced ?? 0, total ?? 0) > maxBytes) throw tooLarge(maxBytes);
    await onDisk(async () => {
      if (held > start) await file.truncate(start);
      if ((await hashInto(hash, file, start, signal)) < start) throw cutShort();
    });
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        if (announced !== null && bytes > announced) throw tooLong();
        hash.update(chunk);
        await writer.add(chunk);
        report(bytes);
      }
    } finally {
      // The next attempt goes on from there.
      await writer.end();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    body.destroy();
  }
  if (bytes < (total ?? announced ?? 0)) throw cutShort();
  report(bytes, true);
  return { sha256: hash.digest('hex'), bytes, looksLikePdf: await beginsLikePdf(file) };
}

/** Writes to an open file from a position on: one buffer is filled while the other one is written. */
function bufferedWriter(file: FileHandle, start: number) {
  let [filling, other] = [Buffer.allocUnsafe(bufferBytes), Buffer.allocUnsafe(bufferBytes)];
  let [at, used] = [start, 0];
  let writing = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = onDisk(() => writeAll(file, filling.subarray(0, used), at));
    // Thrown by the next flush.
    writing.catch(() => {});
    at += used;
    used = 0;
    [filling, other] = [other, filling];
  };
  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let from = 0; from < chunk.length; ) {
        if (used === bufferBytes) await flush();
        const piece = chunk.subarray(from, from + bufferBytes - used);
        filling.set(piece, used);
        used += piece.length;
        from += piece.length;
      }
      letGo(chunk);
    },
    async end(): Promise<void> {
      await flush();
      await writing;
    },
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Frees a chunk's memory, unless it shares it: the collector would take a quarter of a download's processor time. */
function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

async function beginsLikePdf(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await onDisk(() => file.read(Buffer.alloc(1024), 0, 1024, 0));
  return buffer.subarray(0, bytesRead).includes('%PDF-');
}

function throttled({ clock, onProgress }: StreamOptions, total: number | null) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (bytes: number, isLast = false) => {
    const now = clock.monotonic();
    if (!onProgress || (!isLast && now - reportedAt < progressInterval)) return;
    reportedAt = now;
    onProgress(bytes, total);
  };
}

const tooLong = () => new StreamProblem('too-long', l10n.t('The server sent more data than announced.'));
const cutShort = () => new StreamProblem('cut-short', l10n.t('The connection closed before the file was complete.'));
const tooLarge = (limit: number) =>
  new StreamProblem('too-large', l10n.t('The file exceeds the size limit of {0} MB.', Math.floor(limit / 1e6)));
