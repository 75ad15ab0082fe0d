import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import { plainText } from '../../base/words.ts';
import type { Favourites } from '../../favourites/favouriteStore.ts';
import type { Favourite } from '../../favourites/list.ts';
import type { ReportSet } from '../../library/reportQuery.ts';
import { companyKeyOf, reportIds } from './arguments.ts';
import { labelText } from './messages.ts';

export interface FavouriteMarks {
  /** Those of the connection in use; none while nobody is signed in. */
  look(): Promise<Favourites>;
  /** Fires when they may be others now. */
  readonly onDidChange: Event<unknown>;
}

/** What a person said of the company or report of a tree's row; undefined where it has no star. */
export function nodeFavourite(favourites: Favourites, node: unknown): Favourite | undefined {
  const [report_id = null] = reportIds([node]);
  const company_key = companyKeyOf(node);
  if (report_id === null && company_key === undefined) return undefined;
  return favourites.of({ company_key: company_key ?? '', report_id });
}

/** The reports with a star, and all reports of companies with one. */
export function starredReports({ items }: Favourites, is = true): ReportSet {
  const companies = items.filter(({ report_id }) => report_id === null).map(({ company_key }) => company_key);
  return { ids: items.flatMap(({ report_id }) => report_id ?? []), company_key: companies, is };
}

export function noteAndTags({ note, tags }: Pick<Favourite, 'note' | 'tags'>): string {
  return labelText([note, tags.map((tag) => `#${tag}`).join(' ')].filter(Boolean).join(' · '));
}

/**
 * Marks a row as a favourite: with a star, or among favourites with its note and tags. Menus tell it by the end of its
 * context value.
 */
export function markFavourite(item: vscode.TreeItem, favourite: Favourite, isAmongFavourites: boolean): void {
  const words = noteAndTags(favourite);
  const description = typeof item.description === 'string' ? item.description : '';
  const count = isAmongFavourites ? description : `★ ${description}`.trim();
  item.contextValue += '.starred';
  item.description = isAmongFavourites ? [count, words].filter(Boolean).join(' · ') : count;
  const spoken = [item.accessibilityInformation?.label, vscode.l10n.t('favourite'), words].filter(Boolean);
  item.accessibilityInformation = { label: plainText(spoken.join(', ')) };
}

export function addFavouriteLines(tooltip: vscode.MarkdownString, { note, tags }: Favourite): void {
  const lines = [
    [vscode.l10n.t('Note'), note],
    [vscode.l10n.t('Tags'), tags.join(', ')],
  ] as const;
  for (const [label, value] of lines) {
    if (value !== '') tooltip.appendMarkdown(`${label}: `).appendText(value).appendMarkdown('  \n');
  }
}
