import { createHook } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { sharedStore } from '../../../src/downloads/sharedStore.ts';
import { FakeSource, pdf, portsOf, reportOf } from './fixtures.ts';

/** Downloads 50 reports through a share and kills its own process at the given file system call, 0 for never. */
const [share = '', root = '', killAt = '0'] = process.argv.slice(2);
let calls = 0;
createHook({
  init(_id, type) {
    if (type === 'FSREQPROMISE' && ++calls === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
}).enable();

mkdirSync(root, { recursive: true });
const source = new FakeSource();
const reports = Array.from({ length: 50 }, (_, index) => {
  const bytes = pdf(index + 1, 50_000);
  source.serve(index + 1, bytes);
  return reportOf(bytes, { report_id: index + 1 });
});
const store = sharedStore({
  ...{ folder: () => share, isPublished: async () => true, clock: systemClock, logger: silentLogger },
});
const queue = new DownloadQueue(portsOf(source, { clock: systemClock, stores: [store] }), 4);
const folder = new DownloadFolder({ root, folder: 'reports', queue, clock: systemClock, logger: silentLogger });
await folder.download(reports);
