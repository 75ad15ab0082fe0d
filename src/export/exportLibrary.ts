import { mkdir } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod/mini';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { type Side, shape } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import { onDisk } from '../downloads/disk.ts';
import { sweepParts } from '../downloads/publish.ts';
import type { ExportedPdf } from './libraryTables.ts';
import { threadLimits } from './partsThread.ts';
import type { LibraryExportResult } from './writeLibrary.ts';

export interface LibraryExportOptions {
  /** Absolute path of the library's file, opened before: an older version's file is not brought up to date here. */
  readonly library: string;
  /** Absolute path of the folder to write to: empty, or with an earlier export of this library; made if missing. */
  readonly folder: string;
  /** Origin of the service that the library mirrors. */
  readonly origin: string;
  /** PDFs of this machine, for a table of their own. */
  readonly localFiles?: readonly ExportedPdf[] | undefined;
  /** Absolute path of the file with the text of PDFs; only once a person confirmed that the licence allows copies. */
  readonly pages?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly logger?: Logger | undefined;
  /** Told now and then how many rows of all are done. */
  onProgress?(rows: number, total: number): void;
}

/** What the thread is to write, and the words to say in what went wrong. */
export interface ExportJob extends Pick<LibraryExportOptions, 'library' | 'folder' | 'origin'> {
  readonly localFiles: readonly ExportedPdf[];
  readonly pages: string | null;
  readonly words: ReturnType<typeof l10n.spoken>;
}

const number = z.number();
const job = shape<ExportJob>({
  ...{ library: z.string(), folder: z.string(), origin: z.string(), pages: z.nullable(z.string()) },
  localFiles: z.custom<readonly ExportedPdf[]>(Array.isArray),
  words: z.readonly(z.tuple([z.string(), z.record(z.string(), z.string())])),
});
const result = shape<LibraryExportResult>({
  ...{ reports: number, files: number, bytes: number, filesWritten: number, bytesWritten: number },
});

/** What the thread is asked. */
export const exportSide = { calls: { write: { params: job, result } }, events: {} } satisfies Side;

/** What it tells now and then while it writes. */
export const exportNews = {
  calls: {},
  events: { progress: z.object({ rows: number, total: number }) },
} satisfies Side;

/**
 * Writes the library as Parquet files for DuckDB and other engines, in a thread of its own: listed reports in Hive
 * folders by fiscal year, companies, changes and local files, and `_manifest.json`. Asks the service nothing. A second
 * run rewrites only files whose rows changed. Memory stays the same for any number of reports.
 * @throws Error with a message fit to be shown; the signal's reason once it aborts, and the last export is whole then
 */
export async function exportLibrary(options: LibraryExportOptions): Promise<LibraryExportResult> {
  const { library, folder, origin, localFiles = [], pages = null, signal, logger = silentLogger } = options;
  signal?.throwIfAborted();
  await onDisk(() => mkdir(folder, { recursive: true }));
  // Bundled too, this module is in a folder beside that of the thread's script.
  const script = new URL(`../export/exportLibrary.worker${extname(import.meta.url)}`, import.meta.url);
  const thread = new WorkerThread({
    ...{ script, worker: { resourceLimits: threadLimits, name: 'report-library-export' } },
    ...{ mine: exportNews, theirs: exportSide, log: logger },
    handlers: { calls: {}, events: { progress: ({ rows, total }) => options.onProgress?.(rows, total) } },
    stopped: () => new Error(l10n.t('The export stopped unexpectedly. Try again.')),
  });
  try {
    const words = l10n.spoken();
    return await thread.call('write', { library, folder, origin, localFiles, pages, words }, signal);
  } finally {
    await thread.dispose();
    if (signal?.aborted) await onDisk(() => sweepParts(folder, systemClock, logger));
  }
}
