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
  const label = fiscal_year === null ? 'Undated' : `Fiscal year ${fiscal_year}`;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `fiscalYear:${companyKey}:${fiscal_year ?? 'undated'}`;
  item.contextValue = 'fiscalYear';
  item.iconPath = new vscode.ThemeIcon('calendar');
  const count = listed === 1 ? '1 report' : `${listed} reports`;
  item.description = gone === 0 ? count : `${count}, ${gone} withdrawn`;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}
