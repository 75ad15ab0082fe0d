import * as vscode from 'vscode';
import { plainText } from '../../base/words.ts';
import type { ChangeKind, LoggedChange } from '../../library/store.ts';
import { labelText } from '../common/messages.ts';
import { openReportOnClick } from '../common/panelUri.ts';
import { type PdfMark, showMark } from '../common/pdfMarks.ts';
import { typeLabel } from '../common/reportNode.ts';

/** One change of one report. */
export interface ChangeNode {
  readonly kind: 'change';
  /** Named like the report of other trees, so that menus and commands take both. */
  readonly report: { readonly report_id: number; readonly report_key: string };
  readonly change: LoggedChange;
  /** How the report's PDF stands, if it is here. */
  mark?: PdfMark | undefined;
}

const looks: Readonly<Record<ChangeKind, { readonly words: string; readonly icon: string; readonly color: string }>> = {
  new: { words: vscode.l10n.t('New report'), icon: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  pdf: { words: vscode.l10n.t('PDF changed'), icon: 'file-pdf', color: 'gitDecoration.modifiedResourceForeground' },
  metadata: {
    words: vscode.l10n.t('Metadata changed'),
    icon: 'edit',
    color: 'gitDecoration.modifiedResourceForeground',
  },
  withdrawn: {
    words: vscode.l10n.t('Withdrawn'),
    icon: 'diff-removed',
    color: 'gitDecoration.deletedResourceForeground',
  },
  removed: {
    words: vscode.l10n.t('No longer listed'),
    icon: 'diff-removed',
    color: 'gitDecoration.deletedResourceForeground',
  },
};

/** How a change looks: what happened, to which report. */
export function changeItem({ change, mark }: ChangeNode): vscode.TreeItem {
  const { words, icon, color } = looks[change.kind];
  const company = change.company_name ?? change.company_key;
  const year = change.fiscal_year === null ? vscode.l10n.t('undated') : String(change.fiscal_year);
  const rest = `${words} · ${typeLabel(change.type)} · ${year}`;
  const item = new vscode.TreeItem(labelText(company), vscode.TreeItemCollapsibleState.None);
  item.id = `change:${change.seq}`;
  item.description = labelText(rest);
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
  item.contextValue = change.kind === 'withdrawn' || change.kind === 'removed' ? 'change.gone' : 'change.listed';
  item.command = openReportOnClick(change);
  const spoken = mark ? [company, rest, mark.words] : [company, rest];
  item.accessibilityInformation = { label: plainText(spoken.join(', ')) };
  showMark(item, change.report_id, mark);
  return item;
}

/** What a change's tooltip says; made only when somebody hovers. */
export function changeTooltip({ change, mark }: ChangeNode, language: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip
    .appendMarkdown('**')
    .appendText(plainText(change.title ?? change.report_key))
    .appendMarkdown('**\n\n');
  const rows: [string, string][] = [
    [vscode.l10n.t('What'), looks[change.kind].words],
    [vscode.l10n.t('When'), new Date(change.at).toLocaleString(language)],
    [vscode.l10n.t('Report key'), change.report_key],
  ];
  if (change.fields.length > 0) rows.push([vscode.l10n.t('Changed'), change.fields.join(', ')]);
  if (mark) rows.push([vscode.l10n.t('PDF here'), mark.tooltip]);
  for (const [label, value] of rows) {
    tooltip.appendMarkdown(`${label}: `).appendText(plainText(value)).appendMarkdown('  \n');
  }
  return tooltip;
}
