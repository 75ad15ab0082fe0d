import * as vscode from 'vscode';
import { fiscalYearOf } from '../../api/schemas/fields.ts';
import { isObject } from '../../base/json.ts';
import { byteSize, countText, plainText } from '../../base/words.ts';
import type { PendingBatch } from '../../downloads/pendingBatches.ts';
import type { DownloadResult, KnownReport } from '../../downloads/ports.ts';
import type { QueueJob } from '../../downloads/queue.ts';
import { commandIds } from '../common/contributions.ts';
import { fileName, labelText } from '../common/messages.ts';
import { bytesText } from '../common/progress.ts';
import { pdfCount } from './batch.ts';

/** One download as the view shows it. The same object goes through all of its states. */
export interface DownloadEntry {
  readonly kind: 'download';
  /** The job that spoke of its place last. */
  job: QueueJob;
  /** As last read; what commands take the report id from. */
  report: KnownReport;
  state: DownloadGroup;
  /** Bytes of the present attempt. */
  bytes: number;
  total: number | null;
  result: DownloadResult | undefined;
  /** When it ended, ms since the epoch. */
  endedAt: number | undefined;
}

/** PDFs that came before this window was opened. */
export interface DoneEarlier {
  /** The newest first. */
  readonly newest: readonly (Pick<DownloadEntry, 'job' | 'bytes'> & { readonly endedAt: number })[];
  /** How many more there are. */
  readonly more: number;
}

/** A batch that was cut off, as the view shows it. */
export interface InterruptedNode {
  readonly kind: 'interrupted';
  readonly batch: PendingBatch;
}

export type DownloadGroup = 'active' | 'waiting' | 'failed' | 'done';

interface DownloadGroupNode {
  readonly kind: 'downloadGroup';
  readonly group: DownloadGroup;
}

export type DownloadNode = DownloadGroupNode | DownloadEntry | InterruptedNode;

/** True for a batch that a menu handed to a command. */
export function isInterrupted(value: unknown): value is InterruptedNode {
  return isObject(value) && value.kind === 'interrupted';
}

/** True for an entry that a menu handed to a command. */
export function isDownloadEntry(value: unknown): value is DownloadEntry {
  return isObject(value) && value.kind === 'download' && 'job' in value;
}

/** True for the heading over what failed, when a menu handed it to a command. */
export function isFailedGroup(value: unknown): boolean {
  return isObject(value) && value.kind === 'downloadGroup' && value.group === 'failed';
}

const groupTitles: Readonly<Record<DownloadGroup, string>> = {
  active: vscode.l10n.t('Downloading'),
  failed: vscode.l10n.t('Failed'),
  waiting: vscode.l10n.t('Waiting'),
  done: vscode.l10n.t('Done today'),
};

/** The headings, in their order. */
export const groups = (Object.keys(groupTitles) as DownloadGroup[]).map(
  (group): DownloadGroupNode => ({ kind: 'downloadGroup', group }),
);

/** A heading over so many entries, and more that are not shown. */
export function downloadGroupItem(group: DownloadGroup, count: number, more: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupTitles[group], group === 'waiting' ? Collapsed : Expanded);
  const notes = more === 0 ? [] : [vscode.l10n.t('{0} more in the lock file', countText(more))];
  item.id = `downloadGroup:${group}`;
  item.contextValue = `downloadGroup.${group}`;
  item.description = [countText(count), ...notes].join(' · ');
  item.accessibilityInformation = { label: [groupTitles[group], pdfCount(count), ...notes].join(', ') };
  return item;
}

export function interruptedItem({ batch }: InterruptedNode): vscode.TreeItem {
  const pdfs = pdfCount(batch.reportIds.length);
  const item = new vscode.TreeItem(pdfs);
  item.id = `interrupted:${batch.id}`;
  item.contextValue = 'download.interrupted';
  item.description = vscode.l10n.t('interrupted');
  const begun = new Date(batch.begunAt).toLocaleString(vscode.env.language);
  item.tooltip = vscode.l10n.t(
    'Started {0}, interrupted by a reload or a crash.\nResume to download what is missing.',
    begun,
  );
  item.iconPath = new vscode.ThemeIcon('debug-disconnect');
  item.accessibilityInformation = { label: `${pdfs}, ${item.description}` };
  return item;
}

