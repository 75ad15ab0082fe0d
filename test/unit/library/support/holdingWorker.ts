import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { workerData } from 'node:worker_threads';

/** A library's thread on a system that renames no file that is open elsewhere: while `<path>.held` is there. */
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (from === workerData.path && fs.existsSync(`${workerData.path}.held`)) {
    throw Object.assign(new Error('EBUSY: resource busy or locked, rename'), { code: 'EBUSY' });
  }
  renameSync(from, to);
};
syncBuiltinESMExports();
await import('../../../../src/library/worker.ts');
