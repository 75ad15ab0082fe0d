import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LocalLibrary } from '../../services.ts';
import { LibraryView, type LibraryViewContext } from '../common/libraryView.ts';
import { MarkedRows } from '../common/markedRows.ts';
import { type MoreNode, moreItem, pageSize, readUpTo } from '../common/moreNode.ts';
import { type ReportNode, reportItem, reportTooltip } from '../common/reportNode.ts';
import { describeFilter, queryOf, type ReportsFilter } from './filter.ts';

/** The reports of one fiscal year, of all companies; null holds the undated ones. */
export interface YearNode {
  readonly kind: 'year';
  readonly fiscalYear: number | null;
  readonly count: number;
}

export type ReportsNode = YearNode | ReportNode | MoreNode;

/** All reports of the library, or those of a filter, by fiscal year. */
export class ReportsTree implements vscode.TreeDataProvider<ReportsNode>, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ReportsNode | ReportsNode[] | undefined>());
  readonly #view: LibraryView;
  readonly #marked: MarkedRows<ReportNode>;
  readonly #shown = new Map<number | null, number>();
  #filter: ReportsFilter = {};

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: LibraryViewContext, view: vscode.TreeView<ReportsNode>) {
    this.#marked = this.#store.add(new MarkedRows(context.marks, context.log, (rows) => this.#changed.fire(rows)));
    this.#view = this.#store.add(
      new LibraryView(context, view, {
        refresh: () => this.#changed.fire(undefined),
        forget: () => this.#shown.clear(),
      }),
    );
  }

  get filter(): ReportsFilter {
    return this.#filter;
  }

  /** Narrows the view. */
  show(filter: ReportsFilter): void {
    this.#filter = filter;
    this.#shown.clear();
    this.#changed.fire(undefined);
  }

  getTreeItem(node: ReportsNode): vscode.TreeItem {
    switch (node.kind) {
      case 'year':
        return yearItem(node, describeFilter(this.#filter));
      case 'report':
        return reportItem(node, 'anywhere');
      case 'more':
        return moreItem(node);
      default:
        return node satisfies never;
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: ReportsNode): vscode.TreeItem {
    if (node.kind === 'report') item.tooltip = reportTooltip(node);
    return item;
  }

  async getChildren(node?: ReportsNode): Promise<ReportsNode[]> {
    try {
      const local = await this.#view.library();
      if (!local) return [];
      if (!node) return await this.#years(local);
      return node.kind === 'year' ? await this.#reports(local, node) : [];
    } catch (error) {
      await this.#view.tellProblem(error);
      return [];
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #years(local: LocalLibrary): Promise<YearNode[]> {
    this.#marked.clear();
    const groups = await local.library.groupReports(queryOf(this.#filter), 'fcyear');
    const years = groups
      .map(({ value, count }): YearNode => ({ kind: 'year', fiscalYear: value === null ? null : Number(value), count }))
      .sort((a, b) => (b.fiscalYear ?? Number.NEGATIVE_INFINITY) - (a.fiscalYear ?? Number.NEGATIVE_INFINITY));
    const words = describeFilter(this.#filter);
    const isNothing = years.length === 0 && words !== '';
    this.#view.describe(words, isNothing ? 'No report matches the filter.' : '');
    return years;
  }

  async #reports(local: LocalLibrary, { fiscalYear }: YearNode): Promise<ReportsNode[]> {
    const query = { ...queryOf(this.#filter), fcyear: [fiscalYear] };
    const { items, more } = await readUpTo(this.#shown.get(fiscalYear) ?? pageSize, (after, limit) =>
      local.library.reports(query, { after, limit }),
    );
    const nodes = items.map((report): ReportNode => ({ kind: 'report', report }));
    await this.#marked.add(nodes);
    return more ? [...nodes, this.#more(fiscalYear)] : nodes;
  }

  #more(fiscalYear: number | null): MoreNode {
    return {
      kind: 'more',
      list: `year:${fiscalYear ?? 'undated'}`,
      showMore: () => {
        this.#shown.set(fiscalYear, (this.#shown.get(fiscalYear) ?? pageSize) + pageSize);
        this.#changed.fire(undefined);
      },
    };
  }
}

function yearItem({ fiscalYear, count }: YearNode, filter: string): vscode.TreeItem {
  const label = fiscalYear === null ? 'Undated' : `Fiscal year ${fiscalYear}`;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  // Another filter shows other children: what was expanded for the last one starts collapsed.
  item.id = `year:${fiscalYear ?? 'undated'}:${filter}`;
  item.contextValue = 'year';
  item.iconPath = new vscode.ThemeIcon('calendar');
  item.description = count === 1 ? '1 report' : `${count.toLocaleString()} reports`;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}
