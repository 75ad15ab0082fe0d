import type * as vscode from 'vscode';

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
