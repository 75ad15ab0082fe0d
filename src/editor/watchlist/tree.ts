import * as vscode from 'vscode';
import { knownReportTypes } from '../../api/schemas/reportTypes.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { CompanyQuery } from '../../library/companyQuery.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { LocalLibrary } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import { LibraryView, type LibraryViewContext } from '../common/libraryView.ts';
import { showProblem } from '../common/messages.ts';
import { type MoreNode, moreItem, pageSize, readUpTo } from '../common/moreNode.ts';
import { MarkedRows } from '../common/pdfMarks.ts';
import { type ReportNode, reportItem, reportTooltip } from '../common/reportNode.ts';
import { progressText, type SyncState, waitText } from '../common/syncState.ts';
import type { Arrangement } from './arrangement.ts';
import { type CompanyNode, companyItem, companyTooltip } from './nodes/companyNode.ts';
import { type FiscalYearNode, fiscalYearItem } from './nodes/fiscalYearNode.ts';
import { type GroupNode, groupItem } from './nodes/groupNode.ts';

export type WatchlistNode = GroupNode | CompanyNode | FiscalYearNode | ReportNode | MoreNode;

/** The watchlist as a tree, read from the library on this machine. */
export class WatchlistTree implements vscode.TreeDataProvider<WatchlistNode>, Disposable {
  readonly #context: LibraryViewContext;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<WatchlistNode | WatchlistNode[] | undefined>());
  readonly #view: LibraryView;
  readonly #marked: MarkedRows<ReportNode>;
  readonly #arrangement: () => Arrangement;
  /** How many children each list shows, where that is more than a page. */
  readonly #shown = new Map<string, number>();
  /** The companies that are shown, so that a change in one redraws it alone. */
  readonly #nodes = new Map<string, CompanyNode>();
  /** How many companies there were when the roots were last read. */
  #companyCount = 0;
  /** Companies whose reports were fetched ahead of a first load that is still under way. */
  readonly #ahead = new Set<string>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(context: LibraryViewContext, view: vscode.TreeView<WatchlistNode>, arrangement: () => Arrangement) {
    this.#context = context;
    this.#arrangement = arrangement;
    this.#marked = this.#store.add(new MarkedRows(context.marks, context.log, (rows) => this.#changed.fire(rows)));
    this.#view = this.#store.add(
      new LibraryView(context, view, {
        refresh: (companies) => void this.#refresh(companies).catch((error: unknown) => this.#view.tellProblem(error)),
        forget: () => {
          this.#shown.clear();
          this.#nodes.clear();
          this.#ahead.clear();
        },
      }),
    );
  }

  /** Reads everything that is visible again. */
  reload(): void {
    this.#changed.fire(undefined);
  }

  getTreeItem(node: WatchlistNode): vscode.TreeItem {
    switch (node.kind) {
      case 'group':
        return groupItem(node);
      case 'company':
        return companyItem(node);
      case 'fiscalYear':
        return fiscalYearItem(node);
      case 'report':
        return reportItem(node);
      case 'more':
        return moreItem(node);
      default:
        return node satisfies never;
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: WatchlistNode): vscode.TreeItem {
    if (node.kind === 'company') item.tooltip = companyTooltip(node);
    if (node.kind === 'report') item.tooltip = reportTooltip(node);
    return item;
  }

  async getParent(node: WatchlistNode): Promise<WatchlistNode | undefined> {
    const local = await this.#view.library();
    const { groupBy } = await this.#effective(local);
    if (node.kind !== 'company' || groupBy === 'none' || !local) return undefined;
    const groups = await local.library.companyGroups(groupBy);
    const { letterOf, sortName } = await import('../../library/companyQuery.ts');
    const { company } = node;
    const value =
      groupBy === 'letter' ? letterOf(sortName(company.company_name ?? company.company_key)) : company[groupBy];
    const group = groups.find((group) => group.value === value);
    return group && { kind: 'group', by: groupBy, group };
  }

  async getChildren(node?: WatchlistNode): Promise<WatchlistNode[]> {
    try {
      const local = await this.#view.library();
      if (!local) return [];
      if (!node) return await this.#root(local);
      if (node.kind === 'group')
        return await this.#companies(local, { [node.by]: [node.group.value] }, groupList(node));
      if (node.kind === 'company') return await this.#years(local, node);
      if (node.kind === 'fiscalYear') return await this.#reports(local, node);
      return [];
    } catch (error) {
      if (node) showProblem(error, this.#context.log);
      else await this.#view.tellProblem(error);
      return [];
    }
  }

  /** The node of a company that the library holds. */
  async company(companyKey: string): Promise<CompanyNode | undefined> {
    const local = await this.#view.library();
    const company = await local?.library.company(companyKey);
    return company ? { kind: 'company', company } : undefined;
  }

  /** Shows under the title how a load goes, or why there is nothing to show. */
  async showSync(state: SyncState): Promise<void> {
    const { progress, problem } = state;
    const session = this.#context.services.session;
    if (session.kind !== 'signedIn') return;
    const isLoading = progress !== null && (progress.activity === 'preparing' || progress.activity === 'loading');
    const message = isLoading ? progressText(progress) : waitText(state);
    const isStuck = problem !== null && !isLoading && (await this.#isEmpty());
    this.#view.describe(session.connection.name, isStuck ? problem : message);
    if (isStuck) await setContextKey('reportLibrary.session', 'unreachable');
  }

  dispose(): void {
    this.#store.dispose();
  }

  /**
   * A menu opened while the whole tree is read again would lose its row, and a button on a row would not know which, so
   * as little as possible is: the companies that are shown, and everything only when others came or went.
   */
  async #refresh(companies: readonly string[] | 'many'): Promise<void> {
    if (companies === 'many') return this.reload();
    const nodes = companies.map((key) => this.#nodes.get(key)).filter((node) => node !== undefined);
    const isOrderStale = nodes.length < companies.length && this.#arrangement().sort === 'newest';
    if (isOrderStale || (nodes.length < companies.length && (await this.#hasOthers()))) return this.reload();
    return this.#redraw(nodes);
  }

  async #hasOthers(): Promise<boolean> {
    const local = await this.#view.library();
    return (await local?.library.totals())?.companies !== this.#companyCount;
  }

  /** Puts the present counts into the nodes, which the editor knows by identity, and shows them anew. */
  async #redraw(nodes: readonly CompanyNode[]): Promise<void> {
    const local = await this.#view.library();
    for (const node of nodes) {
      const company = await local?.library.company(node.company.company_key);
      if (!company) return this.reload();
      node.company = company;
      this.#changed.fire(node);
    }
  }

  async #root(local: LocalLibrary): Promise<WatchlistNode[]> {
    this.#marked.clear();
    this.#companyCount = (await local.library.totals()).companies;
    const { groupBy } = await this.#effective(local);
    const nodes =
      groupBy === 'none'
        ? await this.#companies(local, {}, 'companies')
        : (await local.library.companyGroups(groupBy)).map(
            (group): GroupNode => ({ kind: 'group', by: groupBy, group }),
          );
    if (nodes.length === 0) {
      // Nothing to show yet is not the same as nothing to show.
      const { phase } = await local.library.syncRecord();
      if (phase !== 'following') await setContextKey('reportLibrary.session', 'loading');
    }
    return nodes;
  }

  async #isEmpty(): Promise<boolean> {
    const local = await this.#view.library();
    return (await local?.library.totals())?.companies === 0;
  }

  /** A list too long to look through is grouped by first letter, whatever was chosen. */
  async #effective(local: LocalLibrary | undefined): Promise<Arrangement> {
    const chosen = this.#arrangement();
    if (chosen.groupBy !== 'none' || chosen.sort === 'newest' || !local) return chosen;
    const { companies } = await local.library.totals();
    return companies > pageSize ? { ...chosen, groupBy: 'letter' } : chosen;
  }

  async #companies(local: LocalLibrary, query: CompanyQuery, list: string): Promise<WatchlistNode[]> {
    const { sort } = this.#arrangement();
    const { items, more } = await readUpTo(this.#shown.get(list) ?? pageSize, (after, limit) =>
      local.library.companies({ ...query, sort }, { after, limit }),
    );
    const nodes = items.map((company): CompanyNode => ({ kind: 'company', company }));
    for (const node of nodes) this.#nodes.set(node.company.company_key, node);
    return more ? [...nodes, this.#more(list)] : nodes;
  }

  /** While a first load is under way, an opened company is fetched at once and counts towards the load. */
  async #years(local: LocalLibrary, { company }: CompanyNode): Promise<FiscalYearNode[]> {
    const companyKey = company.company_key;
    const { phase } = await local.library.syncRecord();
    if (phase !== 'following' && !this.#ahead.has(companyKey)) {
      await this.#view.withProgress(() => local.engine.loadCompany(companyKey));
      this.#ahead.add(companyKey);
    }
    const years = await local.library.companyYears(companyKey);
    return years.map((year) => ({ kind: 'fiscalYear', companyKey, year }));
  }

  async #reports(local: LocalLibrary, { companyKey, year }: FiscalYearNode): Promise<WatchlistNode[]> {
    const list = `${companyKey}:${year.fiscal_year ?? 'undated'}`;
    const { items, more } = await readUpTo(this.#shown.get(list) ?? pageSize, (after, limit) =>
      local.library.reports({ company_key: [companyKey], fcyear: [year.fiscal_year], state: 'all' }, { after, limit }),
    );
    const nodes = items.toSorted(byType).map((report): ReportNode => ({ kind: 'report', report }));
    await this.#marked.add(nodes);
    return more ? [...nodes, this.#more(list)] : nodes;
  }

  #more(list: string): MoreNode {
    return {
      kind: 'more',
      list,
      showMore: () => {
        this.#shown.set(list, (this.#shown.get(list) ?? pageSize) + pageSize);
        this.#changed.fire(undefined);
      },
    };
  }
}

/** Core types first, then specialty disclosures in the order of the interface's table, unknown codes last (TYP-1). */
function byType(a: ReportSummary, b: ReportSummary): number {
  return typeRank(a) - typeRank(b) || a.report_id - b.report_id;
}

function typeRank({ type }: ReportSummary): number {
  const rank = knownReportTypes.indexOf(type ?? '');
  return rank === -1 ? knownReportTypes.length : rank;
}

function groupList({ by, group }: GroupNode): string {
  return `group:${by}:${group.value ?? ''}`;
}
