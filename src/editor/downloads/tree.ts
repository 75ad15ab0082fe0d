import * as vscode from 'vscode';
import { fiscalYearOf } from '../../api/schemas/report.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { byteSize, countText, plainText } from '../../base/words.ts';
import { commandIds } from '../common/contributions.ts';
import { labelText } from '../common/messages.ts';
import type { DownloadActivity, DownloadEntry, DownloadGroup, InterruptedNode } from './activity.ts';
import { bytesText, pdfCount } from './batch.ts';

/** The heading over entries of one kind. */
interface DownloadGroupNode {
  readonly kind: 'downloadGroup';
  readonly group: DownloadGroup;
}

export type DownloadNode = DownloadGroupNode | DownloadEntry | InterruptedNode;

/** Shortest time between two changes of the tree, in ms: fast downloads must not keep the window busy. */
const redrawInterval = 250;

const groupTitles: Readonly<Record<DownloadGroup, string>> = {
  active: vscode.l10n.t('Downloading'),
  failed: vscode.l10n.t('Failed'),
  waiting: vscode.l10n.t('Waiting'),
  done: vscode.l10n.t('Done today'),
};

const groups = (Object.keys(groupTitles) as DownloadGroup[]).map(
  (group): DownloadGroupNode => ({ kind: 'downloadGroup', group }),
);

/** The downloads of this window as a tree. Empty groups are not shown. */
export class DownloadsTree implements vscode.TreeDataProvider<DownloadNode>, Disposable {
  readonly #activity: DownloadActivity;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<DownloadNode | DownloadNode[] | undefined>());
  readonly #ended = new AbortController();
  /** Entries to draw again; undefined for the whole tree. */
  #dirty: Set<DownloadEntry> | undefined = new Set();
  #isDue = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(activity: DownloadActivity, clock: Clock) {
    this.#activity = activity;
    this.#clock = clock;
    this.#store.add(activity.onDidChange((entry) => this.#redraw(entry)));
    this.#store.add({ dispose: () => this.#ended.abort() });
  }

  getChildren(node?: DownloadNode): DownloadNode[] {
    const { interrupted } = this.#activity;
    if (!node) return [...interrupted, ...groups.filter(({ group }) => this.#activity.entries(group).length > 0)];
    return node.kind === 'downloadGroup' ? this.#activity.entries(node.group) : [];
  }

  getTreeItem(node: DownloadNode): vscode.TreeItem {
    if (node.kind === 'interrupted') return interruptedItem(node);
    return node.kind === 'download' ? entryItem(node) : groupItem(node.group, this.#activity);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #redraw(entry: DownloadEntry | undefined): void {
    if (!entry) this.#dirty = undefined;
    else this.#dirty?.add(entry);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.sleep(redrawInterval, this.#ended.signal).then(
      () => {
        const dirty = this.#dirty;
        this.#dirty = new Set();
        this.#isDue = false;
        this.#changed.fire(dirty && [...dirty]);
      },
      // The view is gone.
      () => {},
    );
  }
}

function groupItem(group: DownloadGroup, activity: DownloadActivity): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupTitles[group], group === 'waiting' ? Collapsed : Expanded);
  const { length } = activity.entries(group);
  const more = group === 'done' ? activity.more : 0;
  const notes = more === 0 ? [] : [vscode.l10n.t('{0} more in the lock file', countText(more))];
  item.id = `downloadGroup:${group}`;
  item.contextValue = 'downloadGroup';
  item.description = [countText(length), ...notes].join(' · ');
  item.accessibilityInformation = { label: [groupTitles[group], pdfCount(length), ...notes].join(', ') };
  return item;
}

function interruptedItem({ batch }: InterruptedNode): vscode.TreeItem {
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
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, interrupted', pdfs) };
  return item;
}

function entryItem(entry: DownloadEntry): vscode.TreeItem {
  const name = entryName(entry);
  const item = new vscode.TreeItem(labelText(name), vscode.TreeItemCollapsibleState.None);
  item.contextValue = `download.${entry.state}`;
  const { company_name, report_fcyear = null, report_year = null } = entry.report;
  const year = fiscalYearOf({ report_fcyear, report_year })?.toString();
  const notes = [year, entryStatus(entry)].filter((note) => note !== undefined);
  item.description = labelText(notes.join(' · '));
  item.tooltip = entryTooltip(entry);
  item.iconPath = iconOf(entry);
  const label = [name, plainText(company_name ?? ''), ...notes].filter(Boolean).join(', ');
  item.accessibilityInformation = { label };
  if (entry.state !== 'done') return item;
  item.command = { command: commandIds.openPdf, title: vscode.l10n.t('Open PDF'), arguments: [entry.report.report_id] };
  return item;
}

function iconOf({ state, result }: DownloadEntry): vscode.ThemeIcon {
  if (state !== 'failed') return new vscode.ThemeIcon(groupIcons[state]);
  const isFailure = result?.status === 'failed';
  const color = new vscode.ThemeColor(isFailure ? 'list.errorForeground' : 'list.warningForeground');
  return new vscode.ThemeIcon(isFailure ? 'error' : 'circle-slash', color);
}

const groupIcons = { active: 'loading~spin', waiting: 'clock', done: 'file-pdf' } as const;

/** Shows on the view's container how many downloads are running. */
export function keepBadge(view: vscode.TreeView<DownloadNode>, activity: DownloadActivity): Disposable {
  let shown = 0;
  return activity.onDidChange((entry) => {
    if (entry) return;
    const count = activity.entries('active').length;
    if (count === shown) return;
    shown = count;
    const tooltip =
      count === 1 ? vscode.l10n.t('1 PDF is downloading') : vscode.l10n.t('{0} PDFs are downloading', count);
    view.badge = count === 0 ? undefined : { value: count, tooltip };
  });
}

/** A download's name: the report's title, as far as it is known, else the name of its file without the ending. */
export function entryName({ job, report }: DownloadEntry): string {
  const name = job.target.path.split('/').at(-1) ?? '';
  return plainText(report.report_title ?? '') || plainText(name.replace(/\.pdf$/i, '')) || plainText(report.report_key);
}

/** How far a download is, or how it ended, in a few words. */
export function entryStatus({ state, bytes, total, result }: DownloadEntry): string {
  switch (state) {
    case 'waiting':
      return vscode.l10n.t('waiting');
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

/** The whole of it, for a tooltip. */
export function entryTooltip(entry: DownloadEntry): string {
  const reason = entry.state === 'done' ? (entry.result?.reason ?? '') : '';
  return [plainText(entry.job.target.path), entryStatus(entry), plainText(reason)].filter(Boolean).join('\n');
}
