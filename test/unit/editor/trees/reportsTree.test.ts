import assert from 'node:assert/strict';
import type { TreeView } from 'vscode';
import { isMoreNode, pageSize } from '../../../../src/editor/common/libraryTree.ts';
import { ReportsTree } from '../../../../src/editor/trees/reportsTree.ts';
import { treeContext } from './support/treeContext.ts';

describe('the Reports view', () => {
  it('shows fiscal years, the latest first and undated last, and their reports by company, page by page', async () => {
    const asked: unknown[] = [];
    const counts = [
      { value: 2022, count: pageSize },
      { value: null, count: 1 },
      { value: 2023, count: pageSize + 1 },
    ];
    const library = {
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
    };
    const { context } = treeContext(library, { workspaceState: { get: () => undefined } });
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
