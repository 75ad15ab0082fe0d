import * as vscode from 'vscode';
import { plainText } from '../../../base/words.ts';
import type { LibraryCompany } from '../../../library/companyQuery.ts';
import { labelText } from '../../common/messages.ts';

/** A company of the licence. */
export interface CompanyNode {
  readonly kind: 'company';
  /** As the library knows it now. */
  company: LibraryCompany;
}

/** How a company looks. Only the key is certain (WL-1): a company without a name shows its key. */
export function companyItem({ company }: CompanyNode): vscode.TreeItem {
  const name = company.company_name ?? company.company_key;
  const item = new vscode.TreeItem(labelText(name), vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `company:${company.company_key}`;
  item.contextValue = 'company';
  item.iconPath = new vscode.ThemeIcon('organization');
  const count = company.listed === 0 ? null : company.listed.toLocaleString();
  const notes = [count, company.country, company.sector].filter((part) => part !== null);
  item.description = labelText(notes.join(' · '));
  const spoken = [name, count && vscode.l10n.t('{0} reports', count), company.country, company.sector].filter(Boolean);
  item.accessibilityInformation = { label: plainText(spoken.join(', ')) };
  return item;
}

/** What a company's tooltip says; made only when somebody hovers. */
export function companyTooltip({ company }: CompanyNode): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip
    .appendMarkdown('**')
    .appendText(plainText(company.company_name ?? company.company_key))
    .appendMarkdown('**\n\n');
  const rows: [string, string | null][] = [
    [vscode.l10n.t('Reports'), company.listed.toLocaleString()],
    [vscode.l10n.t('Newest fiscal year'), company.newest === null ? null : String(company.newest)],
    [vscode.l10n.t('Company key'), company.company_key],
    [vscode.l10n.t('Exchange'), company.exchange],
    [vscode.l10n.t('Country'), company.country],
    [vscode.l10n.t('Sector'), company.sector],
    [vscode.l10n.t('Industry'), company.industry],
    ['ISIN', company.isin ?? vscode.l10n.t('withheld or unknown')],
    ['LEI', company.lei],
    ['FIGI', company.figi],
    ['CIK', company.cik],
  ];
  for (const [label, value] of rows) {
    if (value === null) continue;
    tooltip.appendMarkdown(`${label}: `).appendText(plainText(value)).appendMarkdown('  \n');
  }
  return tooltip;
}
