import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { LocalLibrary } from '../../app/session.ts';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportOrder, ReportQuery } from '../../library/reportQuery.ts';
import { setContextKey } from '../common/commands.ts';
import { LibraryTree, type MoreNode } from '../common/libraryTree.ts';
import {
  branchItem,
  fiscalYearLabel,
  fiscalYearWords,
  type ReportNode,
  reportItem,
  reportTooltip,
} from '../common/reportNode.ts';
import { describeFilter, isEmptyFilter, queryOf, queryOfYear, type ReportsFilter } from '../common/reportsFilter.ts';
import { rememberedFilter, rememberFilter } from '../common/savedFilters.ts';

/** The reports that are filed under one fiscal year; null holds the undated ones (FY-2). */
interface YearNode {
  readonly kind: 'year';
  readonly year: number | null;
  readonly count: number;
}

export type ReportsNode = YearNode | ReportNode | MoreNode;

const byCompany: ReportOrder = { column: 'company', descending: false };

/** All reports of the library, or those of a filter, by fiscal year, then company. */
export class ReportsTree extends LibraryTree<YearNode | ReportNode> {
  readonly #memory: vscode.Memento;
  #filter: ReportsFilter;
  /** The query of the roots that are shown. */
  #query: ReportQuery = {};

  constructor(context: App, view: vscode.TreeView<ReportsNode>) {
    super(context, view);
    this.#memory = context.extension.workspaceState;
    this.#filter = rememberedFilter(this.#memory);
    void this.#offerToClear();
  }

  get filter(): ReportsFilter {
    return this.#filter;
  }

  /** The filter of the view, as a query and in words; both are empty when it shows everything. */
  async narrowed(): Promise<{ readonly query: ReportQuery; readonly words: string }> {
    const filter = this.#filter;
    return { query: await queryOf(filter, this.context), words: describeFilter(filter) };
  }

  /** Everything that the view shows, or what one of its years holds. */
  async queryOf(node: unknown): Promise<ReportQuery> {
    return isYearNode(node) ? queryOfYear(this.#query, node.year) : (await this.narrowed()).query;
  }

  /** Filters the view, also for the next time the window opens. */
  async show(filter: ReportsFilter): Promise<void> {
    this.#filter = filter;
    this.forget();
    this.reload();
    await rememberFilter(this.#memory, filter);
    await this.#offerToClear();
  }

  protected tooltip(node: YearNode | ReportNode): vscode.MarkdownString | undefined {
    return node.kind === 'report' ? reportTooltip(node) : undefined;
  }

  protected item(node: YearNode | ReportNode): vscode.TreeItem {
    return node.kind === 'report' ? reportItem(node, ['fcyear']) : yearItem(node, describeFilter(this.#filter));
  }

  protected async children(local: LocalLibrary, node?: YearNode | ReportNode): Promise<ReportsNode[]> {
    if (!node) return this.#years(local);
    return node.kind === 'year' ? this.#reports(local, node) : [];
  }

  async #offerToClear(): Promise<void> {
    await setContextKey('reportLibrary.filtered', !isEmptyFilter(this.#filter));
  }

  async #years(local: LocalLibrary): Promise<ReportsNode[]> {
    const filter = this.#filter;
    const query = await queryOf(filter, this.context);
    if (filter === this.#filter && this.isShown(local)) this.#query = query;
    const groups = await local.library.groupReports(query, 'fcyear');
    if (this.isShown(local)) this.describe(describeFilter(filter), '');
    return groups
      .map(({ value, count }): YearNode => {
        return { kind: 'year', year: value === null ? null : Number(value), count };
      })
      .sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
  }

  async #reports({ library }: LocalLibrary, { year, count }: YearNode): Promise<ReportsNode[]> {
    const query = queryOfYear(this.#query, year);
    const { items, more } = await this.paged(`fcyear:${year ?? 'none'}`, async ({ after, limit }) => {
      const offset = Number(after ?? 0);
      const found = await library.reportsAt(query, byCompany, { offset, limit });
      const end = offset + found.length;
      return { items: found, next: end < count ? String(end) : null };
    });
    return [...(await this.mark(items.map((report): ReportNode => ({ kind: 'report', report })))), ...more];
  }
}

function isYearNode(value: unknown): value is YearNode {
  return isObject(value) && value.kind === 'year';
}

/** A fiscal year as a row. A row that was expanded for one filter starts collapsed for another. */
function yearItem({ year, count }: YearNode, filter: string): vscode.TreeItem {
  const words = counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
  const id = `fcyear:${year ?? 'none'}:${filter}`;
  const item = branchItem(id, 'reportGroup', fiscalYearLabel(year), words, `${fiscalYearWords(year)}, ${words}`);
  item.iconPath = new vscode.ThemeIcon('calendar');
  return item;
}

/** Up to this many companies each is asked for its name by itself; beyond, all names are read in order. */
const fewCompanies = 500;

/** The names of companies by their keys; one that has none goes by its key. */
export async function companyNames(
  library: Pick<LibraryCalls, 'company' | 'companies'>,
  keys: readonly (string | number | null)[],
): Promise<Map<string, string>> {
  const found: (LibraryCompany | null)[] = [];
  if (keys.length <= fewCompanies) found.push(...(await Promise.all(keys.map((key) => library.company(String(key))))));
  else {
    for (let after: string | undefined | null; after !== null; ) {
      const page = await library.companies({}, { after, limit: 1000 });
      found.push(...page.items);
      after = page.next;
    }
  }
  return new Map(found.flatMap((one) => (one ? [[one.company_key, one.company_name ?? one.company_key]] : [])));
}
