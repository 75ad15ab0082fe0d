import * as vscode from 'vscode';
import { readCompany } from '../../api/schemas/company.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { Favorite } from '../../favorites/favorites.ts';
import type { CompanyLetter, CompanyYear, LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { branchItem, fiscalYearLabel, fiscalYearWords, type ReportNode, tooltipOf } from '../common/reportNode.ts';

/** Companies that share a first letter. */
export interface LetterNode {
  readonly kind: 'letter';
  readonly group: CompanyLetter;
}

/** The starred companies and reports, above all others. */
export interface FavoritesNode {
  readonly kind: 'favorites';
}

/** The reports of one company that are filed under one fiscal year; null holds the undated ones (FY-2). */
export interface FiscalYearNode {
  readonly kind: 'fiscalYear';
  readonly companyKey: string;
  readonly year: CompanyYear;
  /** How many of its PDFs are in this workspace. */
  readonly here: number;
  readonly isFavorite?: boolean | undefined;
}

export function favoritesItem(count: number): vscode.TreeItem {
  const label = vscode.l10n.t('Favorites');
  const words = counted(count, l10n.later('1 favorite'), l10n.later('{0} favorites'));
  const item = branchItem('favorites', 'favorites', label, countText(count), `${label}, ${words}`);
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  item.iconPath = new vscode.ThemeIcon('star-full');
  return item;
}

export function letterItem({ group: { letter, companies } }: LetterNode): vscode.TreeItem {
  const count = counted(companies, l10n.later('1 company'), l10n.later('{0} companies'));
  return branchItem(`letter:${letter}`, 'letter', letter, count, `${letter}, ${count}`);
}

export function companyTooltip({ company }: CompanyNode, here: number): vscode.MarkdownString {
  return tooltipOf(company.company_name ?? company.company_key, [
    [here > 0 ? vscode.l10n.t('Reports') : null, amountHere(company.listed, here)],
    [vscode.l10n.t('Newest fiscal year'), company.newest === null ? null : String(company.newest)],
    [vscode.l10n.t('Company key'), company.company_key],
    [vscode.l10n.t('Exchange'), company.exchange],
    [vscode.l10n.t('Country'), company.country],
    [vscode.l10n.t('Sector'), company.sector],
    [vscode.l10n.t('Industry'), company.industry],
    ['ISIN', company.isin ?? vscode.l10n.t('Withheld or unknown')],
    ['LEI', company.lei],
    ['FIGI', company.figi],
    ['CIK', company.cik],
  ]);
}

export function fiscalYearItem({ companyKey, year, here }: FiscalYearNode): vscode.TreeItem {
  const { fiscal_year, listed, gone } = year;
  const amount = amountHere(listed, here);
  const count = gone === 0 ? amount : vscode.l10n.t('{0}, {1} withdrawn', amount, gone);
  const id = `fiscalYear:${companyKey}:${fiscal_year ?? 'undated'}`;
  const spoken = `${fiscalYearWords(fiscal_year)}, ${count}`;
  const item = branchItem(id, 'fiscalYear', fiscalYearLabel(fiscal_year), count, spoken);
  item.iconPath = new vscode.ThemeIcon('calendar');
  return item;
}

/** `7 reports`, or `4 of 7 here` where PDFs are in this workspace. */
export function amountHere(listed: number, here: number): string {
  if (here > 0) return vscode.l10n.t('{0} of {1} here', countText(here), countText(listed));
  return counted(listed, l10n.later('1 report'), l10n.later('{0} reports'));
}

export interface CompanyNode {
  readonly kind: 'company';
  /** As the library knows it now. */
  company: LibraryCompany;
  readonly isFavorite?: boolean | undefined;
  /** A favorite that the licence no longer includes. */
  readonly isMissing?: boolean | undefined;
}

type RowReads = Pick<LibraryCalls, 'summaries' | 'company' | 'syncRecord'>;

/**
 * Favorites as rows, as the library knows them now. One that it does not know is shown by its key: as gone, unless the
 * library is still being loaded.
 */
export async function favoriteRows(
  library: RowReads,
  items: readonly Favorite[],
): Promise<(CompanyNode | ReportNode)[]> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const keys = items.flatMap(({ report_id, company_key }) => (report_id === null ? [company_key] : []));
  const [{ phase }, reports, companies] = await Promise.all([
    library.syncRecord(),
    library.summaries(ids),
    Promise.all(keys.map((key) => library.company(key))),
  ]);
  const isWhole = phase === 'following';
  const byId = new Map(reports.map((report) => [report.report_id, report]));
  const byKey = new Map(keys.map((key, index) => [key, companies[index]]));
  return items.map((item): CompanyNode | ReportNode => {
    if (item.report_id !== null) {
      const report = byId.get(item.report_id) ?? unknownReport(item, item.report_id, isWhole);
      return { kind: 'report', report, isFavorite: true, isAlone: true };
    }
    const known = byKey.get(item.company_key);
    const isMissing = isWhole && !known?.watched && !known?.listed;
    return { kind: 'company', company: known ?? unknownCompany(item.company_key), isFavorite: true, isMissing };
  });
}

function unknownReport({ company_key, report_key }: Favorite, report_id: number, isWhole: boolean): ReportSummary {
  const unsaid = { company_name: null, type: null, class: null, fiscal_year: null, fiscal_year_label: null };
  const unknown = { year: null, language: null, pages: null, filesize: null, published: null, period_end: null };
  const key = report_key ?? String(report_id);
  return {
    ...{ report_id, report_key: key, company_key, title: key, ...unsaid, ...unknown, has_file: null, sha256: null },
    state: isWhole ? 'removed' : 'listed',
  };
}

function unknownCompany(company_key: string): LibraryCompany {
  const read = readCompany({ company_key });
  if (!read.ok) throw new Error(read.reason);
  return { ...read.value, watched: false, listed: 0, gone: 0, newest: null };
}
