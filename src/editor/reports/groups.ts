import * as vscode from 'vscode';
import { reportClassName } from '../../api/schemas/reportTypes.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, plainText } from '../../base/words.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { GroupBy, GroupCount, ReportQuery } from '../../library/reportQuery.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import { isRecord } from '../common/arguments.ts';
import { labelText } from '../common/messages.ts';
import { companyIcon, fiscalYearLabel, fiscalYearWords, fitting, typeLabel, typeRank } from '../common/reportNode.ts';

/** How the reports are grouped. */
type Grouping = GroupBy | 'none';

const memoryKey = 'reports.groupBy';

const names: Readonly<Record<Grouping, string>> = {
  fcyear: vscode.l10n.t('Fiscal Year'),
  company: vscode.l10n.t('Company'),
  type: vscode.l10n.t('Report Type'),
  class: vscode.l10n.t('Class'),
  language: vscode.l10n.t('Language'),
  country: vscode.l10n.t('Country'),
  sector: vscode.l10n.t('Sector'),
  industry: vscode.l10n.t('Industry'),
  none: vscode.l10n.t('No Groups'),
};

/** How the reports of this workspace were grouped last; by fiscal year at first. */
export function rememberedGrouping(memory: vscode.Memento): Grouping {
  const stored = memory.get(memoryKey);
  return (Object.keys(names) as Grouping[]).find((name) => name === stored) ?? 'fcyear';
}

const sortKey = 'reports.sort';

/** How the reports of this workspace were sorted last: by fiscal year at first, or by publication. */
export function rememberedSort(memory: vscode.Memento): ReportQuery['sort'] {
  return memory.get(sortKey) === 'published' ? 'published' : undefined;
}

/** Asks how to group and sort the reports and remembers it; false when the user leaves. */
export async function chooseGrouping(memory: vscode.Memento): Promise<boolean> {
  const now = rememberedGrouping(memory);
  const sort = rememberedSort(memory);
  const item = (label: string, isNow: boolean, key: string, value: string | undefined) => ({
    ...{ label: `$(${isNow ? 'check' : 'blank'}) ${label}`, key, value },
  });
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, key: '', value: undefined });
  const choices = [
    ...(Object.keys(names) as Grouping[]).map((name) => item(names[name], name === now, memoryKey, name)),
    heading(vscode.l10n.t('Sort By')),
    item(vscode.l10n.t('Latest Fiscal Year First'), sort === undefined, sortKey, undefined),
    item(vscode.l10n.t('Latest Publication First'), sort === 'published', sortKey, 'published'),
  ];
  const chosen = await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Group and Sort Reports') });
  if (!chosen) return false;
  await memory.update(chosen.key, chosen.value);
  return true;
}

/** Reports that share a value. */
export interface GroupNode {
  readonly kind: 'reportGroup';
  readonly by: GroupBy;
  /** Null for "not stated", of fiscal years for undated. */
  readonly value: string | number | null;
  readonly label: string;
  readonly count: number;
}

export function isGroupNode(value: unknown): value is GroupNode {
  return isRecord(value) && value.kind === 'reportGroup';
}

const icons: Readonly<Record<Exclude<GroupBy, 'company'>, string>> = {
  fcyear: 'calendar',
  type: 'tag',
  class: 'symbol-class',
  language: 'globe',
  country: 'location',
  sector: 'layers',
  industry: 'layers',
};

/** A group as a row. Another filter shows other children: what was expanded for the last one starts collapsed. */
export function groupItem(node: GroupNode, filter: string, extensionUri: vscode.Uri): vscode.TreeItem {
  const { by, value, label, count } = node;
  const item = new vscode.TreeItem(labelText(label), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `${by}:${value ?? 'none'}:${filter}`;
  item.contextValue = 'reportGroup';
  item.iconPath = by === 'company' ? companyIcon(extensionUri) : new vscode.ThemeIcon(icons[by]);
  const words = counted(count, l10n.later('1 report'), l10n.later('{0} reports'));
  item.description = fitting(label, 0, words);
  const spoken = by === 'fcyear' && value !== null ? fiscalYearWords(Number(value)) : label;
  item.accessibilityInformation = { label: plainText(`${spoken}, ${words}`) };
  return item;
}

/** Below this many companies each is asked for its name by itself; beyond, all names are read in order. */
const fewCompanies = 500;

/** The groups in the order of a list, with their names; what is not stated, or undated, is last. */
export async function groupNodes(
  library: Pick<LibraryCalls, 'company' | 'companies'>,
  groups: readonly GroupCount[],
  by: GroupBy,
  language: string,
): Promise<GroupNode[]> {
  const names = by === 'company' ? await companyNames(library, groups) : null;
  const nodes = groups.map(({ value, count }): GroupNode => {
    const label = names?.get(String(value)) ?? labelOf(by, value, language);
    return { kind: 'reportGroup', by, value, label, count };
  });
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  return nodes.sort((a, b) => {
    if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
    if (by === 'fcyear') return Number(b.value) - Number(a.value);
    return (by === 'type' ? typeRank(String(a.value)) - typeRank(String(b.value)) : 0) || compare(a.label, b.label);
  });
}

function labelOf(by: GroupBy, value: string | number | null, language: string): string {
  if (by === 'fcyear') return fiscalYearLabel(value === null ? null : Number(value));
  if (value === null) return vscode.l10n.t('Not stated');
  const text = String(value);
  if (by === 'type') return typeLabel(text);
  if (by === 'class') return reportClassName(text) ?? text;
  return by === 'language' ? formatLanguages(text, language) : text;
}

/** The names of companies that reports are grouped by, by their keys. */
export async function companyNames(
  library: Pick<LibraryCalls, 'company' | 'companies'>,
  groups: readonly Pick<GroupCount, 'value'>[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const note = (company: { readonly company_key: string; readonly company_name: string | null } | null) => {
    if (company) names.set(company.company_key, company.company_name ?? company.company_key);
  };
  if (groups.length <= fewCompanies) {
    for (const company of await Promise.all(groups.map(({ value }) => library.company(String(value))))) note(company);
    return names;
  }
  for (let after: string | undefined; ; ) {
    const page = await library.companies({ sort: 'name' }, { after, limit: 1000 });
    page.items.forEach(note);
    if (page.next === null) return names;
    after = page.next;
  }
}
