import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { viewIds } from './contributions.ts';
import type { TreeDragController } from './treeDrag.ts';

type LoadedTree<Node> = vscode.TreeDataProvider<Node> & Disposable;

/**
 * A tree whose code is loaded when its view is first shown.
 *
 * A change of all rows is told only between two readings of the roots. The editor forgets its rows as soon as it hears
 * of one; if roots are on their way then, it shows them as if they were read again, and a command or a drag of such a
 * row carries nothing. Nothing is told before the first reading: the editor would hear it in the middle.
 */
export class LazyTree<Node, Tree extends LoadedTree<Node>> implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined | Node | Node[]>());
  readonly #tree: { get(): Promise<Tree>; readonly made: boolean };
  readonly #gave = this.#store.add(new Emitter<void>());
  /** How many readings of the roots are on their way; undefined before the first. */
  #readings: number | undefined;
  #isChangeDue = false;

  /** Fires once the editor was given the roots. */
  readonly onDidGiveRoots = this.#gave.event;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(load: () => Promise<Tree>) {
    this.#tree = once(async () => {
      const tree = this.#store.add(await load());
      const changes = tree.onDidChangeTreeData?.((node) => this.#tell(node ?? undefined));
      if (changes) this.#store.add(changes);
      return tree;
    });
  }

  /** The tree itself; loads it. */
  readonly tree = () => this.#tree.get();
  readonly loaded = async () => (this.#tree.made ? this.#tree.get() : undefined);
  readonly getChildren = async (node?: Node) => {
    if (node !== undefined) return (await (await this.tree()).getChildren(node)) ?? [];
    this.#readings = (this.#readings ?? 0) + 1;
    try {
      return (await (await this.tree()).getChildren()) ?? [];
    } finally {
      setImmediate(() => this.#rootsGiven());
    }
  };
  readonly getTreeItem = async (node: Node) => (await this.tree()).getTreeItem(node);
  readonly getParent = async (node: Node) => (await this.tree()).getParent?.(node);
  readonly resolveTreeItem = async (item: vscode.TreeItem, node: Node, token: vscode.CancellationToken) =>
    (await this.tree()).resolveTreeItem?.(item, node, token) ?? item;

  dispose(): void {
    this.#store.dispose();
  }

  #tell(node: undefined | Node | Node[]): void {
    if (node !== undefined || this.#readings === 0) this.#changed.fire(node);
    else this.#isChangeDue = this.#readings !== undefined;
  }

  #rootsGiven(): void {
    this.#readings = (this.#readings ?? 1) - 1;
    this.#gave.fire();
    if (this.#readings > 0 || !this.#isChangeDue) return;
    this.#isChangeDue = false;
    // A question that the editor answers after it has taken the roots.
    const told = vscode.commands.executeCommand('setContext', 'reportLibrary.hasRoots', true);
    told.then(
      () => this.#tell(undefined),
      () => this.#tell(undefined),
    );
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
