import * as vscode from 'vscode';
import { readCompany } from '../../api/schemas/company.ts';
import type { LocalLibrary } from '../../app/session.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { Favorite } from '../../favorites/favorites.ts';
import {
  type CompanyLetter,
  type CompanyYear,
  type LibraryCompany,
  letterOf,
  sortName,
} from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { setContextKey } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { LibraryTree, type MoreNode } from '../common/libraryTree.ts';
import { showProblem } from '../common/messages.ts';
import { withViewProgress } from '../common/progress.ts';
import {
  branchItem,
  companyIcon,
  fiscalYearLabel,
  fiscalYearWords,
  type ReportNode,
  reportItem,
  reportTooltip,
  tooltipOf,
  typeRank,
} from '../common/reportNode.ts';
import { progressText, type SyncState, waitText } from '../common/syncState.ts';

type Node = FavoritesNode | LetterNode | CompanyNode | FiscalYearNode | ReportNode;
export type WatchlistNode = Node | MoreNode;

function license({ name }: LocalLibrary['connection']): string {
  return vscode.l10n.t('License: {0}', name);
}

/** More companies than these are shown by first letter. */
const maxFlat = 500;

/** The watchlist as a tree: companies by name, their fiscal years, their reports. */
export class WatchlistTree extends LibraryTree<Node> {
  /** How many PDFs of each company are in this workspace. */
  #here: ReadonlyMap<string, number> = new Map();
  /** Companies whose reports were fetched ahead of a first load that is still under way. */
  readonly #ahead = new Map<string, Promise<unknown>>();

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
    const isStuck = problem !== null && !isLoading && (await (await this.library())?.library.totals())?.companies === 0;
    // The loading message is cleared after the rows are drawn, so that they no longer change under the pointer.
    if (!isLoading) await this.drawChanges();
    if (this.context.services.session !== session) return;
    this.describe(license(session.connection), isStuck ? problem : message);
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
    const missing = isMissing ? vscode.l10n.t('not in your license') : '';
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
        return this.#companies(local, node);
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
    this.#ahead.clear();
  }

  /** What goes wrong below a row is told at once: the rest of the tree stays. */
  protected override async tellProblem(error: unknown, node?: Node): Promise<void> {
    if (node) showProblem(error, this.context.log);
    else await super.tellProblem(error);
  }

  async #roots(local: LocalLibrary): Promise<WatchlistNode[]> {
    const { companies } = await local.library.totals();
    this.#here = await this.#countHere(local, 'company');
    const nodes: WatchlistNode[] =
      companies > maxFlat
        ? (await local.library.companyLetters()).map((group) => ({ kind: 'letter', group }))
        : companyNodes((await local.library.companies({}, { limit: maxFlat })).items);
    if (this.isShown(local)) this.view.description = license(local.connection);
    return nodes.length > 0 && this.favorites.items.length > 0 ? [{ kind: 'favorites' }, ...nodes] : nodes;
  }

  async #favorites(local: LocalLibrary): Promise<WatchlistNode[]> {
    const { items } = this.favorites;
    const wanted = this.wanted('favorites');
    const nodes = await favoriteRows(local.library, items.slice(0, wanted));
    await this.mark(nodes.filter((node) => node.kind === 'report'));
    return items.length > wanted ? [...nodes, this.more('favorites')] : nodes;
  }

  async #companies({ library }: LocalLibrary, { group: { letter } }: LetterNode): Promise<WatchlistNode[]> {
    const { items, more } = await this.paged(`letter:${letter}`, (page) => library.companies({ letter }, page));
    return [...companyNodes(items), ...more];
  }

  /** While a first load is under way, an opened company is fetched at once and counts toward the load. */
  async #years(local: LocalLibrary, { company, isFavorite }: CompanyNode): Promise<FiscalYearNode[]> {
    const { library } = local;
    const companyKey = company.company_key;
    const { phase } = await library.syncRecord();
    if (phase !== 'following') await this.#loadAhead(local, companyKey);
    const years = await library.companyYears(companyKey);
    const here = this.#here.has(companyKey) ? await this.#countHere(local, 'fcyear', companyKey) : new Map();
    return years.map((year) => {
      return { kind: 'fiscalYear', companyKey, year, here: here.get(`${year.fiscal_year}`) ?? 0, isFavorite };
    });
  }

  /** Fetches a company once, however often the tree is read meanwhile. */
  async #loadAhead({ engine }: LocalLibrary, key: string): Promise<void> {
    const load = () => Promise.resolve(withViewProgress(viewIds.watchlist, () => engine.loadCompany(key)));
    const loading = this.#ahead.get(key) ?? load();
    this.#ahead.set(key, loading);
    try {
      await loading;
    } catch (error) {
      this.#ahead.delete(key);
      throw error;
    }
  }

  /** How many listed PDFs are in this workspace, by company, or by fiscal year of one. */
  async #countHere({ library }: LocalLibrary, by: 'company' | 'fcyear', key?: string): Promise<Map<string, number>> {
    const ids = await this.context.marks.here();
    if (ids.length === 0) return new Map();
    const groups = await library.groupReports({ ...(key && { company_key: [key] }), among: [{ ids, is: true }] }, by);
    return new Map(groups.map(({ value, count }) => [`${value}`, count]));
  }

  async #reports({ library }: LocalLibrary, node: FiscalYearNode): Promise<WatchlistNode[]> {
    const { companyKey, year, isFavorite } = node;
    const query = { company_key: [companyKey], fcyear: [year.fiscal_year], state: 'all' } as const;
    const list = `${isFavorite ? 'favorite:' : ''}${companyKey}:${year.fiscal_year ?? 'undated'}`;
    const { items, more } = await this.paged(list, (page) => library.reports(query, page));
    // Core types first, then specialty disclosures in the order of the interface's table, unknown codes last (TYP-1).
    const sorted = items.toSorted((a, b) => typeRank(a.type) - typeRank(b.type) || a.report_id - b.report_id);
    const nodes = sorted.map((report): ReportNode => ({ kind: 'report', report, isFavorite }));
    return [...(await this.mark(nodes)), ...more];
  }
}

