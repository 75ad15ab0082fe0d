import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLock } from '../../../src/downloads/lockFile.ts';
import { temporaryFolder } from '../../unit/downloads/fixtures.ts';

/** Rounds in which both writers are killed. */
const kills = Number(process.env.WRITER_KILLS ?? 5);
const child = fileURLToPath(new URL('writerChild.ts', import.meta.url));

describe('writers of one lock file', function () {
  this.timeout(120_000);
  const home = temporaryFolder();
  const acknowledged = () => join(home.path, 'acknowledged');
  const writer = (first: number, count: number, pause = 0): ChildProcess => {
    const args = [home.path, acknowledged(), first, count, pause].map(String);
    return spawn(process.execPath, ['--no-warnings', child, ...args], { stdio: 'inherit' });
  };
  const recorded = async () =>
    (await readLock({ root: home.path, folder: 'reports' })).reports.map(({ report_id }) => report_id);
  const promised = async () => {
    const text = await readFile(acknowledged(), 'utf8');
    return text
      .trim()
      .split('\n')
      .map(Number)
      .sort((a, b) => a - b);
  };

  for (const pause of [0, 20]) {
    it(`lose no row of each other, ${pause} ms between two writes`, async () => {
      const writers = [writer(1, 75, pause), writer(1001, 75, pause)];
      const ends = await Promise.all(writers.map((process) => once(process, 'exit')));
      assert.deepEqual(ends, [
        [0, null],
        [0, null],
      ]);
      assert.equal((await promised()).length, 150);
      assert.deepEqual(await recorded(), await promised());
    });
  }

  it(`lose no acknowledged row when they are killed ${kills} times`, async function () {
    this.timeout(60_000 + kills * 10_000);
    for (let round = 0; round < kills; round++) {
      const writers = [writer(round * 10_000 + 1, 9000), writer(round * 10_000 + 5001, 9000)];
      const before = await promised().catch(() => []);
      const isGoingOn = async () => (await promised().catch(() => [])).length > before.length + 5;
      while (!(await isGoingOn())) await new Promise(setImmediate);
      for (const process of writers) process.kill('SIGKILL');
      await Promise.all(writers.map((process) => once(process, 'exit')));
    }
    const rows = new Set(await recorded());
    assert.deepEqual(
      (await promised()).filter((id) => !rows.has(id)),
      [],
    );
  });
});
