import * as vscode from 'vscode';
import { countText } from '../../base/words.ts';
import { type LibraryCompany, letterOf, sortName } from '../../library/companyQuery.ts';
import type { LocalLibrary } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { LibraryTree, type LibraryTreeContext, type MoreNode } from '../common/libraryTree.ts';
import { problemText, showProblem } from '../common/messages.ts';
import { withViewProgress } from '../common/progress.ts';
import { branchItem, companyIcon, type ReportNode, reportItem, reportTooltip, typeRank } from '../common/reportNode.ts';
import { progressText, type SyncState, waitText } from '../common/syncState.ts';
import {
  amountHere,
  type CompanyNode,
  companyTooltip,
  type FavoritesNode,
  type FiscalYearNode,
  favoriteRows,
  favoritesItem,
  fiscalYearItem,
  type LetterNode,
  letterItem,
} from './watchlistRows.ts';

type Node = FavoritesNode | LetterNode | CompanyNode | FiscalYearNode | ReportNode;
export type WatchlistNode = Node | MoreNode;

function licence({ name }: LocalLibrary['connection']): string {
  return vscode.l10n.t('Licence: {0}', name);
}

/** More companies than these are shown by first letter. */
const maxFlat = 500;

/** The watchlist as a tree: companies by name, their fiscal years, their reports. */
export class WatchlistTree extends LibraryTree<Node, ReportNode> {
  readonly #favoritesNode: FavoritesNode = { kind: 'favorites' };
  /** The companies that are shown, so that a change in one redraws it alone. */
  readonly #nodes = new Map<string, CompanyNode>();
  /** How many companies there were when the roots were last read. */
  #companyCount = 0;
  /** How many PDFs of each company are in this workspace. */
  #here: ReadonlyMap<string, number> = new Map();
  #counting: Promise<void> | undefined;
  /** Companies whose reports were fetched ahead of a first load that is still under way. */
  readonly #ahead = new Set<string>();

