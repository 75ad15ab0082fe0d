import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { lockName, parseLock } from '../../../src/downloads/manifest.ts';
import { sweepParts } from '../../../src/files/atomic.ts';
import { filesBelow, pdf, put, sha256, temporaryFolder } from '../../unit/downloads/fixtures.ts';

const kills = Number(process.env.KILLS ?? 6);
const files = 8;
const child = fileURLToPath(new URL('../../unit/downloads/killedChild.ts', import.meta.url));
const foreign = 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR_3.pdf';

/** Runs the downloading process; the number of its file system calls, undefined when it was killed. */
function run(root: string, version: number, killAt: number): number | undefined {
  const args = ['--no-warnings', child, root, `${files}`, `${version}`, `${killAt}`];
  const { stdout, signal, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (signal === 'SIGKILL') return undefined;
  assert.equal(status, 0);
  return Number(stdout);
}

describe(`a process killed ${kills} times, at calls spread over a whole batch`, () => {
  const folder = temporaryFolder();
  let killed = 0;
  let swept = 0;
  let stored = 0;

  /** Every file with a final name holds bytes that some version of its report has; the foreign file is as it was. */
  async function check(root: string, versions: readonly number[]): Promise<void> {
    const found = await filesBelow(root);
    for (const file of found.filter((name) => name.endsWith('.pdf') && name !== foreign)) {
      const id = Number(/_(\d+)\.pdf$/.exec(file)?.[1] ?? 7);
      const hash = sha256(await readFile(join(root, file)));
      const good = versions.map((version) => sha256(pdf(id * 1000 + version, 300_000 + id)));
      assert.ok(good.includes(hash), `${file} holds the bytes of no version`);
      stored++;
    }
    assert.equal(await readFile(join(root, foreign), 'utf8'), 'not ours');
    if (found.includes(`reports/${lockName}`)) await parseLock(await readFile(join(root, 'reports', lockName), 'utf8'));
    swept += await sweepParts(join(root, 'reports'), systemClock, silentLogger);
    assert.ok(!(await filesBelow(root)).some((name) => name.endsWith('.part')));
  }

  it('leaves no wrong bytes under a name, no foreign file touched, and no orphan after the next start', async function () {
    this.timeout(60_000 + kills * 20_000);
    const kept = join(folder.path, 'kept');
    await put(join(kept, foreign), 'not ours');
    const calls = run(kept, 0, 0) ?? 0;
    assert.ok(calls > files * 10, `${calls} calls`);
    for (let round = 1; round <= kills; round++) {
      const killAt = Math.ceil((round / (kills + 1)) * calls);
      // In turn: files that are replaced, and files that are new.
      const root = round % 2 ? kept : join(folder.path, `${round}`);
      if (root !== kept) await put(join(root, foreign), 'not ours');
      if (run(root, round, killAt) === undefined) killed++;
      await check(root, root === kept ? [...Array(round + 1).keys()] : [round]);
    }
    // Most cuts fall where something is unfinished, so a few of them must have left something to sweep.
    assert.ok(
      killed > kills / 2 && stored > 0 && (swept > 0 || kills < 10),
      `${killed} killed, ${swept} swept, ${stored} seen`,
    );
  });
});
