import * as vscode from 'vscode';
import type { CompanyGroup, CompanyGroupBy } from '../../../library/companyQuery.ts';
import { labelText } from '../../common/messages.ts';

/** Companies that share a country, a sector, an industry or a first letter. */
export interface GroupNode {
  readonly kind: 'group';
  readonly by: CompanyGroupBy;
  readonly group: CompanyGroup;
}

/** How a group of companies looks. */
export function groupItem({ by, group }: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(
    labelText(group.value ?? vscode.l10n.t('Not stated')),
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `group:${by}:${group.value ?? ''}`;
  item.contextValue = 'group';
  const companies =
    group.companies === 1
      ? vscode.l10n.t('1 company')
      : vscode.l10n.t('{0} companies', group.companies.toLocaleString());
  item.description = companies;
  item.accessibilityInformation = { label: `${group.value ?? vscode.l10n.t('Not stated')}, ${companies}` };
  return item;
}
