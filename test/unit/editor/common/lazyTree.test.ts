import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { viewIds } from '../../../../src/editor/common/contributions.ts';
import { LazyTree } from '../../../../src/editor/common/lazyTree.ts';
import type { TreeDragController } from '../../../../src/editor/common/treeDrag.ts';

interface Row {
  readonly name: string;
}

describe('a tree that is loaded when it is first shown', () => {
  it('refreshes all rows once until the editor reads them, and again after a later change', async () => {
    const changed = new vscode.EventEmitter<Row | undefined>();
    const rows: Row[] = [{ name: 'one' }];
    Object.assign(vscode.window, { createTreeView: () => ({ dispose() {} }) });
    const load = async () => ({
      onDidChangeTreeData: changed.event,
      getChildren: () => [...rows],
      getTreeItem: ({ name }: Row) => new vscode.TreeItem(name),
      dispose: () => changed.dispose(),
    });
    const treeDrag = { follow() {} } as unknown as TreeDragController;
    const lazy = new LazyTree<Row, vscode.TreeDataProvider<Row> & vscode.Disposable>(viewIds.reports, load, treeDrag);
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
    Reflect.deleteProperty(vscode.window, 'createTreeView');
  });
});
