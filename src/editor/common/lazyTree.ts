import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { viewIds } from './contributions.ts';
import type { TreeDragController } from './treeDrag.ts';

type LoadedTree<Node> = vscode.TreeDataProvider<Node> & Disposable;

/** A tree whose code is loaded when its view is first shown. */
export class LazyTree<Node, Tree extends LoadedTree<Node>> implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined | Node | Node[]>());
  readonly #tree: { get(): Promise<Tree>; readonly made: boolean };
  /** Whether the editor was asked to read all rows, and has not begun yet. */
  #isRefreshing = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<Tree>) {
    this.#tree = once(async () => {
      const tree = this.#store.add(await load());
      const changes = tree.onDidChangeTreeData?.((node) => {
        // That reading includes this change. Another one would take the row of an open menu away.
        if (this.#isRefreshing) return;
        this.#isRefreshing = !node;
        this.#changed.fire(node ?? undefined);
      });
      if (changes) this.#store.add(changes);
      return tree;
    });
  }

  /** The tree itself; loads it. */
  readonly tree = () => this.#tree.get();
  readonly loaded = async () => (this.#tree.made ? this.#tree.get() : undefined);
  readonly getChildren = async (node?: Node) => {
    if (!node) this.#isRefreshing = false;
    return (await (await this.tree()).getChildren(node)) ?? [];
  };
  readonly getTreeItem = async (node: Node) => (await this.tree()).getTreeItem(node);
  readonly getParent = async (node: Node) => (await this.tree()).getParent?.(node);
  readonly resolveTreeItem = async (item: vscode.TreeItem, node: Node, token: vscode.CancellationToken) =>
    (await this.tree()).resolveTreeItem?.(item, node, token) ?? item;

  dispose(): void {
    this.#store.dispose();
  }
}

/** A view over a tree that loads when first shown; several rows can be selected, and dragged into documents. */
export function registerTree<Node, Tree extends LoadedTree<Node>>(
  viewId: (typeof viewIds)[keyof typeof viewIds],
  treeDrag: TreeDragController,
  options: { readonly showCollapseAll?: boolean },
  load: (view: vscode.TreeView<Node>) => Promise<Tree>,
): {
  readonly tree: LazyTree<Node, Tree>;
  readonly view: vscode.TreeView<Node>;
  /** Ends both, and what is added to it. */
  readonly store: DisposableStore;
} {
  const store = new DisposableStore();
  const tree = store.add(new LazyTree<Node, Tree>(() => load(view)));
  const view: vscode.TreeView<Node> = store.add(
    vscode.window.createTreeView<Node>(viewId, {
      treeDataProvider: tree,
      dragAndDropController: treeDrag,
      canSelectMany: true,
      ...options,
    }),
  );
  treeDrag.follow(view);
  return { tree, view, store };
}
