import type { FileHandle } from 'node:fs/promises';
import { onDisk } from './diskProblem.ts';

/** Chunks are written in batches of this many bytes: a write awaited per chunk costs a third of the speed. */
export const batchBytes = 1 << 20;

/**
 * Writes chunks to a file in order. One write at a time: a batch on its way, a batch being gathered, and no more memory
 * than that.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  #position: number;
  #batch: Uint8Array[] = [];
  #gathered = 0;
  #writing: Promise<void> | undefined;

  /** @param position where in the file the first chunk belongs */
  constructor(file: FileHandle, position: number) {
    this.#file = file;
    this.#position = position;
  }

  /** Takes a chunk, which must not change any more. A promise is to be awaited before the next one. */
  add(chunk: Uint8Array): Promise<void> | undefined {
    this.#batch.push(chunk);
    this.#gathered += chunk.byteLength;
    return this.#gathered >= batchBytes ? this.flush() : undefined;
  }

  /** Starts writing what was gathered, after the write under way. @throws DiskProblem of that one */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#gathered === 0) return;
    const [chunks, position] = [this.#batch, this.#position];
    this.#position += this.#gathered;
    this.#batch = [];
    this.#gathered = 0;
    this.#writing = onDisk(() => writeAll(this.#file, chunks, position));
    // Awaited at the next flush; until then a failure must not count as unhandled.
    this.#writing.catch(() => {});
  }

  /** When no write is under way. @throws DiskProblem of the last one */
  async end(): Promise<void> {
    await this.#writing;
  }
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
