import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readLock } from '../../../src/downloads/lockFile.ts';
import { temporaryFolder } from '../../unit/downloads/fixtures.ts';

/** How often two writers are started and both killed. */
const kills = Number(process.env.WRITER_KILLS ?? 5);

describe('writers of one lock file', function () {
  this.timeout(120_000);
  const home = temporaryFolder();
  /** The writer in one file, which starts in a fraction of the time. */
  let bundle: string;
  before(async () => {
    bundle = join(await mkdtemp(join(tmpdir(), 'report-library-')), 'writer.mjs');
    const entryPoints = [fileURLToPath(new URL('writerChild.ts', import.meta.url))];
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'esm', banner });
  });
  after(() => rm(dirname(bundle), { recursive: true }));
  /** The ids of rows that a writer was told to be recorded. */
  let acknowledged: number[];
  beforeEach(() => {
    acknowledged = [];
  });
  const writer = (first: number, count: number, pause = 0) => {
    const args = [home.path, first, count, pause].map(String);
    return spawn(process.execPath, ['--no-warnings', bundle, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  };
  /** Notes what the writers print until they end; `onLine` is told of each id. */
  const follow = (writers: readonly ReturnType<typeof writer>[], onLine = () => {}) =>
    Promise.all(
      writers.map(async (process) => {
        const end = once(process, 'exit');
        for await (const line of createInterface({ input: process.stdout })) {
          acknowledged.push(Number(line));
          onLine();
        }
        return end;
      }),
    );
  const recorded = async () =>
    (await readLock({ root: home.path, folder: 'reports' })).reports.map(({ report_id }) => report_id);

  for (const pause of [0, 20]) {
    it(`lose no row of each other, ${pause} ms between two writes`, async () => {
      const writers = [writer(1, 75, pause), writer(1001, 75, pause)];
      assert.deepEqual(await follow(writers), [
        [0, null],
        [0, null],
      ]);
      assert.equal(acknowledged.length, 150);
      assert.deepEqual(
        await recorded(),
        acknowledged.sort((a, b) => a - b),
      );
    });
  }

  it(`lose no acknowledged row when both are killed ${kills} times`, async function () {
    this.timeout(60_000 + kills * 20_000);
    for (let round = 0; round < kills; round++) {
      const writers = [writer(round * 10_000 + 1, 9000), writer(round * 10_000 + 5001, 9000)];
      const before = acknowledged.length;
      await follow(writers, () => {
        if (acknowledged.length !== before + 6) return;
        // Each at any moment of a write.
        for (const process of writers) setTimeout(() => process.kill('SIGKILL'), Math.random() * 30);
      });
    }
    const rows = new Set(await recorded());
    assert.deepEqual(
      acknowledged.filter((id) => !rows.has(id)),
      [],
    );
    assert.ok(acknowledged.length > kills * 5, `${acknowledged.length} rows`);
  });
});
