import * as vscode from 'vscode';
import type { CompanyYear } from '../../../library/companyQuery.ts';

/** The reports of one company that are filed under one fiscal year; null holds the undated ones (FY-2). */
export interface FiscalYearNode {
  readonly kind: 'fiscalYear';
  readonly companyKey: string;
  readonly year: CompanyYear;
}

/** How a fiscal year looks. */
export function fiscalYearItem({ companyKey, year }: FiscalYearNode): vscode.TreeItem {
  const { fiscal_year, listed, gone } = year;
  const label = fiscal_year === null ? vscode.l10n.t('Undated') : vscode.l10n.t('Fiscal year {0}', fiscal_year);
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `fiscalYear:${companyKey}:${fiscal_year ?? 'undated'}`;
  item.contextValue = 'fiscalYear';
  item.iconPath = new vscode.ThemeIcon('calendar');
  const count = listed === 1 ? vscode.l10n.t('1 report') : vscode.l10n.t('{0} reports', listed);
  item.description = gone === 0 ? count : vscode.l10n.t('{0}, {1} withdrawn', count, gone);
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}
