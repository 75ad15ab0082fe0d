import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Report } from '../api/schemas/report.ts';
import { systemClock } from '../base/clock.ts';
import { partName, sweepPartsOf } from '../files/atomic.ts';
import { csvEncoder, type Encoder, jsonLinesEncoder } from './rows.ts';

interface TableOptions {
  /** Absolute path of the file; replaced when it is there, once all is written. */
  readonly file: string;
  readonly encoder: Encoder;
  /** Pages of reports, taken one after the other. */
  readonly pages: AsyncIterable<readonly Report[]>;
  readonly signal: AbortSignal;
  /** Told how many reports are in the file so far. */
  onProgress?(rows: number): void;
}

/** Writes a table page by page and returns its rows. The file gets its name once it is whole. */
export async function writeTable({ file, encoder, pages, signal, onProgress }: TableOptions): Promise<number> {
  await sweepPartsOf(file, systemClock);
  const unfinished = join(dirname(file), partName(basename(file)));
  let rows = 0;
  try {
    {
      await using handle = await open(unfinished, 'wx');
      for await (const page of pages) {
        signal.throwIfAborted();
        await handle.writeFile(encoder.add(page));
        rows += page.length;
        onProgress?.(rows);
      }
      signal.throwIfAborted();
      await handle.writeFile(encoder.end());
      await handle.sync();
    }
    await rename(unfinished, file);
    return rows;
  } finally {
    // After the rename there is nothing under this name.
    await rm(unfinished, { force: true });
  }
}

/** Forms of an export. `csv` is the bulk delivery format to the letter (CNV-4); `spreadsheet` is safe in one. */
export const exportFormats = ['csv', 'spreadsheet', 'jsonl', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const extensions: Readonly<Record<ExportFormat, string>> = {
  csv: 'csv',
  spreadsheet: 'csv',
  jsonl: 'jsonl',
  parquet: 'parquet',
};

/** The file of the companies in an export by fiscal year. */
export const companiesFile = 'companies.parquet';

/** The encoder of a format. That of Parquet is loaded when it is first needed. */
export async function encoderFor(format: ExportFormat): Promise<Encoder> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetEncoder();
  return format === 'jsonl' ? jsonLinesEncoder() : csvEncoder(format === 'spreadsheet');
}

/** Reports of a page: enough to keep the library busy, few enough to hold. */
const pageRows = 500;

/** Reads reports by id, a page at a time; what is gone meanwhile is left out. */
export async function* reportPages(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly Report[]>,
): AsyncGenerator<readonly Report[], void, void> {
  for (let start = 0; start < ids.length; start += pageRows) yield await read(ids.slice(start, start + pageRows));
}
