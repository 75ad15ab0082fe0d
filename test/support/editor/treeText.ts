import * as vscode from 'vscode';

/** A tree as a person reads it: a leaf is its text, an inner node an array of its text and its children. */
export type TreeText = string | readonly TreeText[];

/** The children of `node`, or the roots, down to `depth` levels. */
export async function treeText<Node>(
  tree: vscode.TreeDataProvider<Node>,
  node?: Node,
  depth = Number.POSITIVE_INFINITY,
): Promise<TreeText[]> {
  const children = (await tree.getChildren(node)) ?? [];
  return Promise.all(
    children.map(async (child) => {
      const item = await tree.getTreeItem(child);
      const text = [labelOf(item), item.description].filter(Boolean).join(' | ');
      const isLeaf = item.collapsibleState === vscode.TreeItemCollapsibleState.None;
      return isLeaf || depth === 1 ? text : [text, ...(await treeText(tree, child, depth - 1))];
    }),
  );
}

function labelOf({ label }: vscode.TreeItem): string {
  return typeof label === 'string' ? label : (label?.label ?? '');
}

/**
 * The roots of a tree once there are at least `count`: the library loads in the background, and the tree says when it
 * has more to show.
 */
export async function settledTree<Node>(tree: vscode.TreeDataProvider<Node>, count: number): Promise<Node[]> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const subscription = tree.onDidChangeTreeData?.(() => {
        subscription?.dispose();
        resolve();
      });
    });
    const roots = (await tree.getChildren()) ?? [];
    if (roots.length >= count) return roots;
    await changed;
  }
}
