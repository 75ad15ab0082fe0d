import * as vscode from 'vscode';
import { knownReportTypes, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { isObject } from '../../base/json.ts';
import { byteSize, countText, plainText } from '../../base/words.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { formatDate, formatLanguages } from '../../protocol/format/numbers.ts';
import { labelText } from './messages.ts';
import { openReportOnClick } from './panelUri.ts';
import { markNote, type PdfMark } from './pdfMarks.ts';

export interface ReportNode {
  readonly kind: 'report';
  readonly report: ReportSummary;
  mark?: PdfMark | undefined;
  /** True in the group of favorites, or below. */
  readonly isFavorite?: boolean | undefined;
  /** True where no row above it names its company. */
  readonly isAlone?: boolean | undefined;
}

export function isReportNode(value: unknown): value is ReportNode {
  return isObject(value) && value.kind === 'report' && 'report' in value;
}

/** A building: the editor's own icon of an organization shows people. */
export function companyIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `company-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}

/** A row with rows below it; `spoken` is how it is read aloud. */
export function branchItem(
  id: string,
  contextValue: string,
  label: string,
  description: string,
  spoken: string,
): vscode.TreeItem {
  const item = new vscode.TreeItem(labelText(label), vscode.TreeItemCollapsibleState.Collapsed);
  return Object.assign(item, { id, contextValue, description, accessibilityInformation: { label: plainText(spoken) } });
}

/** What the rows around a report say of it already. */
export type Told = 'company' | 'fcyear' | 'type';

/**
 * A report as a row: year and type, without what the rows around it say; where those say nothing, the company leads.
 * The editor can't strike a tree's label through (only source control rows), and screen readers spell struck characters
 * one by one, so a report that is gone has a muted icon and says so first.
 */
export function reportItem({ report, mark }: ReportNode, told: readonly Told[]): vscode.TreeItem {
  const company = told.includes('company') ? null : (report.company_name ?? report.company_key);
  const language = report.language === null ? null : formatLanguages(report.language, vscode.env.language);
  const year = told.includes('fcyear') ? null : String(report.fiscal_year ?? vscode.l10n.t('Undated'));
  const type = told.includes('type') ? null : typeLabel(report.type);
  const name = [year, type].filter((part) => part !== null).join(' ');
  const [label, beside] = company !== null && year !== null ? [company, name] : [name, company ?? language];
  const state = stateNote(report);
  const item = new vscode.TreeItem(labelText(label), vscode.TreeItemCollapsibleState.None);
  item.id = `report:${report.report_id}`;
  item.contextValue = contextOf(report, mark);
  const tint = mark && mark.state !== 'verified' ? new vscode.ThemeColor(mark.color) : undefined;
  item.iconPath =
    report.state === 'listed'
      ? new vscode.ThemeIcon('file-text', tint)
      : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  item.description = labelText([state, markNote(mark), beside].filter(Boolean).join(' · '));
  item.command = openReportOnClick(report);
  const spokenYear = year && fiscalYearWords(report.fiscal_year);
  // "Governance (Chapter)" says already that it is one.
  const isSaid = report.state === 'listed' && partOf(report.title) !== undefined;
  const spoken = [company, titleAndType(report), spokenYear, isSaid ? null : state, mark?.words, language];
  item.accessibilityInformation = { label: plainText(spoken.filter(Boolean).join(', ')) };
  return item;
}

export function reportTooltip({ report, mark }: ReportNode): vscode.MarkdownString {
  return tooltipOf(report.title ?? report.report_key, [
    [vscode.l10n.t('Company'), report.company_name],
    [vscode.l10n.t('Type'), typeLabel(report.type)],
    [vscode.l10n.t('Fiscal year'), report.fiscal_year_label ?? String(report.fiscal_year ?? vscode.l10n.t('Undated'))],
    [vscode.l10n.t('Period end'), dayText(report.period_end)],
    [vscode.l10n.t('Cover year'), report.year ? String(report.year) : null],
    [vscode.l10n.t('Published'), dayText(report.published)],
    [vscode.l10n.t('Pages'), report.pages === null ? null : String(report.pages)],
    [vscode.l10n.t('Size'), report.filesize === null ? null : byteSize(report.filesize * 1e6)],
    [vscode.l10n.t('State'), stateNote(report)],
    ['PDF', mark?.tooltip ?? null],
    [vscode.l10n.t('Report key'), report.report_key],
  ]);
}

function dayText(date: string | null): string | null {
  return date === null ? null : formatDate(date, vscode.env.language);
}

/** A tooltip: a title, and a line for each value there is, some with a label. All of it may be the service's text. */
export function tooltipOf(
  title: string,
  lines: readonly (readonly [label: string | null, value: string | null])[],
): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(plainText(title)).appendMarkdown('**\n\n');
  for (const [label, value] of lines) {
    if (value)
      tooltip
        .appendMarkdown(label === null ? '' : `${label}: `)
        .appendText(plainText(value))
        .appendMarkdown('  \n');
  }
  return tooltip;
}

/** The order of types: core types, then specialty disclosures as the interface orders them, then others (TYP-1). */
export function typeRank(code: string | null): number {
  const rank = knownReportTypes.indexOf(code ?? '');
  return rank === -1 ? knownReportTypes.length : rank;
}

/** A report's type in words; an unknown code is a specialty disclosure (TYP-1). */
export function typeLabel(code: string | null): string {
  return code === null || code === '' ? 'Report' : reportTypeName(code);
}

/** Whether the PDF is here; one that the service has published again can be downloaded again. */
export function hasCurrentPdf(mark: PdfMark | undefined): boolean {
  return mark !== undefined && mark.state !== 'newer';
}

function contextOf({ state, has_file }: ReportSummary, mark: PdfMark | undefined): string {
  if (state !== 'listed') return 'report.gone';
  if (hasCurrentPdf(mark)) return 'report.downloaded';
  return has_file === false ? 'report.withoutFile' : 'report.withFile';
}

/** The title, with the type in words unless the title says it. */
function titleAndType({ title, type }: ReportSummary): string {
  const name = typeLabel(type);
  return title === null || title.toLowerCase().includes(name.toLowerCase()) ? (title ?? name) : `${name}, ${title}`;
}

/** What a person must know before opening it: withdrawn, removed, only a part (CNV-7), no PDF (ST-4). */
function stateNote(report: ReportSummary): string | null {
  const part = report.state === 'listed' ? partOf(report.title) : undefined;
  if (part === undefined) return missingNote(report);
  return part === 'chapter' ? vscode.l10n.t('chapter') : vscode.l10n.t('extract');
}

/** What a title says that it is only a part of (CNV-7). */
function partOf(title: string | null): string | undefined {
  return /\((Extract|Chapter)\)/i.exec(title ?? '')?.[1]?.toLowerCase();
}

/** The same where its title is read beside it: withdrawn, removed, no PDF (ST-4). */
export function missingNote({ state, has_file }: Pick<ReportSummary, 'state' | 'has_file'>): string | null {
  if (state === 'withdrawn') return vscode.l10n.t('withdrawn');
  if (state === 'removed') return vscode.l10n.t('no longer listed');
  return has_file === false ? vscode.l10n.t('no PDF') : null;
}

/** A fiscal year in full, as it is read aloud. */
export function fiscalYearWords(year: number | null): string {
  return year === null ? vscode.l10n.t('Undated') : vscode.l10n.t('Fiscal year {0}', year);
}

/** A fiscal year as a row says it. */
export function fiscalYearLabel(year: number | null): string {
  return year === null ? vscode.l10n.t('Undated') : vscode.l10n.t('FY {0}', year);
}

/** What a page is called: by its printed label with its number behind, or by its number alone. */
export function pageName({ page, label }: { readonly page: number; readonly label: string | null }): string {
  const number = countText(page);
  const printed = label === null ? '' : labelText(plainText(label, 20));
  return printed === '' || printed === String(page)
    ? vscode.l10n.t('p. {0}', number)
    : vscode.l10n.t('p. {0} ({1})', printed, number);
}
