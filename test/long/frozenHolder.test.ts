import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { look, openFile, temporaryDirectory } from '../unit/library/support/stores.ts';

const writer = fileURLToPath(new URL('../unit/library/support/killedWriter.ts', import.meta.url));
const rounds = 5;

describe(`a window that stands still while it holds the sync, ${rounds} times`, () => {
  it('writes nothing more once another one has taken the sync over', async function () {
    if (process.platform === 'win32') return this.skip(); // No process can be frozen there.
    for (let round = 0; round < rounds; round += 1) {
      const directory = temporaryDirectory();
      const path = join(directory.path, 'library.db');
      const child = fork(writer, [path], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      try {
        const ended = once(child, 'exit');
        await once(child, 'message');
        // Frozen in the middle of a write it keeps the file: then it goes on for a moment more.
        let isTakenOver = false;
        for (let turn = 0; !isTakenOver && turn < 50; turn += 1) {
          await systemClock.sleep(20 + Math.random() * 60);
          child.kill('SIGSTOP');
          const store = openFile(path);
          try {
            store.beginRun();
            isTakenOver = true;
          } catch (error) {
            assert.match(String(error), /in use by another window/);
          } finally {
            store.close();
            if (!isTakenOver) child.kill('SIGCONT');
          }
        }
        assert.ok(isTakenOver, 'the sync was never taken over');
        const taken = look(path, 'SELECT count(*) FROM reports');
        child.kill('SIGCONT');
        const [code] = await ended;
        assert.notEqual(code, 0, 'it went on writing');
        assert.deepEqual(look(path, 'SELECT count(*) FROM reports'), taken);
        assert.deepEqual(look(path, 'PRAGMA quick_check'), [['ok']]);
      } finally {
        child.kill('SIGKILL');
        directory.remove();
      }
    }
  });
});
