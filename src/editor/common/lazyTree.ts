import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { viewIds } from './contributions.ts';
import type { TreeDragController } from './treeDrag.ts';

type LoadedTree<Node> = vscode.TreeDataProvider<Node> & Disposable;

/** A view whose code is loaded when it is first shown. Several rows can be selected, and dragged into documents. */
export class LazyTree<Node, Tree extends LoadedTree<Node>> implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined | Node | Node[]>());
  readonly #tree: { get(): Promise<Tree>; readonly made: boolean };
  /** Whether the editor was asked to read all rows, and has not begun yet. */
  #isRefreshing = false;

  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<Node>;

  constructor(
    viewId: (typeof viewIds)[keyof typeof viewIds],
    load: (view: vscode.TreeView<Node>) => Promise<Tree>,
    treeDrag: TreeDragController,
    showCollapseAll = false,
  ) {
    this.#tree = once(async () => {
      const tree = this.#store.add(await load(this.view));
      const changes = tree.onDidChangeTreeData?.((node) => {
        // That reading includes this change. Another one would take the row of an open menu away.
        if (this.#isRefreshing) return;
        this.#isRefreshing = !node;
        this.#changed.fire(node ?? undefined);
      });
      if (changes) this.#store.add(changes);
      return tree;
    });
    const options = { dragAndDropController: treeDrag, canSelectMany: true, showCollapseAll };
    this.view = this.#store.add(vscode.window.createTreeView<Node>(viewId, { treeDataProvider: this, ...options }));
    treeDrag.follow(this.view);
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
