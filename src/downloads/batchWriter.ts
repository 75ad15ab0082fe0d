import type { FileHandle } from 'node:fs/promises';
import { type Blocks, blockBytes, sharedBlocks } from './blocks.ts';
import { onDisk } from './diskProblem.ts';

/**
 * Writes chunks to a file in order. They are copied into a block, so that they may change right after, and the memory
 * they came in can be used again at once. One write at a time: a block on its way, a block being gathered, and no more
 * memory than that. `end` has to be called whatever happens.
 */
export class BatchWriter {
  readonly #file: FileHandle;
  readonly #blocks: Blocks;
  #position: number;
  #block: Buffer | undefined;
  #gathered = 0;
  #writing: Promise<void> | undefined;

  /** @param position where in the file the first chunk belongs */
  constructor(file: FileHandle, position: number, blocks = sharedBlocks) {
    this.#file = file;
    this.#position = position;
    this.#blocks = blocks;
  }

  /** Takes a chunk. A promise is to be awaited before the next one. @throws DiskProblem of an earlier write */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const room = blockBytes - this.#gathered;
    if (chunk.byteLength < room) {
      this.#copy(chunk);
      return undefined;
    }
    this.#copy(chunk.subarray(0, room));
    return this.#goOn(chunk.subarray(room));
  }

  /** Starts writing what was gathered, after the write under way. @throws DiskProblem of that one */
  async flush(): Promise<void> {
    await this.#writing;
    const [block, length, position] = [this.#block, this.#gathered, this.#position];
    if (!block || length === 0) return;
    this.#position += length;
    this.#block = undefined;
    this.#gathered = 0;
    this.#writing = onDisk(() => writeAll(this.#file, block, length, position)).finally(() =>
      this.#blocks.giveBack(block),
    );
    // Awaited at the next flush; until then a failure must not count as unhandled.
    this.#writing.catch(() => {});
  }

  /** When no write is under way; what was gathered and not flushed is dropped. @throws DiskProblem of the last one */
  async end(): Promise<void> {
    if (this.#block) this.#blocks.giveBack(this.#block);
    this.#block = undefined;
    this.#gathered = 0;
    await this.#writing;
  }

  async #goOn(rest: Uint8Array): Promise<void> {
    await this.flush();
    for (let from = 0; from < rest.byteLength; from += blockBytes) {
      this.#copy(rest.subarray(from, from + blockBytes));
      if (this.#gathered === blockBytes) await this.flush();
    }
  }

  #copy(chunk: Uint8Array): void {
    this.#block ??= this.#blocks.take();
    this.#block.set(chunk, this.#gathered);
    this.#gathered += chunk.byteLength;
  }
}

/** Writes all of it: a write may stop short. */
async function writeAll(file: FileHandle, block: Buffer, length: number, position: number): Promise<void> {
  for (let from = 0; from < length; ) {
    const { bytesWritten } = await file.write(block, from, length - from, position + from);
    from += bytesWritten;
  }
}
