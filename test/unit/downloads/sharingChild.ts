import { createHook } from 'node:async_hooks';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache } from '../../../src/downloads/cache.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { sharedStore } from '../../../src/downloads/sharedStore.ts';
import { leases } from '../../../src/machine/lease.ts';
import { machineState } from '../../../src/machine/machineState.ts';
import { FakeSource, pdf, portsOf } from './fixtures.ts';
import { openFolder } from './folders.ts';

/**
 * Downloads 50 reports through a share, on a machine whose processes share a folder, and kills its own process at the given
 * file system call, 0 for never. Appends a line for each link: process and report.
 */
const [share = '', root = '', machine = '', killAt = '0'] = process.argv.slice(2);
let calls = 0;
createHook({
  init(_id, type) {
    if (type === 'FSREQPROMISE' && ++calls === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
}).enable();

mkdirSync(root, { recursive: true });
class CountedSource extends FakeSource {
  override downloadLink(reportId: number) {
    appendFileSync(join(machine, 'links'), `${process.pid} ${reportId}\n`);
    return super.downloadLink(reportId);
  }
}
const source = new CountedSource();
const reports = Array.from({ length: 50 }, (_, index) => {
  return source.publish(index + 1, {}, pdf(index + 1, 50_000));
});
const shared = { clock: systemClock, logger: silentLogger };
const stores = [
  new ContentCache({ directory: join(machine, 'pdf'), maxBytes: 1e9, ...shared }),
  sharedStore({ folder: () => share, isPublished: async () => true, ...shared }),
];
const state = machineState({ directory: join(machine, 'machine'), ...shared });
const ports = portsOf(source, { ...shared, stores, lease: leases(state, systemClock).lease });
await openFolder(root, source, { queue: new DownloadQueue(ports, 4), clock: systemClock }).download(reports);
