import { join } from 'node:path';
import { createClient } from '../../src/api/client.ts';
import { ApiError } from '../../src/api/transport/errors.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Secret } from '../../src/base/secret.ts';
import { DownloadFolder } from '../../src/downloads/folder.ts';
import { DownloadQueue } from '../../src/downloads/queue.ts';
import { SyncEngine } from '../../src/library/sync/syncEngine.ts';
import { machineLeases } from '../../src/machine/lease.ts';
import { machineState } from '../../src/machine/machineState.ts';
import { localLibrary } from '../unit/library/support/localLibrary.ts';
import { openFile } from '../unit/library/support/stores.ts';

// A window of the editor without the editor: it syncs the library that all windows share, and downloads into a folder
// that all share, until it is told that the trouble is over. Then it syncs once more, in peace, and ends.
const [baseUrl = '', key = '', directory = ''] = process.argv.slice(2);
const source = createClient({
  baseUrl,
  key: new Secret(key),
  authentication: 'bearer',
  userAgent: `window-${process.pid}`,
  budget: machineState({ directory: join(directory, 'machine'), clock: systemClock, logger: silentLogger }),
});
const path = join(directory, 'library.db');
const library = localLibrary(openFile(path, Date.now));
const engine = new SyncEngine({
  ...{ library, path, source },
  requestsPerSecond: () => 8,
  fullWalkDays: () => 0,
});
const ports = { clock: systemClock, logger: silentLogger };
const queue = new DownloadQueue({ source, lease: machineLeases().lease, ...ports });
const folder = new DownloadFolder({ root: join(directory, 'workspace'), folder: 'reports', queue, ...ports });

let isOver = false;
process.once('message', () => {
  isOver = true;
});

/** What the service or the network does wrong is what this is about; any other error ends the window. */
function passing(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}

async function downloadSome(): Promise<void> {
  const ids = await library.reportIds({});
  const from = Math.floor(Math.random() * ids.length);
  const wanted = await Promise.all(ids.slice(from, from + 6).map((id) => library.report(id)));
  const reports = wanted.flatMap((held) => (held ? [held.report] : []));
  if (reports.length > 0) await folder.download(reports);
}

process.send?.('ready');
do {
  await engine.sync().catch(passing);
  await downloadSome().catch(passing);
} while (!isOver);
// Another window may hold the sync: then it is this one's turn later, and what is read is in the same library.
for (let turn = 0; turn < 20; turn += 1) if ((await engine.sync().catch(passing))?.ran && turn > 2) break;
engine.dispose();
source.dispose();
await library.dispose();
process.disconnect();
