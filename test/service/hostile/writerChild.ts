import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { recordResults } from '../../../src/downloads/lockFile.ts';
import type { DownloadResult } from '../../../src/downloads/ports.ts';
import { report } from '../../unit/downloads/fixtures.ts';

/**
 * Records reports in a lock file one after the other, and prints the id of each once that was acknowledged. Arguments:
 * root folder, first id, how many, pause between two in ms.
 */
const [root = '', first = '1', count = '1', pause = '0'] = process.argv.slice(2);
for (let id = Number(first); id < Number(first) + Number(count); id++) {
  const result: DownloadResult = {
    ...{ report_id: id, links: 1, status: 'downloaded', verified: true, path: `reports/${id}.pdf` },
    ...{ sha256: 'a'.repeat(64), bytes: 1 },
    report: report({ report_id: id, content_sha256: 'a'.repeat(64) }),
  };
  await recordResults({ root, folder: 'reports' }, [result], systemClock);
  // At once, so that a kill loses no word of what was acknowledged.
  writeSync(1, `${id}\n`);
  if (Number(pause) > 0) await setTimeout(Number(pause));
}
