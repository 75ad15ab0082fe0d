import * as vscode from 'vscode';
import type { CompanyGroupBy } from '../../library/companyQuery.ts';
import { currentItem, heading } from '../common/pickWhileTyping.ts';

export interface Arrangement {
  readonly groupBy: CompanyGroupBy | 'none';
  readonly sort: 'name' | 'newest';
}

const usualArrangement: Arrangement = { groupBy: 'none', sort: 'name' };

const memoryKey = 'watchlist.arrangement';

/** How the companies were arranged last. */
export function rememberedArrangement(memory: vscode.Memento): Arrangement {
  return readArrangement(memory.get(memoryKey));
}

/** Asks how to arrange the companies and remembers it; false when the user leaves. */
export async function arrange(memory: vscode.Memento): Promise<boolean> {
  const chosen = await askForArrangement(rememberedArrangement(memory));
  if (!chosen) return false;
  await memory.update(memoryKey, chosen);
  return true;
}

async function askForArrangement(now: Arrangement): Promise<Arrangement | undefined> {
  const item = (label: string, change: Partial<Arrangement>) => {
    const next = { ...now, ...change };
    return { ...currentItem(label, next.groupBy === now.groupBy && next.sort === now.sort), next };
  };
  const items = [
    heading(vscode.l10n.t('Group By')),
    item(vscode.l10n.t('No Groups'), { groupBy: 'none' }),
    item(vscode.l10n.t('Country'), { groupBy: 'country' }),
    item(vscode.l10n.t('Sector'), { groupBy: 'sector' }),
    item(vscode.l10n.t('Industry'), { groupBy: 'industry' }),
    item(vscode.l10n.t('First Letter'), { groupBy: 'letter' }),
    heading(vscode.l10n.t('Sort By')),
    item(vscode.l10n.t('Name'), { sort: 'name' }),
    item(vscode.l10n.t('Newest Report'), { sort: 'newest' }),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Group and Sort Watchlist') });
  return chosen && 'next' in chosen ? chosen.next : undefined;
}

/** An arrangement that was remembered; the usual one for anything else. */
function readArrangement(stored: unknown): Arrangement {
  if (typeof stored !== 'object' || stored === null) return usualArrangement;
  const { groupBy, sort } = stored as Record<string, unknown>;
  const groups: readonly Arrangement['groupBy'][] = ['none', 'country', 'sector', 'industry', 'letter'];
  return {
    groupBy: groups.find((name) => name === groupBy) ?? usualArrangement.groupBy,
    sort: sort === 'newest' ? 'newest' : 'name',
  };
}
