import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import { plainText } from '../../base/words.ts';
import type { Favorites } from '../../favorites/favorites.ts';
import type { ReportSet } from '../../library/reportQuery.ts';
import { companyKeyOf, reportIds } from './arguments.ts';

export interface FavoriteMarks {
  /** Those of the connection in use; none while nobody is signed in. */
  read(): Promise<Favorites>;
  /** Fires when they may have changed. */
  readonly onDidChange: Event<unknown>;
}

/** Whether the company or report of a tree's row has a star. */
export function isFavorite(favorites: Favorites, node: unknown): boolean {
  const [report_id = null] = reportIds([node]);
  const company_key = companyKeyOf(node);
  if (report_id === null && company_key === undefined) return false;
  return favorites.has({ company_key: company_key ?? '', report_id });
}

/** The reports with a star, and all reports of companies with one. */
export function starredReports({ items }: Favorites, is = true): ReportSet {
  const companies = items.filter(({ report_id }) => report_id === null).map(({ company_key }) => company_key);
  return { ids: items.flatMap(({ report_id }) => report_id ?? []), company_key: companies, is };
}

/** Marks a row as a favorite, outside of their group with a star. Menus know it by the end of its context value. */
export function markFavorite(item: vscode.TreeItem, isAmongFavorites: boolean): void {
  item.contextValue += '.starred';
  if (!isAmongFavorites) item.description = `★ ${item.description ?? ''}`.trim();
  const spoken = [item.accessibilityInformation?.label, vscode.l10n.t('Favorite')].filter(Boolean);
  item.accessibilityInformation = { label: plainText(spoken.join(', ')) };
}
