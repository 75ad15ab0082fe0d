import assert from 'node:assert/strict';
import type { TreeView } from 'vscode';
import { isMoreNode, pageSize } from '../../../../src/editor/common/libraryTree.ts';
import { ChangesTree } from '../../../../src/editor/trees/changesTree.ts';
import { treeContext } from './support/treeContext.ts';

describe('What’s New', () => {
  it('shows more when that is asked for, newest first, and reads page by page', async () => {
    const all = Array.from({ length: 500 }, (_, index) => ({ seq: 500 - index, at: 0, report_id: 1, report_key: 'K' }));
    const asked: { before?: number | undefined; limit: number }[] = [];
    const library = {
      unseen: async () => ({ all: 0, mine: 0 }),
      async changes(page: { before?: number | undefined; limit: number }) {
        asked.push(page);
        return all.filter(({ seq }) => seq < (page.before ?? 501)).slice(0, page.limit);
      },
    };
    const tree = new ChangesTree(treeContext(library).context, {} as TreeView<never>);

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
