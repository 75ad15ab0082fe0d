import { parentPort } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { Channel, threadPort } from '../base/rpc.ts';
import { libraryError } from '../library/libraryError.ts';
import { openSnapshot } from '../library/sqlite/snapshot.ts';
import { loadTextSqlite, openPages } from '../text/pagesFile.ts';
import { type ExportJob, exportNews, exportSide } from './exportLibrary.ts';
import { otherParts, pageParts, reportParts } from './libraryTables.ts';
import { type LibraryExportResult, writeLibrary } from './writeLibrary.ts';

/** Runs before giving up on a library that others keep changing. */
const maxRuns = 3;
/** Thrown when what was read is of no one moment. */
const changed = new Error('The library changed meanwhile.');
/** Told after at least so many rows. */
const rowsBetweenNews = 10_000;

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

async function run({ library, folder, origin, localFiles, pages, words }: ExportJob): Promise<LibraryExportResult> {
  l10n.speak(...words);
  let told = 0;
  const onProgress = (rows: number, total: number) => {
    if (rows < told + rowsBetweenNews && rows < total) return;
    told = rows;
    channel.send('progress', { rows, total });
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

const channel: Channel<typeof exportSide, typeof exportNews> = new Channel({
  ...{ port: threadPort(port), mine: exportSide, theirs: exportNews, log: silentLogger },
  handlers: { calls: { write: run }, events: {} },
  explain: (error) => (error instanceof Error ? error.message : String(error)),
});