/** Companies that share a first letter. */
interface LetterNode {
  readonly kind: 'letter';
  readonly group: CompanyLetter;
}

/** The starred companies and reports, above all others. */
interface FavoritesNode {
  readonly kind: 'favorites';
}

/** The reports of one company that are filed under one fiscal year; null holds the undated ones (FY-2). */
interface FiscalYearNode {
  readonly kind: 'fiscalYear';
  readonly companyKey: string;
  readonly year: CompanyYear;
  /** How many of its PDFs are in this workspace. */
  readonly here: number;
  readonly isFavorite?: boolean | undefined;
}

function favoritesItem(count: number): vscode.TreeItem {
  const label = vscode.l10n.t('Favorites');
  const words = counted(count, l10n.later('1 favorite'), l10n.later('{0} favorites'));
  const item = branchItem('favorites', 'favorites', label, countText(count), `${label}, ${words}`);
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  item.iconPath = new vscode.ThemeIcon('star-full');
  return item;
}

function letterItem({ group: { letter, companies } }: LetterNode): vscode.TreeItem {
  const count = counted(companies, l10n.later('1 company'), l10n.later('{0} companies'));
  return branchItem(`letter:${letter}`, 'letter', letter, count, `${letter}, ${count}`);
}

function companyTooltip({ company }: CompanyNode, here: number): vscode.MarkdownString {
  return tooltipOf(company.company_name ?? company.company_key, [
    [here > 0 ? vscode.l10n.t('Reports') : null, amountHere(company.listed, here)],
    [vscode.l10n.t('Newest fiscal year'), company.newest === null ? null : String(company.newest)],
    [vscode.l10n.t('Company key'), company.company_key],
    [vscode.l10n.t('Exchange'), company.exchange],
    [vscode.l10n.t('Country'), company.country],
    [vscode.l10n.t('Sector'), company.sector],
    [vscode.l10n.t('Industry'), company.industry],
    ['ISIN', company.isin ?? vscode.l10n.t('Withheld or unknown')],
    ['LEI', company.lei],
    ['FIGI', company.figi],
    ['CIK', company.cik],
  ]);
}

