import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupCount, ReportQuery } from '../../library/reportQuery.ts';
import type { LocalLibrary } from '../../services.ts';
import { setContextKey } from '../common/commands.ts';
import { LibraryTree, type LibraryTreeContext, type MoreNode } from '../common/libraryTree.ts';
import {
  branchItem,
  companyIcon,
  fiscalYearLabel,
  fiscalYearWords,
  type ReportNode,
  reportItem,
  reportTooltip,
  typeRank,
} from '../common/reportNode.ts';
import {
  describeFilter,
  facetWords,
  isEmptyFilter,
  queryOf,
  queryOfGroup,
  type ReportsFilter,
} from '../common/reportsFilter.ts';
import { rememberedFilter, rememberFilter } from '../common/savedFilters.ts';
import { type Grouping, rememberedGrouping, rememberedSort } from './arrange.ts';

/** Reports that share a value. */
interface ReportGroupNode {
  readonly kind: 'reportGroup';
  readonly by: Exclude<Grouping, 'none'>;
  /** Null for "not stated", of fiscal years for undated. */
  readonly value: string | number | null;
  readonly label: string;
  readonly count: number;
}

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
    return isGroupNode(node) ? queryOfGroup(this.#query, node.by, node.value) : (await this.narrowed()).query;
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

function isGroupNode(value: unknown): value is ReportGroupNode {
  return isObject(value) && value.kind === 'reportGroup';
}

const icons: Readonly<Record<Exclude<Grouping, 'company' | 'none'>, string>> = {
  fcyear: 'calendar',
  type: 'tag',
  class: 'symbol-class',
  language: 'globe',
  country: 'location',
  sector: 'layers',
  industry: 'layers',
};

/** A group as a row. Another filter shows other children: what was expanded for the last one starts collapsed. */
function groupItem(node: ReportGroupNode, filter: string, extensionUri: vscode.Uri): vscode.TreeItem {
  const { by, value, label, count } = node;
  const words = counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
  const spoken = by === 'fcyear' && value !== null ? fiscalYearWords(Number(value)) : label;
  // Years alone are short enough to leave room for more than the number.
  const shown = by === 'fcyear' ? words : countText(count);
  const item = branchItem(`${by}:${value ?? 'none'}:${filter}`, 'reportGroup', label, shown, `${spoken}, ${words}`);
  item.iconPath = by === 'company' ? companyIcon(extensionUri) : new vscode.ThemeIcon(icons[by]);
  return item;
}

/** The groups in the order of a list, with their names; what is not stated, or undated, is last. */
async function groupNodes(
  library: Pick<LibraryCalls, 'company' | 'companies'>,
  groups: readonly GroupCount[],
  by: ReportGroupNode['by'],
): Promise<ReportGroupNode[]> {
  const values = groups.map(({ value }) => value);
  const names = by === 'company' ? await companyNames(library, values) : null;
  const nodes = groups.map(({ value, count }): ReportGroupNode => {
    const words = by === 'fcyear' ? fiscalYearLabel(value === null ? null : Number(value)) : facetWords(by, value);
    return { kind: 'reportGroup', by, value, label: names?.get(String(value)) ?? words, count };
  });
  const { compare } = new Intl.Collator(vscode.env.language, { numeric: true });
  return nodes.sort((a, b) => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
    if (by === 'fcyear') return Number(b.value) - Number(a.value);
    return (by === 'type' ? typeRank(String(a.value)) - typeRank(String(b.value)) : 0) || compare(a.label, b.label);
  });
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
      const page = await library.companies({ sort: 'name' }, { after, limit: 1000 });
      found.push(...page.items);
      after = page.next;
    }
  }
  return new Map(found.flatMap((one) => (one ? [[one.company_key, one.company_name ?? one.company_key]] : [])));
}
