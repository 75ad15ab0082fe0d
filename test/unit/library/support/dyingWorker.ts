import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** A library's thread that dies at its first call, and works when it is started again. */
const marker = `${workerData.path}.died`;
if (existsSync(marker)) await import('../../../../src/library/worker.ts');
else {
  parentPort?.on('message', () => {
    writeFileSync(marker, '');
    process.exit(3);
  });
}
