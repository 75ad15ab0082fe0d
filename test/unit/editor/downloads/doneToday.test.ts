import assert from 'node:assert/strict';
import { DisposableStore, Emitter } from '../../../../src/base/disposable.ts';
import { type OpenedDownloads, treeOf } from '../../../../src/editor/downloads/commands.ts';
import { DownloadsTree } from '../../../../src/editor/downloads/tree.ts';
import type { DoneEarlier } from '../../../../src/editor/downloads/treeItems.ts';
import { FakeClock, report } from '../../downloads/fixtures.ts';

describe('what came today before the window was opened', () => {
  const target = { root: '/work', path: 'reports/XDEM_ACME/1.pdf', heldSha256: null };
  const named = report({ report_id: 1, report_title: 'Acme 2023' });
  /** As much as its row in the lock file says. */
  const { report_id, report_key, company_key, has_file, content_sha256 } = named;
  const nameless = { report_id, report_key, company_key, has_file, content_sha256 };

  async function opened(...answers: (Promise<DoneEarlier> | DoneEarlier)[]) {
    const clock = new FakeClock();
    const store = new DisposableStore();
    const synced = store.add(new Emitter<{ readonly running: boolean }>());
    const tree = store.add(new DownloadsTree(clock, {}));
    let asked = 0;
    const downloads = { doneSince: async () => answers[asked++] ?? assert.fail('nobody asks again') };
    const parts = {
      tree,
      store,
      downloads,
      app: { sync: { onDidChangeState: synced.event } },
      interrupted: { look() {} },
      log: {},
    };
    return { view: treeOf(parts as unknown as OpenedDownloads), synced, store, asked: () => asked };
  }

  const done = (isNamed: boolean): DoneEarlier => {
    const job = { report: isNamed ? named : nameless, target, askedId: 1 };
    return { newest: [{ job, endedAt: new FakeClock().now(), bytes: 1 }], more: 0 };
  };

  it('is read before the view says that there is nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<DoneEarlier>();
    const { view, store } = await opened(promise);
    let isShown = false;
    void view.then(() => {
      isShown = true;
    });
    await new Promise((next) => setImmediate(next));
    assert.equal(isShown, false);
    resolve(done(true));
    assert.equal((await view).entries('done').length, 1);
    store.dispose();
  });

  it('is read again after each sync until the library knows the titles', async () => {
    const { view, synced, store, asked } = await opened({ newest: [], more: 0 }, done(false), done(true));
    const tree = await view;
    const sync = async () => {
      synced.fire({ running: true });
      synced.fire({ running: false });
      await new Promise((next) => setImmediate(next));
    };
    assert.deepEqual([tree.entries('done').length, asked()], [0, 1]);
    await sync();
    assert.deepEqual([tree.entries('done')[0]?.report.report_title, asked()], [undefined, 2]);
    await sync();
    assert.deepEqual([tree.entries('done')[0]?.report.report_title, asked()], ['Acme 2023', 3]);
    await sync();
    assert.equal(asked(), 3);
    store.dispose();
  });
});