export function entryItem(entry: DownloadEntry): vscode.TreeItem {
  const name = entryName(entry);
  const item = new vscode.TreeItem(labelText(name), vscode.TreeItemCollapsibleState.None);
  item.contextValue = `download.${entry.state}`;
  const notes = entryNotes(entry);
  const company = plainText(entry.report.company_name ?? '');
  // One that is done says how in its tooltip, but for a doubt.
  const isPlain = entry.state === 'done' && entry.result?.verified !== false;
  const shown = isPlain ? [] : notes;
  // Why one failed is long: whose report it is comes before.
  const beside = entry.state === 'failed' ? [company, ...shown] : [...shown, company];
  item.description = labelText(beside.filter(Boolean).join(' · '));
  item.tooltip = entryTooltip(entry);
  item.iconPath = iconOf(entry);
  const label = [name, company, ...notes].filter(Boolean).join(', ');
  item.accessibilityInformation = { label };
  if (entry.state !== 'done') return item;
  item.command = { command: commandIds.openPdf, title: vscode.l10n.t('Open PDF'), arguments: [entry.report.report_id] };
  return item;
}

/** What there is to say of a download: the fiscal year of its report, if it is known, and how it stands. */
function entryNotes(entry: DownloadEntry): string[] {
  const { report_fcyear = null, report_year = null } = entry.report;
  const year = fiscalYearOf({ report_fcyear, report_year })?.toString();
  return [...(year === undefined ? [] : [year]), entryStatus(entry)];
}

function iconOf({ state, result }: DownloadEntry): vscode.ThemeIcon {
  if (state !== 'failed') return new vscode.ThemeIcon(groupIcons[state]);
  const isFailure = result?.status === 'failed';
  const color = new vscode.ThemeColor(isFailure ? 'list.errorForeground' : 'list.warningForeground');
  return new vscode.ThemeIcon(isFailure ? 'error' : 'circle-slash', color);
}

const groupIcons = { active: 'loading~spin', waiting: 'clock', done: 'file-pdf' } as const;

/** A download's name: the report's title, as far as it is known, else the name of its file without the ending. */
export function entryName({ job, report }: DownloadEntry): string {
  const name = fileName(job.target);
  return plainText(report.report_title ?? '') || plainText(name.replace(/\.pdf$/i, '')) || plainText(report.report_key);
}

export function entryStatus({ state, bytes, total, result }: DownloadEntry): string {
  switch (state) {
    case 'waiting':
      return vscode.l10n.t('Waiting');
    case 'active':
      return bytes === 0 ? vscode.l10n.t('starting') : bytesText(bytes, total);
    case 'failed':
      return plainText(result?.reason ?? vscode.l10n.t('It could not be downloaded.'));
    case 'done':
      return doneStatus(result, bytes);
    default:
      return state satisfies never;
  }
}

function doneStatus(result: DownloadEntry['result'], bytes: number): string {
  const notes = [byteSize(result?.bytes ?? bytes, vscode.env.language)];
  // Brought here before the window was opened: what it is, its mark says.
  if (!result) notes.push(vscode.l10n.t('here'));
  else if (result.verified) notes.push(vscode.l10n.t('verified'));
  else if (result.report.content_sha256 === undefined) notes.push(vscode.l10n.t('matches the lock file'));
  else notes.push(vscode.l10n.t('not verified'));
  if (result?.replaced !== undefined) notes.push(vscode.l10n.t('replaced an older version'));
  return notes.join(' · ');
}

export function entryTooltip(entry: DownloadEntry): string {
  const reason = entry.state === 'done' ? (entry.result?.reason ?? '') : '';
  const company = plainText(entry.report.company_name ?? '');
  const lines = [company, plainText(entry.job.target.path), entryNotes(entry).join(' · '), plainText(reason)];
  return lines.filter(Boolean).join('\n');
}
