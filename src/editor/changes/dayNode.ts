import * as vscode from 'vscode';
import type { LoggedChange } from '../../library/store.ts';

/** The changes of one day, by the local calendar. */
export interface DayNode {
  readonly kind: 'day';
  /** Local midnight, ms since the epoch. */
  readonly day: number;
  readonly changes: readonly LoggedChange[];
}

const dayLength = 86_400_000;

/** Groups changes by local day, newest first. */
export function groupByDay(changes: readonly LoggedChange[]): DayNode[] {
  const days = new Map<number, LoggedChange[]>();
  for (const change of changes) {
    const day = new Date(change.at).setHours(0, 0, 0, 0);
    const group = days.get(day);
    if (group) group.push(change);
    else days.set(day, [change]);
  }
  return [...days]
    .sort(([a], [b]) => b - a)
    .map(([day, group]) => ({ kind: 'day', day, changes: group.sort((a, b) => b.seq - a.seq) }));
}

/** How a day looks: by name as long as that is clear. */
export function dayItem({ day, changes }: DayNode, now: number, language: string): vscode.TreeItem {
  const item = new vscode.TreeItem(dayName(day, now, language), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `day:${day}`;
  item.description = changes.length === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', changes.length);
  item.contextValue = 'day';
  return item;
}

function dayName(day: number, now: number, language: string): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  // Days may be 23 or 25 hours long.
  const ago = Math.round((today - day) / dayLength);
  if (ago === 0) return vscode.l10n.t('Today');
  if (ago === 1) return vscode.l10n.t('Yesterday');
  const isNear = ago > 0 && ago < 7;
  return new Date(day).toLocaleDateString(language, isNear ? { weekday: 'long' } : { dateStyle: 'long' });
}
