import { createHash } from 'node:crypto';
import { createWriteStream, write, writev } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { addAbortSignal, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileResponse } from '../api/schemas/report.ts';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { type FileHash, hashInto, onDisk } from './disk.ts';
import { type DownloadOptions, StreamProblem } from './ports.ts';

/** Largest PDF that is taken, in bytes. */
export const maxDownloadBytes = 2 * 1024 ** 3;

/** Bytes that wait for the disk while more come. A write awaited for each chunk would cost a third of the speed. */
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
  /** Whether a PDF header came; told, not judged. */
  readonly looksLikePdf: boolean;
}

/**
 * Writes a body to an open file and hashes it as it flows. A body that begins further on continues what the file holds,
 * whose bytes are read and hashed first. When the body breaks off, all that came is in the file. On abort it rejects
 * with the signal's reason, whatever the body does; the body is destroyed on every way out but success. Its bytes are
 * given back to the system once they are written: nobody else may want them.
 * @throws StreamProblem, DiskProblem, or the body's own error
 */
export async function streamToFile(
  response: FileResponse,
  file: FileHandle,
  options: StreamOptions,
): Promise<Streamed> {
  const { body, contentLength, start, total } = response;
  const { signal, held = 0, maxBytes = maxDownloadBytes } = options;
  // A stalled body is waited for no longer.
  if (signal) addAbortSignal(signal, body);
  // The reader hears of its errors; after that nobody does.
  body.on('error', () => {});
  const hash = createHash('sha256');
  const announced = contentLength === null ? null : start + contentLength;
  const report = throttled(options, total ?? announced);
  let bytes = start;
  let broken: { readonly error: unknown } | undefined;
  async function* hashed() {
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw tooLarge(maxBytes);
        if (announced !== null && bytes > announced) throw tooLong();
        hash.update(chunk);
        report(bytes);
        yield chunk;
      }
    } catch (error) {
      // Earlier bytes are still written: the next attempt goes on from there.
      broken = { error };
    }
  }
  try {
    if (Math.max(announced ?? 0, total ?? 0) > maxBytes) throw tooLarge(maxBytes);
    await onDisk(async () => {
      if (held > start) await file.truncate(start);
      if ((await hashInto(hash, file, start, signal)) < start) throw cutShort();
    });
    await onDisk(() => pipeline(hashed, writerTo(file, start), { signal }));
    if (broken) throw broken.error;
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

/** Writes to an open file from a place on, what has gathered meanwhile in one go. The file stays open in any case. */
function writerTo({ fd }: FileHandle, start: number): Writable {
  const fs = { write: writeOne, writev: writeGathered, close: (_fd: number, done: () => void) => done() };
  return createWriteStream('', { fd, start, highWaterMark: bufferBytes, fs });
}

type Written<Of> = (error: Error | null, bytes: number, written: Of) => void;

function writeOne(fd: number, chunk: Uint8Array, from: number, size: number, at: number, done: Written<Uint8Array>) {
  write(fd, chunk, from, size, at, (error, bytes) => {
    if (bytes === chunk.byteLength) letGo(chunk);
    done(error, bytes, chunk);
  });
}

/**
 * Gives back the memory of bytes that were written, unless others lie in it too. To have the collector find it takes a
 * quarter of a download's processor time.
 */
function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** After a short `writev` Node's streams write the rest to the wrong place, so none of ours is short. */
function writeGathered(
  fd: number,
  chunks: readonly Uint8Array[],
  at: number,
  done: Written<readonly Uint8Array[]>,
): void {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const writeFrom = (from: number): void =>
    write(fd, Buffer.concat(chunks), from, size - from, at + from, (error, written) => goOn(error, from + written));
  const goOn = (error: Error | null, written: number): void => {
    if (!error && written < size) writeFrom(written);
    else {
      chunks.forEach(letGo);
      done(error, size, chunks);
    }
  };
  writev(fd, chunks, at, goOn);
}

async function beginsLikePdf(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await onDisk(() => file.read(Buffer.alloc(1024), 0, 1024, 0));
  return buffer.subarray(0, bytesRead).includes('%PDF-');
}

function throttled({ clock, onProgress }: StreamOptions, total: number | null) {
  let told = Number.NEGATIVE_INFINITY;
  return (bytes: number, isLast = false) => {
    const now = clock.monotonic();
    if (!onProgress || (!isLast && now - told < progressInterval)) return;
    told = now;
    onProgress(bytes, total);
  };
}

const tooLong = () => new StreamProblem('too-long', l10n.t('The server sent more data than announced.'));
const cutShort = () => new StreamProblem('cut-short', l10n.t('The connection closed before the file was complete.'));
const tooLarge = (limit: number) =>
  new StreamProblem('too-large', l10n.t('The file exceeds the size limit of {0} MB.', Math.floor(limit / 1e6)));
