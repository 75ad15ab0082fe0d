import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { LocalLibrary } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import { LibraryView, type LibraryViewContext } from '../common/libraryView.ts';
import { type MoreNode, moreItem, pageSize, readUpTo } from '../common/moreNode.ts';
import { MarkedRows } from '../common/pdfMarks.ts';
import { type ReportNode, reportItem, reportTooltip } from '../common/reportNode.ts';
import { describeFilter, isEmptyFilter, type ReportsFilter } from './filter.ts';
import { type FilterQuery, queryOf, queryOfGroup } from './filterQuery.ts';
import { rememberedGrouping } from './grouping.ts';
import { type GroupNode, groupItem, groupNodes, isGroupNode } from './groupNode.ts';
import { rememberedFilter, rememberFilter } from './storedFilter.ts';

export type ReportsNode = GroupNode | ReportNode | MoreNode;

/** What the tree needs besides the library. */
export interface ReportsTreeContext extends LibraryViewContext {
  /** Remembers how the reports of this workspace are filtered and grouped. */
  readonly memories: { readonly workspaceState: vscode.Memento };
  /** Ids of the reports whose PDF is in this workspace. */
  localReports(): Promise<readonly number[]>;
}

/** The name of the list of groups, or of the one list where there are none. */
const top = 'reports';

/** All reports of the library, or those of a filter, in groups. */
export class ReportsTree implements vscode.TreeDataProvider<ReportsNode>, Disposable {
  readonly #context: ReportsTreeContext;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<ReportsNode | ReportsNode[] | undefined>());
  readonly #view: LibraryView;
  readonly #marked: MarkedRows<ReportNode>;
  /** How many children each list shows, where that is more than a page. */
  readonly #shown = new Map<string, number>();
  #filter: ReportsFilter;
  /** The filter as it was looked up for the roots that are shown. */
  #query: FilterQuery = { query: {}, split: new Map() };

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: ReportsTreeContext, view: vscode.TreeView<ReportsNode>) {
    this.#context = context;
    this.#filter = rememberedFilter(context.memories.workspaceState);
    void this.#offerToClear();
    this.#marked = this.#store.add(new MarkedRows(context.marks, context.log, (rows) => this.#changed.fire(rows)));
    // PDFs came into the workspace or went; only a filter that looks at them shows it.
    const onMarks = () => {
      if (this.#filter.downloaded !== undefined) this.reload();
    };
    this.#store.add(context.marks.onDidChange(onMarks));
    this.#view = this.#store.add(
      new LibraryView(context, view, {
        refresh: () => this.reload(),
        forget: () => this.#shown.clear(),
      }),
    );
  }

  get filter(): ReportsFilter {
    return this.#filter;
  }

  /** What the view is narrowed to, as the library asks it and in words; both empty when it is not. */
  async narrowed(): Promise<{ readonly query: ReportQuery; readonly words: string }> {
    const filter = this.#filter;
    const { services, localReports } = this.#context;
    const { library } = await services.library();
    return { query: (await queryOf(filter, { library, localReports })).query, words: describeFilter(filter) };
  }

  /** Everything that the view shows, or what one of its groups holds. */
  async queryOf(node: unknown): Promise<ReportQuery> {
    return isGroupNode(node) ? queryOfGroup(this.#query, node.by, node.value) : (await this.narrowed()).query;
  }

  /** Narrows the view, also for the next time the window opens. */
  async show(filter: ReportsFilter): Promise<void> {
    this.#filter = filter;
    this.#shown.clear();
    this.reload();
    await rememberFilter(this.#context.memories.workspaceState, filter);
    await this.#offerToClear();
  }

  /** Reads everything that is visible again. */
  reload(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: ReportsNode): vscode.TreeItem {
    switch (node.kind) {
      case 'reportGroup':
        return groupItem(node, describeFilter(this.#filter));
      case 'report':
        return reportItem(
          node,
          rememberedGrouping(this.#context.memories.workspaceState) === 'company' ? 'ofCompany' : 'anywhere',
        );
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
      if (!node) return await this.#roots(local);
      if (node.kind !== 'reportGroup') return [];
      const list = `${node.by}:${node.value ?? 'none'}`;
      return await this.#reports(local, queryOfGroup(this.#query, node.by, node.value), list);
    } catch (error) {
      await this.#view.tellProblem(error);
      return [];
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #offerToClear(): Promise<void> {
    await setContextKey('reportLibrary.filtered', !isEmptyFilter(this.#filter));
  }

  async #roots(local: LocalLibrary): Promise<ReportsNode[]> {
    this.#marked.clear();
    const filter = this.#filter;
    const { localReports } = this.#context;
    const query = await queryOf(filter, { library: local.library, localReports });
    if (filter === this.#filter) this.#query = query;
    const grouping = rememberedGrouping(this.#context.memories.workspaceState);
    const roots =
      grouping === 'none'
        ? await this.#reports(local, query.query, top)
        : await this.#groups(local, query.query, grouping);
    const words = describeFilter(filter);
    const isNothing = roots.length === 0 && words !== '';
    this.#view.describe(words, isNothing ? vscode.l10n.t('No report matches the filter.') : '');
    return roots;
  }

  async #groups({ library }: LocalLibrary, query: ReportQuery, by: GroupNode['by']): Promise<ReportsNode[]> {
    const nodes = await groupNodes(library, await library.groupReports(query, by), by, vscode.env.language);
    const wanted = this.#shown.get(top) ?? pageSize;
    return nodes.length > wanted ? [...nodes.slice(0, wanted), this.#more(top)] : nodes;
  }

  async #reports({ library }: LocalLibrary, query: ReportQuery, list: string): Promise<ReportsNode[]> {
    const { items, more } = await readUpTo(this.#shown.get(list) ?? pageSize, (after, limit) =>
      library.reports(query, { after, limit }),
    );
    const nodes = items.map((report): ReportNode => ({ kind: 'report', report }));
    await this.#marked.add(nodes);
    return more ? [...nodes, this.#more(list)] : nodes;
  }

  #more(list: string): MoreNode {
    return {
      kind: 'more',
      list,
      showMore: () => {
        this.#shown.set(list, (this.#shown.get(list) ?? pageSize) + pageSize);
        this.reload();
      },
    };
  }
}
