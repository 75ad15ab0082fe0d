import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { look, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';
import { report } from '../../unit/library/support/wireReports.ts';

const writer = fileURLToPath(new URL('../../unit/library/support/killedWriter.ts', import.meta.url));
const kills = Number(process.env.KILLS ?? 6);

/** Lets a writer run for so many of its turns of the event loop's clock, then kills it. */
async function writeAndKill(path: string, ms: number): Promise<void> {
  const child = fork(writer, [path], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The writer ended by itself.');
    }),
  ]);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const [, signal] = await ended;
  clearTimeout(timer);
  assert.equal(signal, 'SIGKILL');
}

describe(`a process killed ${kills} times while it writes`, () => {
  it('leaves rows and cursor that agree, and a sound file', async function () {
    this.timeout(20_000 + kills * 10_000);
    const directory = temporaryDirectory();
    const path = join(directory.path, 'library.db');
    try {
      let before = -1;
      for (let kill = 0; kill < kills; kill++) {
        await writeAndKill(path, Math.floor(Math.random() * 120));
        assert.deepEqual(look(path, 'PRAGMA quick_check'), [['ok']]);
        const store = openFile(path);
        const page = Number(store.chains()[0]?.cursor ?? -1);
        const feed = Number(store.syncRecord().cursor?.replace('feed ', '') ?? -1);
        assert.ok(page >= before, 'nothing that was stored is lost');
        assert.ok(feed === page || feed === page - 1, `feed ${feed}, page ${page}`);
        assert.equal(store.totals().listed, (page + 1) * 5);
        assert.equal(store.countReports({}), (page + 1) * 5);
        assert.equal(store.chains()[0]?.reports ?? 0, (page + 1) * 5);
        if (feed >= 0) {
          assert.equal(store.report(report(feed * 5 + 1).report_id)?.report.report_pages, 100_000 + feed);
          assert.equal(store.countReports({ text: report(feed * 5 + 2).report_key }) > 0, true);
        }
        before = page;
        store.close();
      }
      assert.ok(before > 0, 'something was written');
      if (kills > 100)
        process.stdout.write(`${kills} kills: ${(before + 1) * 5} reports stand, none lost, file sound\n`);
    } finally {
      directory.remove();
    }
  });
});
