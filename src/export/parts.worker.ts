import { parentPort } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { silentLogger } from '../base/logger.ts';
import { Channel, threadPort } from '../base/rpc.ts';
import { type LibrarySnapshot, openSnapshot } from '../library/sqlite/snapshot.ts';
import { reportParts } from './libraryTables.ts';
import { partsNews, partsSide } from './partsThread.ts';
import { writeParts } from './writeParts.ts';

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

let snapshot: LibrarySnapshot | undefined;

const channel: Channel<typeof partsSide, typeof partsNews> = new Channel({
  ...{ port: threadPort(port), mine: partsSide, theirs: partsNews, log: silentLogger },
  handlers: {
    calls: {
      open: async ({ library, words }) => {
        l10n.speak(...words);
        snapshot = await openSnapshot(library);
        return null;
      },
      write: (task) => {
        if (!snapshot) throw new Error('No library is open.');
        return writeParts(task, reportParts(snapshot), (rows) => channel.send('progress', rows));
      },
    },
    events: {},
  },
  explain: (error) => (error instanceof Error ? error.message : String(error)),
});
