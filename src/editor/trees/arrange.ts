import * as vscode from 'vscode';
import type { CompanyGroupBy } from '../../library/companyQuery.ts';
import type { GroupBy, ReportQuery } from '../../library/reportQuery.ts';
import { currentItem, heading } from '../common/pickWhileTyping.ts';
import { facetNames } from '../common/reportsFilter.ts';

/** How the companies of the Watchlist are arranged. */
export interface Arrangement {
  readonly groupBy: CompanyGroupBy | 'none';
  readonly sort: 'name' | 'newest';
}

/** What to group by and to sort by, with what a person calls each; the first of each is usual. */
const companyGroups: readonly (readonly [Arrangement['groupBy'], string])[] = [
  ['none', vscode.l10n.t('No Groups')],
  ['country', vscode.l10n.t('Country')],
  ['sector', vscode.l10n.t('Sector')],
  ['industry', vscode.l10n.t('Industry')],
  ['letter', vscode.l10n.t('First Letter')],
];
const companySorts: readonly (readonly [Arrangement['sort'], string])[] = [
  ['name', vscode.l10n.t('Name')],
  ['newest', vscode.l10n.t('Newest Report')],
];
const watchlistKey = 'watchlist.arrangement';

/** How the companies were arranged last; as usual for anything that was not stored here. */
export function rememberedArrangement(memory: vscode.Memento): Arrangement {
  const stored = memory.get<Partial<Record<keyof Arrangement, unknown>>>(watchlistKey);
  return {
    groupBy: companyGroups.find(([groupBy]) => groupBy === stored?.groupBy)?.[0] ?? 'none',
    sort: stored?.sort === 'newest' ? 'newest' : 'name',
  };
}

/** Asks how to arrange the companies and remembers it; false when the user leaves. */
export async function arrangeWatchlist(memory: vscode.Memento): Promise<boolean> {
  const now = rememberedArrangement(memory);
  return choose(memory, vscode.l10n.t('Group and Sort Watchlist'), [
    heading(vscode.l10n.t('Group By')),
    ...companyGroups.map(([groupBy, label]) => ({
      ...currentItem(label, groupBy === now.groupBy),
      change: [watchlistKey, { ...now, groupBy }] as const,
    })),
    heading(vscode.l10n.t('Sort By')),
    ...companySorts.map(([sort, label]) => ({
      ...currentItem(label, sort === now.sort),
      change: [watchlistKey, { ...now, sort }] as const,
    })),
  ]);
}

/** How the reports are grouped. */
export type Grouping = Exclude<GroupBy, 'assurance_level' | 'published'> | 'none';

const groupings = ['fcyear', 'company', 'type', 'class', 'language', 'country', 'sector', 'industry', 'none'] as const;
const groupKey = 'reports.groupBy';
const sortKey = 'reports.sort';

/** How the reports of this workspace were grouped last; by fiscal year at first. */
export function rememberedGrouping(memory: vscode.Memento): Grouping {
  const stored = memory.get(groupKey);
  return groupings.find((name) => name === stored) ?? 'fcyear';
}

/** How the reports of this workspace were sorted last: by fiscal year at first, or by publication. */
export function rememberedSort(memory: vscode.Memento): ReportQuery['sort'] {
  return memory.get(sortKey) === 'published' ? 'published' : undefined;
}

/** Asks how to group and sort the reports and remembers it; false when the user leaves. */
export async function arrangeReports(memory: vscode.Memento): Promise<boolean> {
  const grouping = rememberedGrouping(memory);
  const sort = rememberedSort(memory);
  return choose(memory, vscode.l10n.t('Group and Sort Reports'), [
    heading(vscode.l10n.t('Group By')),
    ...groupings.map((name) => ({
      ...currentItem(name === 'none' ? vscode.l10n.t('No Groups') : facetNames[name], name === grouping),
      change: [groupKey, name] as const,
    })),
    heading(vscode.l10n.t('Sort By')),
    { ...currentItem(vscode.l10n.t('Latest Fiscal Year First'), !sort), change: [sortKey, undefined] },
    { ...currentItem(vscode.l10n.t('Latest Publication First'), !!sort), change: [sortKey, 'published'] },
  ]);
}

/** An item that changes what is remembered, or a heading. */
interface ChangeItem extends vscode.QuickPickItem {
  readonly change?: readonly [key: string, value: unknown];
}

async function choose(memory: vscode.Memento, title: string, items: readonly ChangeItem[]): Promise<boolean> {
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (!chosen?.change) return false;
  await memory.update(...chosen.change);
  return true;
}
