import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy, GroupCount, ReportQuery } from '../../library/reportQuery.ts';
import { currentItem, heading } from '../common/pickWhileTyping.ts';
import { branchItem, companyIcon, fiscalYearLabel, fiscalYearWords, typeRank } from '../common/reportNode.ts';
import { facetNames, facetWords } from '../common/reportsFilter.ts';

/** How the reports are grouped. */
type Grouping = Exclude<GroupBy, 'assurance_level' | 'published'> | 'none';

const groupings = ['fcyear', 'company', 'type', 'class', 'language', 'country', 'sector', 'industry', 'none'] as const;
const memoryKey = 'reports.groupBy';

/** How the reports of this workspace were grouped last; by fiscal year at first. */
export function rememberedGrouping(memory: vscode.Memento): Grouping {
  const stored = memory.get(memoryKey);
  return groupings.find((name) => name === stored) ?? 'fcyear';
}

const sortKey = 'reports.sort';

/** How the reports of this workspace were sorted last: by fiscal year at first, or by publication. */
export function rememberedSort(memory: vscode.Memento): ReportQuery['sort'] {
  return memory.get(sortKey) === 'published' ? 'published' : undefined;
}

/** Asks how to group and sort the reports and remembers it; false when the user leaves. */
export async function chooseGrouping(memory: vscode.Memento): Promise<boolean> {
  const grouping = rememberedGrouping(memory);
  const sort = rememberedSort(memory);
  const noGroups = vscode.l10n.t('No Groups');
  const chosen = await vscode.window.showQuickPick(
    [
      heading(vscode.l10n.t('Group By')),
      ...groupings.map((name) => ({
        ...currentItem(name === 'none' ? noGroups : facetNames[name], name === grouping),
        change: [memoryKey, name],
      })),
      heading(vscode.l10n.t('Sort By')),
      { ...currentItem(vscode.l10n.t('Latest Fiscal Year First'), !sort), change: [sortKey] },
      { ...currentItem(vscode.l10n.t('Latest Publication First'), !!sort), change: [sortKey, 'published'] },
    ],
    { title: vscode.l10n.t('Group and Sort Reports') },
  );
  const [key, value] = chosen && 'change' in chosen ? chosen.change : [];
  if (key === undefined) return false;
  await memory.update(key, value);
  return true;
}

/** Reports that share a value. */
export interface ReportGroupNode {
  readonly kind: 'reportGroup';
  readonly by: Exclude<Grouping, 'none'>;
  /** Null for "not stated", of fiscal years for undated. */
  readonly value: string | number | null;
  readonly label: string;
  readonly count: number;
}

export function isReportGroupNode(value: unknown): value is ReportGroupNode {
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
export function groupItem(node: ReportGroupNode, filter: string, extensionUri: vscode.Uri): vscode.TreeItem {
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
export async function groupNodes(
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
