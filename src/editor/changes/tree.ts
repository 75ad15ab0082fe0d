import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LocalLibrary } from '../../services.ts';
import { LibraryView, type LibraryViewContext } from '../common/libraryView.ts';
import { type MoreNode, moreItem, pageSize } from '../common/moreNode.ts';
import { MarkedRows } from '../common/pdfMarks.ts';
import { type ChangeNode, changeItem, changeTooltip } from './changeNode.ts';
import { type DayNode, dayItem, groupByDay } from './dayNode.ts';

export type ChangesNode = DayNode | ChangeNode | MoreNode;

/** What changed in the library, newest first, by day. */
export class ChangesTree implements vscode.TreeDataProvider<ChangesNode>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ChangesNode | ChangesNode[] | undefined>());
  readonly #treeView: vscode.TreeView<ChangesNode>;
  readonly #view: LibraryView;
  readonly #marked: MarkedRows<ChangeNode>;
  readonly #localReports: () => Promise<readonly number[]>;
  #shown = pageSize;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    context: LibraryViewContext,
    view: vscode.TreeView<ChangesNode>,
    localReports: () => Promise<readonly number[]>,
  ) {
    this.#treeView = view;
    this.#localReports = localReports;
    this.#marked = this.#store.add(new MarkedRows(context.marks, context.log, (rows) => this.#changed.fire(rows)));
    this.#view = this.#store.add(
      new LibraryView(context, view, {
        refresh: () => this.#changed.fire(undefined),
        forget: () => {
          this.#shown = pageSize;
          view.badge = undefined;
        },
      }),
    );
  }

  /** Reads everything again. */
  reload(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: ChangesNode): vscode.TreeItem {
    switch (node.kind) {
      case 'day':
        return dayItem(node, Date.now(), vscode.env.language);
      case 'change':
        return changeItem(node);
      case 'more':
        return moreItem(node);
      default:
        return node satisfies never;
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: ChangesNode): vscode.TreeItem {
    if (node.kind === 'change') item.tooltip = changeTooltip(node, vscode.env.language);
    return item;
  }

  async getChildren(node?: ChangesNode): Promise<ChangesNode[]> {
    if (node) return node.kind === 'day' ? this.#changesOf(node) : [];
    try {
      this.#marked.clear();
      const local = await this.#view.library();
      if (!local) return [];
      await this.#count(local);
      const changes = await local.library.changes({ limit: this.#shown });
      const days: ChangesNode[] = groupByDay(changes);
      return changes.length < this.#shown ? days : [...days, this.#more()];
    } catch (error) {
      await this.#view.tellProblem(error);
      return [];
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #changesOf({ changes }: DayNode): Promise<ChangeNode[]> {
    const nodes = changes.map(nodeOf);
    await this.#marked.add(nodes);
    return nodes;
  }

  /** The badge counts changes of reports whose PDF is here, if there are any such PDFs, else all changes. */
  async #count(local: LocalLibrary): Promise<void> {
    const mine = await this.#localReports();
    const unseen = await local.library.unseen(mine);
    const count = mine.length > 0 ? unseen.mine : unseen.all;
    const words = count.toLocaleString();
    const tooltip =
      mine.length > 0
        ? vscode.l10n.t('{0} new changes of reports whose PDF is here', words)
        : vscode.l10n.t('{0} new changes', words);
    this.#treeView.badge = count === 0 ? undefined : { value: count, tooltip };
    this.#view.describe(unseen.all === 0 ? '' : vscode.l10n.t('{0} not seen', unseen.all.toLocaleString()), '');
  }

  #more(): MoreNode {
    return {
      kind: 'more',
      list: 'changes',
      showMore: () => {
        this.#shown += pageSize;
        this.#changed.fire(undefined);
      },
    };
  }
}

function nodeOf(change: ChangeNode['change']): ChangeNode {
  return { kind: 'change', report: { report_id: change.report_id, report_key: change.report_key }, change };
}
