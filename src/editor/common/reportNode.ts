import * as vscode from 'vscode';
import { isCoreReportType, knownReportTypes, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { byteSize, plainText } from '../../base/words.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { isRecord } from './arguments.ts';
import { labelText } from './messages.ts';
import { openReportOnClick } from './panelUri.ts';
import { markNote, type PdfMark } from './pdfMarks.ts';

/** A report in any tree. */
export interface ReportNode {
  readonly kind: 'report';
  readonly report: ReportSummary;
  /** How its PDF stands, if it is here. */
  mark?: PdfMark | undefined;
}

/** True for a report node that a menu or a selection handed to a command. */
export function isReportNode(value: unknown): value is ReportNode {
  return isRecord(value) && value.kind === 'report' && 'report' in value;
}

const coreIcons: Readonly<Record<string, string>> = { SR: 'globe', IR: 'combine', AR2: 'book', AR1: 'notebook' };

/** What the rows around a report tell of it: its company and year, its company, or nothing. */
type RowContext = 'inCompany' | 'ofCompany' | 'anywhere';

/**
 * A report as a row: where its company is known the type in words comes first, else the company. The editor has no way
 * to strike a tree's label through (only source control rows have one), and characters that look struck through are
 * read out one by one, so a report that is gone has its own muted icon and says so first.
 */
export function reportItem({ report, mark }: ReportNode, row: RowContext = 'inCompany'): vscode.TreeItem {
  const type = typeLabel(report.type);
  const label = row === 'anywhere' ? (report.company_name ?? report.company_key) : type;
  const isTinted = mark !== undefined && mark.state !== 'verified';
  const told = (here: string | null) =>
    [stateNote(report), here, ...restOf(report, row), languages(report)].filter((note) => note !== null);
  const item = new vscode.TreeItem(labelText(label), vscode.TreeItemCollapsibleState.None);
  item.id = `report:${report.report_id}`;
  item.contextValue = contextOf(report);
  item.iconPath =
    report.state === 'listed'
      ? new vscode.ThemeIcon(typeIcon(report.type), isTinted ? new vscode.ThemeColor(mark.color) : undefined)
      : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  item.description = labelText(told(markNote(mark)).join(' · '));
  item.command = openReportOnClick(report);
  item.accessibilityInformation = { label: plainText([label, ...told(mark?.words ?? null)].join(', ')) };
  return item;
}

/** What a report's tooltip says; made only when somebody hovers. */
export function reportTooltip({ report, mark }: ReportNode): vscode.MarkdownString {
  return tooltipOf(report.title ?? report.report_key, [
    [vscode.l10n.t('Company'), report.company_name],
    [vscode.l10n.t('Type'), typeLabel(report.type)],
    [vscode.l10n.t('Fiscal year'), report.fiscal_year_label ?? fiscalYear(report)],
    [vscode.l10n.t('Period ends'), report.period_end],
    [vscode.l10n.t('Cover year'), report.year ? String(report.year) : null],
    [vscode.l10n.t('Published'), report.published],
    [vscode.l10n.t('Pages'), report.pages === null ? null : String(report.pages)],
    [vscode.l10n.t('Size'), report.filesize === null ? null : byteSize(report.filesize * 1e6)],
    [vscode.l10n.t('State'), stateNote(report)],
    ['PDF', mark?.tooltip ?? null],
    [vscode.l10n.t('Report key'), report.report_key],
  ]);
}

/** A tooltip: a title, and a line for each value there is. All of it may be the service's text. */
export function tooltipOf(
  title: string,
  lines: readonly (readonly [label: string, value: string | null])[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(plainText(title)).appendMarkdown('**\n\n');
  for (const [label, value] of lines) {
    if (value) tooltip.appendMarkdown(`${label}: `).appendText(plainText(value)).appendMarkdown('  \n');
  }
  return tooltip;
}

/** Where a type stands in a list: core types, then specialty disclosures as the interface orders them, then others (TYP-1). */
export function typeRank(code: string | null): number {
  const rank = knownReportTypes.indexOf(code ?? '');
  return rank === -1 ? knownReportTypes.length : rank;
}

/** A report's type in words; an unknown code is a specialty disclosure (TYP-1). */
export function typeLabel(code: string | null): string {
  return code === null || code === '' ? 'Report' : reportTypeName(code);
}

function contextOf({ state, has_file }: ReportSummary): string {
  if (state !== 'listed') return 'report.gone';
  return has_file === false ? 'report.withoutFile' : 'report.withFile';
}

/** The icon of a type's family: one for each core type, one for all specialty disclosures. */
export function typeIcon(type: string | null): string {
  return (type !== null && isCoreReportType(type) ? coreIcons[type] : undefined) ?? 'file-text';
}

function restOf(report: ReportSummary, row: RowContext): (string | null)[] {
  if (row === 'inCompany') return [report.title];
  return row === 'ofCompany' ? [fiscalYear(report), report.title] : [typeLabel(report.type), fiscalYear(report)];
}

/** What a person must know before opening it: withdrawn, removed, only a part (CNV-7), no PDF (ST-4). */
function stateNote({ state, has_file, title }: ReportSummary): string | null {
  if (state === 'withdrawn') return vscode.l10n.t('withdrawn');
  if (state === 'removed') return vscode.l10n.t('no longer listed');
  const part = title === null ? null : /\((Extract|Chapter)\)/i.exec(title)?.[1];
  if (part) return part.toLowerCase();
  return has_file === false ? vscode.l10n.t('no PDF') : null;
}

function fiscalYear({ fiscal_year }: ReportSummary): string {
  return fiscal_year === null ? vscode.l10n.t('undated') : String(fiscal_year);
}

/** Language codes as they are read aloud: `de, en` (CNV-6). */
function languages({ language }: ReportSummary): string | null {
  const codes = language?.match(/[a-z]{2,3}/gi);
  return codes ? codes.join(', ') : null;
}
