import type * as vscode from 'vscode';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { LocalLibrary } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import { LibraryTree, type LibraryTreeContext, type MoreNode } from '../common/libraryTree.ts';
import { type ReportNode, reportItem, reportTooltip } from '../common/reportNode.ts';
import { describeFilter, isEmptyFilter, queryOf, queryOfGroup, type ReportsFilter } from '../common/reportsFilter.ts';
import { rememberedFilter, rememberFilter } from '../common/savedFilters.ts';
import {
  groupItem,
  groupNodes,
  isReportGroupNode,
  type ReportGroupNode,
  rememberedGrouping,
  rememberedSort,
} from './groups.ts';

export type ReportsNode = ReportGroupNode | ReportNode | MoreNode;

/** The name of the list of groups, or of the one list where there are none. */
const top = 'reports';

/** All reports of the library, or those of a filter, in groups. */
export class ReportsTree extends LibraryTree<ReportGroupNode | ReportNode, ReportNode> {
  readonly #memory: vscode.Memento;
  #filter: ReportsFilter;
  /** The filter as it was looked up for the roots that are shown. */
  #query: ReportQuery = {};

  constructor(context: LibraryTreeContext, view: vscode.TreeView<ReportsNode>) {
    super(context, view);
    this.#memory = context.extension.workspaceState;
    this.#filter = rememberedFilter(this.#memory);
    void this.#offerToClear();
    // PDFs came into the workspace or went; only a filter that looks at them shows it.
    const onMarks = () => {
      if (this.#filter.downloaded !== undefined) this.reload();
    };
    this.store.add(context.marks.onDidChange(onMarks));
  }

  get filter(): ReportsFilter {
    return this.#filter;
  }

  /** What the view is narrowed to, as the library asks it and in words; both empty when it is not. */
  async narrowed(): Promise<{ readonly query: ReportQuery; readonly words: string }> {
    const filter = this.#filter;
    return { query: await this.#sorted(filter), words: describeFilter(filter) };
  }

  /** Everything that the view shows, or what one of its groups holds. */
  async queryOf(node: unknown): Promise<ReportQuery> {
    return isReportGroupNode(node) ? queryOfGroup(this.#query, node.by, node.value) : (await this.narrowed()).query;
  }

  /** Narrows the view, also for the next time the window opens. */
  async show(filter: ReportsFilter): Promise<void> {
    this.#filter = filter;
    this.forget();
    this.reload();
    await rememberFilter(this.#memory, filter);
    await this.#offerToClear();
  }

  protected tooltip(node: ReportGroupNode | ReportNode): vscode.MarkdownString | undefined {
    return node.kind === 'report' ? reportTooltip(node) : undefined;
  }

  protected item(node: ReportGroupNode | ReportNode): vscode.TreeItem {
    if (node.kind === 'reportGroup')
      return groupItem(node, describeFilter(this.#filter), this.context.extension.extensionUri);
    const by = rememberedGrouping(this.#memory);
    return reportItem(node, by === 'company' || by === 'fcyear' || by === 'type' ? [by] : []);
  }

  protected async children(local: LocalLibrary, node?: ReportGroupNode | ReportNode): Promise<ReportsNode[]> {
    if (!node) return this.#roots(local);
    if (node.kind !== 'reportGroup') return [];
    const { by, value } = node;
    return this.#reports(local, queryOfGroup(this.#query, by, value), `${by}:${value ?? 'none'}`);
  }

  async #offerToClear(): Promise<void> {
    await setContextKey('reportLibrary.filtered', !isEmptyFilter(this.#filter));
  }

  async #roots(local: LocalLibrary): Promise<ReportsNode[]> {
    this.marked.clear();
    const filter = this.#filter;
    const query = await this.#sorted(filter);
    if (filter === this.#filter && this.isShown(local)) this.#query = query;
    const by = rememberedGrouping(this.#memory);
    const roots = by === 'none' ? await this.#reports(local, query, top) : await this.#groups(local, query, by);
    if (this.isShown(local)) this.describe(describeFilter(filter), '');
    return roots;
  }

  async #sorted(filter: ReportsFilter): Promise<ReportQuery> {
    return { ...(await queryOf(filter, this.context)), sort: rememberedSort(this.#memory) };
  }

  async #groups({ library }: LocalLibrary, query: ReportQuery, by: ReportGroupNode['by']): Promise<ReportsNode[]> {
    const nodes = await groupNodes(library, await library.groupReports(query, by), by);
    const wanted = this.wanted(top);
    return nodes.length > wanted ? [...nodes.slice(0, wanted), this.more(top)] : nodes;
  }

  async #reports({ library }: LocalLibrary, query: ReportQuery, list: string): Promise<ReportsNode[]> {
    const { items, more } = await this.paged(list, (page) => library.reports(query, page));
    const nodes = items.map((report): ReportNode => ({ kind: 'report', report }));
    await this.marked.add(nodes);
    return [...nodes, ...more];
  }
}
