import { parentPort, workerData } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { libraryError } from '../library/libraryError.ts';
import { openSnapshot } from '../library/sqlite/snapshot.ts';
import { loadTextSqlite, openPages } from '../text/pagesFile.ts';
import { type ExportedPdf, otherParts, pageParts, reportParts } from './libraryTables.ts';
import { type LibraryExportResult, writeLibrary } from './writeLibrary.ts';

/** What the thread is to write, and the words to say in what went wrong. */
export interface ExportJob {
  readonly library: string;
  readonly folder: string;
  readonly origin: string;
  readonly localFiles: readonly ExportedPdf[];
  readonly pages: string | null;
  readonly words: ReturnType<typeof l10n.spoken>;
}

/** What the thread tells. */
export type ExportNews =
  | { readonly kind: 'progress'; readonly rows: number; readonly total: number }
  | { readonly kind: 'done'; readonly result: LibraryExportResult }
  | { readonly kind: 'failed'; readonly message: string };

/** Runs before giving up on a library that others keep changing. */
const maxRuns = 3;
/** Thrown when what was read is of no one moment. */
const changed = new Error('The library changed meanwhile.');
/** Told after at least so many rows. */
const rowsBetweenNews = 10_000;

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const tell = (news: ExportNews) => port.postMessage(news);

async function run({ library, folder, origin, localFiles, pages }: ExportJob): Promise<LibraryExportResult> {
  let told = 0;
  const onProgress = (rows: number, total: number) => {
    if (rows < told + rowsBetweenNews && rows < total) return;
    told = rows;
    tell({ kind: 'progress', rows, total });
  };
  const texts = pages === null ? null : openPages({ path: pages, sqlite: await loadTextSqlite(), now: Date.now });
  try {
    for (let n = 0; n < maxRuns; n++) {
      told = 0;
      const snapshot = await openSnapshot(library);
      try {
        const source = { origin, cursor: snapshot.cursor, complete: snapshot.isComplete };
        const ofPages = texts === null ? [] : pageParts(snapshot, texts);
        const parts = [...reportParts(snapshot), ...otherParts(snapshot, localFiles), ...ofPages];
        const check = () => {
          if (snapshot.hasChanged()) throw changed;
        };
        return await writeLibrary({ folder, source, check }, parts, onProgress);
      } catch (error) {
        if (error !== changed) throw error;
      } finally {
        snapshot.close();
      }
    }
  } finally {
    texts?.close();
  }
  throw libraryError('busy');
}

const job = workerData as ExportJob;
l10n.speak(...job.words);
try {
  tell({ kind: 'done', result: await run(job) });
} catch (error) {
  tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
port.close();
