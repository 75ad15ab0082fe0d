// A window in a process of its own, which reads everything in a folder: `node readingProcess.ts <folder> <index> <pace>`.
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { leases } from '../../../../src/machine/lease.ts';
import { machineState } from '../../../../src/machine/machineState.ts';
import { TextServer } from '../../../../src/text/textServer.ts';
import { call, hashesOf, hashOf, PlainReader } from './texts.ts';

const [, , folder = '', path = '', pace = '0'] = process.argv;
const reader = new PlainReader();
// Reading a file takes this long, in ms, so that windows meet; which process read which, and when, is written down.
reader.hold = async (file) => {
  appendFileSync(`${path}.log`, `${process.pid} begins ${file}\n`);
  await systemClock.sleep(Number(pace));
  appendFileSync(`${path}.log`, `${process.pid} ends ${file}\n`);
};
const pdfs = readdirSync(folder).map((name) => {
  const file = join(folder, name);
  const { size, mtimeMs } = statSync(file);
  return { path: file, sha256: hashOf(readFileSync(file)), bytes: size, mtimeMs, day: 0 };
});
const machine = machineState({ directory: dirname(path), clock: systemClock, logger: silentLogger });
const server = new TextServer({
  ...{ path, sqlite, leases: leases(machine, systemClock), reader },
  ...{ clock: systemClock, logger: silentLogger },
  changed: () => process.send?.('changed'),
});
setInterval(() => server.poll(), 20);
await call(server, 'setHere', pdfs);
await call(server, 'setPublished', hashesOf(pdfs));
await call(server, 'setEnabled', true);
process.on('message', async () => {
  process.send?.(await call(server, 'coverage', null));
});
process.send?.('started');
