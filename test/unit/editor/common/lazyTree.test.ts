import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LazyTree } from '../../../../src/editor/common/lazyTree.ts';

interface Row {
  readonly name: string;
}

describe('a tree that is loaded when it is first shown', () => {
  it('refreshes all rows once until the editor reads them, and again after a later change', async () => {
    const changed = new vscode.EventEmitter<Row | undefined>();
    const rows: Row[] = [{ name: 'one' }];
    const lazy = new LazyTree<Row, vscode.TreeDataProvider<Row> & vscode.Disposable>(async () => ({
      onDidChangeTreeData: changed.event,
      getChildren: () => [...rows],
      getTreeItem: ({ name }) => new vscode.TreeItem(name),
      dispose: () => changed.dispose(),
    }));
    const seen: unknown[] = [];
    lazy.onDidChangeTreeData((node) => seen.push(node));
    await lazy.getChildren();
    changed.fire(rows[0]);
    changed.fire(undefined);
    rows.push({ name: 'two' });
    changed.fire(rows[1]);
    changed.fire(undefined);
    assert.deepEqual(seen, [rows[0], undefined]);
    assert.equal((await lazy.getChildren()).length, 2);
    await lazy.getChildren(rows[0]);
    changed.fire(undefined);
    assert.deepEqual(seen, [rows[0], undefined, undefined]);
    lazy.dispose();
  });
});
