import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { Report } from '../api/schemas/report.ts';
import type { Encoder } from './formats.ts';

export interface TableOptions {
  /** Absolute path of the file; replaced when it is there, once all is written. */
  readonly file: string;
  readonly encoder: Encoder;
  /** Pages of reports, taken one after the other. */
  readonly pages: AsyncIterable<readonly Report[]>;
  readonly signal: AbortSignal;
  /** Told how many reports are in the file so far. */
  onProgress?(rows: number): void;
}

/**
 * Writes a table page by page. The file gets its name when it is whole: whatever ends the work before, a cancel or a
 * full disk, leaves nothing behind and an older file as it was. Gives the number of rows.
 */
export async function writeTable({ file, encoder, pages, signal, onProgress }: TableOptions): Promise<number> {
  const unfinished = `${file}.${randomUUID().slice(0, 8)}.part`;
  const handle = await open(unfinished, 'wx');
  let isWhole = false;
  let rows = 0;
  try {
    for await (const page of pages) {
      signal.throwIfAborted();
      await handle.writeFile(encoder.add(page));
      rows += page.length;
      onProgress?.(rows);
    }
    signal.throwIfAborted();
    await handle.writeFile(encoder.end());
    await handle.sync();
    isWhole = true;
  } finally {
    await handle.close();
    if (!isWhole) await rm(unfinished, { force: true });
  }
  try {
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return rows;
}