function fiscalYearItem({ companyKey, year, here }: FiscalYearNode): vscode.TreeItem {
  const { fiscal_year, listed, gone } = year;
  const amount = amountHere(listed, here);
  const count = gone === 0 ? amount : vscode.l10n.t('{0}, {1} withdrawn', amount, gone);
  const id = `fiscalYear:${companyKey}:${fiscal_year ?? 'undated'}`;
  const spoken = `${fiscalYearWords(fiscal_year)}, ${count}`;
  const item = branchItem(id, 'fiscalYear', fiscalYearLabel(fiscal_year), count, spoken);
  item.iconPath = new vscode.ThemeIcon('calendar');
  return item;
}

/** `7 reports`, or `4 of 7 downloaded` where PDFs are in this workspace. */
function amountHere(listed: number, here: number): string {
  if (here > 0) return vscode.l10n.t('{0} of {1} downloaded', countText(here), countText(listed));
  return counted(listed, l10n.later('1 report'), l10n.later('{0} reports'));
}

interface CompanyNode {
  readonly kind: 'company';
  readonly company: LibraryCompany;
  readonly isFavorite?: boolean | undefined;
  /** A favorite that the license no longer includes. */
  readonly isMissing?: boolean | undefined;
}

function companyNodes(companies: readonly LibraryCompany[]): CompanyNode[] {
  return companies.map((company) => ({ kind: 'company', company }));
}

type RowReads = Pick<LibraryCalls, 'summaries' | 'company' | 'syncRecord'>;

/**
 * Favorites as rows, as the library knows them now. One that it does not know is shown by its key: as gone, unless the
 * library is still being loaded.
 */
async function favoriteRows(library: RowReads, items: readonly Favorite[]): Promise<(CompanyNode | ReportNode)[]> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const keys = items.flatMap(({ report_id, company_key }) => (report_id === null ? [company_key] : []));
  const [{ phase }, reports, companies] = await Promise.all([
    library.syncRecord(),
    library.summaries(ids),
    Promise.all(keys.map((key) => library.company(key))),
  ]);
  const isWhole = phase === 'following';
  const byId = new Map(reports.map((report) => [report.report_id, report]));
  const byKey = new Map(keys.map((key, index) => [key, companies[index]]));
  return items.map((item): CompanyNode | ReportNode => {
    if (item.report_id !== null) {
      const report = byId.get(item.report_id) ?? unknownReport(item, item.report_id, isWhole);
      return { kind: 'report', report, isFavorite: true, isAlone: true };
    }
    const known = byKey.get(item.company_key);
    const isMissing = isWhole && !known?.watched && !known?.listed;
    return { kind: 'company', company: known ?? unknownCompany(item.company_key), isFavorite: true, isMissing };
  });
}

function unknownReport({ company_key, report_key }: Favorite, report_id: number, isWhole: boolean): ReportSummary {
  const unsaid = { company_name: null, type: null, class: null, fiscal_year: null, fiscal_year_label: null };
  const unknown = { year: null, language: null, pages: null, filesize: null, published: null, period_end: null };
  const key = report_key ?? String(report_id);
  return {
    ...{ report_id, report_key: key, company_key, title: key, ...unsaid, ...unknown, has_file: null, sha256: null },
    state: isWhole ? 'removed' : 'listed',
  };
}

function unknownCompany(company_key: string): LibraryCompany {
  const read = readCompany({ company_key });
  if (!read.ok) throw new Error(read.reason);
  return { ...read.value, watched: false, listed: 0, gone: 0, newest: null };
}
