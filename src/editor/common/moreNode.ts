import * as vscode from 'vscode';
import { commandIds } from './contributions.ts';

/** Children that a node shows at first, and with each step more. */
export const pageSize = 200;

/** Stands at the end of a list that goes on. */
export interface MoreNode {
  readonly kind: 'more';
  /** Which list goes on. */
  readonly list: string;
  /** Loads the next page and shows it. */
  readonly showMore: () => void;
}

/** How it looks; opening it shows the next page. */
export function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} more', pageSize), vscode.TreeItemCollapsibleState.None);
  item.id = `more:${node.list}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: commandIds.showMore, title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}

/** True for the node that its own command was run with. */
export function isMoreNode(value: unknown): value is MoreNode {
  return typeof value === 'object' && value !== null && 'showMore' in value && typeof value.showMore === 'function';
}

/** Reads as many items of a paged list as are wanted, and tells whether there are more. */
export async function readUpTo<T>(
  wanted: number,
  page: (
    after: string | undefined,
    limit: number,
  ) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>,
): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  let after: string | undefined;
  for (;;) {
    const { items: found, next } = await page(after, Math.min(pageSize, wanted - items.length));
    items.push(...found);
    if (next === null) return { items, more: false };
    if (items.length >= wanted || found.length === 0) return { items, more: true };
    after = next;
  }
}