  constructor(context: LibraryTreeContext, view: vscode.TreeView<WatchlistNode>) {
    super(context, view);
    // Many PDFs may come at once: one count waits while another is under way.
    this.store.add(context.marks.onDidChange(() => (this.#counting ??= this.#countAgain())));
  }

  protected tooltip(node: Node): vscode.MarkdownString | undefined {
    if (node.kind === 'company') return companyTooltip(node, this.#here.get(node.company.company_key) ?? 0);
    return node.kind === 'report' ? reportTooltip(node) : undefined;
  }

  async getParent(node: WatchlistNode): Promise<WatchlistNode | undefined> {
    const local = await this.library();
    if (node.kind !== 'company' || !local || (await local.library.totals()).companies <= maxFlat) return undefined;
    const { company } = node;
    const letter = letterOf(sortName(company.company_name ?? company.company_key));
    const group = (await local.library.companyLetters()).find((other) => other.letter === letter);
    return group && { kind: 'letter', group };
  }

  /** The node of a company that the library holds. */
  async company(companyKey: string): Promise<CompanyNode | undefined> {
    const local = await this.library();
    const company = await local?.library.company(companyKey);
    return company ? { kind: 'company', company } : undefined;
  }

  /** Shows under the title how a load goes, or why there is nothing to show. */
  async showSync(state: SyncState): Promise<void> {
    const { progress, problem } = state;
    const session = this.context.services.session;
    if (session.kind !== 'signedIn') return;
    const isLoading = progress !== null && (progress.activity === 'preparing' || progress.activity === 'loading');
    const message = isLoading ? progressText(progress) : waitText(state);
    const isStuck = problem !== null && !isLoading && (await this.#count()) === 0;
    if (this.context.services.session !== session) return;
    this.describe(licence(session.connection), isStuck ? problem : message);
    if (isStuck) await setContextKey('reportLibrary.session', 'unreachable');
  }

  protected item(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'favorites':
        return favoritesItem(this.favorites.items.length);
      case 'letter':
        return letterItem(node);
      case 'company':
        return this.#companyItem(node);
      case 'fiscalYear':
        return fiscalYearItem(node);
      case 'report':
        return reportItem(node, node.isAlone ? [] : ['company', 'fcyear']);
      default:
        return node satisfies never;
    }
  }

  /** How a company looks. Only the key is certain (WL-1): a company without a name shows its key. */
  #companyItem({ company, isMissing }: CompanyNode): vscode.TreeItem {
    const { company_key: key, listed, country, sector } = company;
    const name = company.company_name ?? key;
    const here = this.#here.get(key) ?? 0;
    // Nothing before its reports have come.
    const count = here > 0 ? `${countText(here)}/${countText(listed)}` : listed > 0 ? countText(listed) : '';
    const missing = isMissing ? vscode.l10n.t('not in your licence') : '';
    const spoken = [name, count && amountHere(listed, here), missing, country, sector].filter(Boolean);
    const item = branchItem(`company:${key}`, 'company', name, missing || count, spoken.join(', '));
    if (isMissing) item.collapsibleState = vscode.TreeItemCollapsibleState.None;
    item.iconPath = companyIcon(this.context.extension.extensionUri);
    return item;
  }

  protected async children(local: LocalLibrary, node?: Node): Promise<WatchlistNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.#roots(local);
      case 'favorites':
        return this.#favorites(local);
      case 'letter':
        return this.#companiesOf(local, node);
      case 'company':
        return this.#years(local, node);
      case 'fiscalYear':
        return this.#reports(local, node);
      default:
        return [];
    }
  }

  protected override forget(): void {
    super.forget();
    this.#nodes.clear();
    this.#ahead.clear();
  }

  /** What goes wrong below a row is told at once: the rest of the tree stays. */
  protected override async tellProblem(error: unknown, node?: Node): Promise<void> {
    if (node) showProblem(error, this.context.log);
    else await super.tellProblem(error);
  }

  /**
   * A menu opened while the whole tree is read again would lose its row, and a button on a row would not know which, so
   * as little as possible is: the companies that are shown, and everything only when others came or went.
   */
  protected override async refresh(companies: readonly string[] | 'many'): Promise<void> {
    if (companies === 'many' || this.#companyCount === 0) return this.reload();
    const changed = new Set(companies);
    if (this.favorites.items.some(({ company_key }) => changed.has(company_key))) this.redraw(this.#favoritesNode);
    const nodes = companies.flatMap((key) => this.#nodes.get(key) ?? []);
    if (nodes.length < companies.length && (await this.#count()) !== this.#companyCount) return this.reload();
    const local = await this.library();
    for (const node of nodes) {
      const company = await local?.library.company(node.company.company_key);
      if (!company) return this.reload();
      // The editor knows nodes by identity.
      node.company = company;
      this.redraw(node);
    }
  }

  async #count(): Promise<number | undefined> {
    return (await (await this.library())?.library.totals())?.companies;
  }

  async #roots(local: LocalLibrary): Promise<WatchlistNode[]> {
    this.marked.clear();
    this.#companyCount = (await local.library.totals()).companies;
    this.#here = await this.#countHere(local, 'company');
    const nodes: WatchlistNode[] =
      this.#companyCount > maxFlat
        ? (await local.library.companyLetters()).map((group) => ({ kind: 'letter', group }))
        : this.#rowsOf((await local.library.companies({}, { limit: maxFlat })).items);
    if (this.isShown(local)) this.view.description = licence(local.connection);
    return nodes.length > 0 && this.favorites.items.length > 0 ? [this.#favoritesNode, ...nodes] : nodes;
  }

  async #favorites(local: LocalLibrary): Promise<WatchlistNode[]> {
    const { items } = this.favorites;
    const wanted = this.wanted('favorites');
    const nodes = await favoriteRows(local.library, items.slice(0, wanted));
    await this.marked.add(nodes.filter((node) => node.kind === 'report'));
    return items.length > wanted ? [...nodes, this.more('favorites')] : nodes;
  }

  async #companiesOf({ library }: LocalLibrary, { group: { letter } }: LetterNode): Promise<WatchlistNode[]> {
    const { items, more } = await this.paged(`letter:${letter}`, (page) => library.companies({ letter }, page));
    return [...this.#rowsOf(items), ...more];
  }

  /** Companies as rows, which are kept to draw each again by itself. */
  #rowsOf(companies: readonly LibraryCompany[]): CompanyNode[] {
    const nodes = companies.map((company): CompanyNode => ({ kind: 'company', company }));
    for (const node of nodes) this.#nodes.set(node.company.company_key, node);
    return nodes;
  }

  /** While a first load is under way, an opened company is fetched at once and counts towards the load. */
  async #years(local: LocalLibrary, { company, isFavorite }: CompanyNode): Promise<FiscalYearNode[]> {
    const { library, engine } = local;
    const companyKey = company.company_key;
    const { phase } = await library.syncRecord();
    if (phase !== 'following' && !this.#ahead.has(companyKey)) {
      await withViewProgress(viewIds.watchlist, () => engine.loadCompany(companyKey));
      this.#ahead.add(companyKey);
    }
    const years = await library.companyYears(companyKey);
    const here = this.#here.has(companyKey) ? await this.#countHere(local, 'fcyear', companyKey) : new Map();
    return years.map((year) => {
      return { kind: 'fiscalYear', companyKey, year, here: here.get(`${year.fiscal_year}`) ?? 0, isFavorite };
    });
  }

  /** How many listed PDFs are in this workspace, by company, or by fiscal year of one. */
  async #countHere({ library }: LocalLibrary, by: 'company' | 'fcyear', key?: string): Promise<Map<string, number>> {
    const ids = await this.context.localReports();
    if (ids.length === 0) return new Map();
    const groups = await library.groupReports({ ...(key && { company_key: [key] }), among: [{ ids, is: true }] }, by);
    return new Map(groups.map(({ value, count }) => [`${value}`, count]));
  }

  /** PDFs came or went: draws the companies anew of which there are more or fewer now. */
  async #countAgain(): Promise<void> {
    try {
      const local = await this.library().finally(() => {
        this.#counting = undefined;
      });
      if (!local) return;
      const before = this.#here;
      const here = await this.#countHere(local, 'company');
      if (!this.isShown(local)) return;
      this.#here = here;
      for (const [key, node] of this.#nodes) if (before.get(key) !== here.get(key)) this.redraw(node);
      if (this.favorites.items.length > 0) this.redraw(this.#favoritesNode);
    } catch (error) {
      this.context.log.warn(`The PDFs of the companies were not counted: ${problemText(error)}`);
    }
  }

  async #reports({ library }: LocalLibrary, node: FiscalYearNode): Promise<WatchlistNode[]> {
    const { companyKey, year, isFavorite } = node;
    const query = { company_key: [companyKey], fcyear: [year.fiscal_year], state: 'all' } as const;
    const list = `${isFavorite ? 'favorite:' : ''}${companyKey}:${year.fiscal_year ?? 'undated'}`;
    const { items, more } = await this.paged(list, (page) => library.reports(query, page));
    // Core types first, then specialty disclosures in the order of the interface's table, unknown codes last (TYP-1).
    const sorted = items.toSorted((a, b) => typeRank(a.type) - typeRank(b.type) || a.report_id - b.report_id);
    const nodes = sorted.map((report): ReportNode => ({ kind: 'report', report, isFavorite }));
    await this.marked.add(nodes);
    return [...nodes, ...more];
  }
}
