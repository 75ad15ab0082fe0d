import { createHook } from 'node:async_hooks';
import { systemClock } from '../../../src/base/clock.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { FakeSource, pdf, portsOf } from './fixtures.ts';
import { openFolder } from './folders.ts';

/**
 * Downloads reports into a folder and kills its own process at the given file system call, 0 for never. Says how many
 * calls there were.
 */
const [root = '', count = '0', version = '0', killAt = '0'] = process.argv.slice(2);
let calls = 0;
createHook({
  init(_id, type) {
    if (type === 'FSREQPROMISE' && ++calls === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
}).enable();

const source = new FakeSource();
const reports = Array.from({ length: Number(count) }, (_, index) => {
  const report_id = index + 1;
  return source.publish(report_id, {}, pdf(report_id * 1000 + Number(version), 300_000 + report_id));
});
const queue = new DownloadQueue(portsOf(source, { clock: systemClock }), 4);
await openFolder(root, source, { queue, clock: systemClock }).download(reports);
process.stdout.write(`${calls}`);
