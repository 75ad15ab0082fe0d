import assert from 'node:assert/strict';
import type { ExtensionContext, TreeView } from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { type LocalLibrary, Services } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { isMoreNode, pageSize } from '../../../../src/editor/common/libraryTree.ts';
import { ReportsTree } from '../../../../src/editor/trees/reportsTree.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import type { LibraryChange } from '../../../../src/library/libraryChange.ts';

describe('the Reports view', () => {
  it('shows fiscal years, the latest first and undated last, and their reports by company, page by page', async () => {
    const asked: unknown[] = [];
    const counts = [
      { value: 2022, count: pageSize },
      { value: null, count: 1 },
      { value: 2023, count: pageSize + 1 },
    ];
    const library = {
      onDidChange: new Emitter<LibraryChange>().event,
      syncRecord: async () => ({ syncedAt: 1 }),
      groupReports: async () => counts,
      async reportsAt(
        query: { fcyear: [number] },
        order: unknown,
        { offset, limit }: { offset: number; limit: number },
      ) {
        asked.push([query.fcyear, order, offset]);
        const count = counts.find(({ value }) => value === query.fcyear[0])?.count ?? 0;
        return Array.from({ length: Math.min(limit, count - offset) }, (_, index) => ({ report_id: offset + index }));
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
    const extension = { workspaceState: { get: () => undefined } } as unknown as ExtensionContext;
    const ports = { extension, marks, favorites, sync: { start() {} } };
    const context = { services, log: silentLogger, ...ports } as unknown as App;
    const tree = new ReportsTree(context, {} as TreeView<never>);

    const years = await tree.getChildren();
    assert.deepEqual(
      years.map((node) => node.kind === 'year' && node.year),
      [2023, 2022, null],
    );
    const [first, second] = years;
    const rows = await tree.getChildren(first);
    assert.equal(rows.length, pageSize + 1);
    const last = rows.at(-1);
    assert.ok(isMoreNode(last));
    last.showMore();
    const whole = await tree.getChildren(first);
    assert.deepEqual(
      whole.map((node) => node.kind === 'report' && node.report.report_id),
      Array.from({ length: pageSize + 1 }, (_, index) => index),
    );
    const order = { column: 'company', descending: false };
    assert.deepEqual(asked, [
      [[2023], order, 0],
      [[2023], order, 0],
      [[2023], order, pageSize],
    ]);
    assert.equal((await tree.getChildren(second)).length, pageSize, 'a page that ends a year offers no more');
    tree.dispose();
  });
});
