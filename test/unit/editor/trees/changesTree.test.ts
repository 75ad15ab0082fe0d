import assert from 'node:assert/strict';
import type { TreeView } from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { type LocalLibrary, Services } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { isMoreNode, pageSize } from '../../../../src/editor/common/libraryTree.ts';
import { ChangesTree } from '../../../../src/editor/trees/changesTree.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import type { LibraryChange } from '../../../../src/library/libraryChange.ts';

describe('What’s New', () => {
  it('shows more when that is asked for, newest first, and reads page by page', async () => {
    const all = Array.from({ length: 500 }, (_, index) => ({ seq: 500 - index, at: 0, report_id: 1, report_key: 'K' }));
    const asked: { before?: number | undefined; limit: number }[] = [];
    const library = {
      onDidChange: new Emitter<LibraryChange>().event,
      syncRecord: async () => ({ syncedAt: 1 }),
      unseen: async () => ({ all: 0, mine: 0 }),
      async changes(page: { before?: number | undefined; limit: number }) {
        asked.push(page);
        return all.filter(({ seq }) => seq < (page.before ?? 501)).slice(0, page.limit);
      },
    } as unknown as LocalLibrary['library'];
    const services = new Services({
      logger: silentLogger,
      loadConnection: async () => null,
      createClient: () => Promise.reject(new Error('Nobody asked for a client.')),
      openLibrary: async (connection) =>
        ({ connection, library, dispose: async () => undefined }) as unknown as LocalLibrary,
    });
    const key = new Secret('rlk_test_live_0123456789');
    services.connect({ id: 'a', name: 'A', baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false });
    const marks = { onDidChange: new Emitter<void>().event, look: async () => new Map(), here: async () => [] };
    const favorites = { onDidChange: new Emitter<void>().event, read: async () => noFavorites };
    const ports = { marks, favorites, sync: { start() {} } };
    const context = { services, log: silentLogger, ...ports } as unknown as App;
    const tree = new ChangesTree(context, {} as TreeView<never>);

    const shown = async () => {
      const nodes = await tree.getChildren();
      const changes = nodes.flatMap((node) => (node.kind === 'day' ? node.changes : []));
      return { more: nodes.find(isMoreNode), seqs: changes.map(({ seq }) => seq) };
    };
    const first = await shown();
    assert.equal(first.seqs.length, pageSize);
    first.more?.showMore();
    const second = await shown();
    second.more?.showMore();
    const third = await shown();
    assert.deepEqual(
      third.seqs,
      all.map(({ seq }) => seq),
    );
    assert.equal(third.more, undefined);
    assert.ok(asked.every(({ limit }) => limit <= pageSize));
    tree.dispose();
  });
});
