import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { Channel, threadPort } from '../base/rpc.ts';
import { demoOrigin } from '../downloads/ports.ts';
import { libraryError } from '../library/libraryError.ts';
import { openSnapshot, watchWrites } from '../library/sqlite/snapshot.ts';
import type { PageStore } from '../text/pages.ts';
import { loadTextSqlite, openPages } from '../text/pagesFile.ts';
import { type ExportJob, exportNews, exportSide } from './exportLibrary.ts';
import { otherParts, pageParts, reportParts } from './libraryTables.ts';
import { partsThread } from './partsThread.ts';
import { type LibraryExportResult, writeLibrary } from './writeLibrary.ts';
import type { PartsTask } from './writeParts.ts';

/** Runs before giving up on a library that others keep changing. */
const maxRuns = 3;
/** Thrown when what was read is of no one moment. */
const changed = new Error('The library changed meanwhile.');
/** Told after at least so many rows. */
const rowsBetweenNews = 10_000;

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

async function run(job: ExportJob): Promise<LibraryExportResult> {
  l10n.speak(...job.words);
  const { pages } = job;
  const texts = pages === null ? null : openPages({ path: pages, sqlite: await loadTextSqlite(), now: Date.now });
  try {
    for (let n = 0; n < maxRuns; n++) {
      try {
        return await runOnce(job, texts);
      } catch (error) {
        if (error !== changed) throw error;
      }
    }
  } finally {
    texts?.close();
  }
  throw libraryError('busy');
}

async function runOnce(
  { library, folder, origin, localFiles, words }: ExportJob,
  texts: PageStore | null,
): Promise<LibraryExportResult> {
  const progress = toldProgress();
  const thread = availableParallelism() > 1 ? partsThread(progress.add) : null;
  const writes = await watchWrites(library);
  const snapshot = await openSnapshot(library);
  try {
    await thread?.call('open', { library, words });
    // Both have opened the file by now: where nobody wrote to it, they see the same moment.
    const isSame = !writes.haveCome();
    const source = { origin, ...nameOf(library, origin), cursor: snapshot.cursor, complete: snapshot.isComplete };
    const ofPages = texts === null ? [] : pageParts(snapshot, texts);
    const parts = [...reportParts(snapshot), ...otherParts(snapshot, localFiles), ...ofPages];
    progress.total = parts.reduce((sum, { rows }) => sum + rows, 0);
    const check = () => {
      if (snapshot.hasChanged()) throw changed;
    };
    const helper = thread && isSame ? (task: PartsTask) => thread.call('write', task) : undefined;
    return await writeLibrary({ folder, source, check, helper }, parts, progress.add);
  } finally {
    await thread?.dispose();
    writes.close();
    snapshot.close();
  }
}

/** Tells libraries apart, by a hash of the file's name from which nobody finds the key. The demo's has no name. */
function nameOf(path: string, origin: string): { readonly library?: string } {
  if (origin === demoOrigin) return {};
  return { library: createHash('sha256').update(basename(path)).digest('hex').slice(0, 16) };
}

/** Adds up the rows that both threads read, and tells of them now and then. */
function toldProgress() {
  let [done, told] = [0, 0];
  const progress = {
    total: 0,
    add(rows: number): void {
      const { total } = progress;
      done = Math.min(done + rows, total);
      if (done < told + rowsBetweenNews && done < total) return;
      told = done;
      channel.send('progress', { rows: done, total });
    },
  };
  return progress;
}

const channel: Channel<typeof exportSide, typeof exportNews> = new Channel({
  ...{ port: threadPort(port), mine: exportSide, theirs: exportNews, log: silentLogger },
  handlers: { calls: { write: run }, events: {} },
  explain: (error) => (error instanceof Error ? error.message : String(error)),
});
