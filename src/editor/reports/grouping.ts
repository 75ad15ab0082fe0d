import * as vscode from 'vscode';
import type { GroupBy } from '../../library/reportQuery.ts';

/** How the reports are grouped. */
export type Grouping = GroupBy | 'none';

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

/** Asks how to group the reports and remembers it; false when the user leaves. */
export async function chooseGrouping(memory: vscode.Memento): Promise<boolean> {
  const now = rememberedGrouping(memory);
  const choices = (Object.keys(names) as Grouping[]).map((grouping) => ({
    label: `$(${grouping === now ? 'check' : 'blank'}) ${names[grouping]}`,
    grouping,
  }));
  const chosen = await vscode.window.showQuickPick(choices, { title: vscode.l10n.t('Group Reports') });
  if (!chosen) return false;
  await memory.update(memoryKey, chosen.grouping);
  return true;
}
