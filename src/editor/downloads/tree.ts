import * as vscode from 'vscode';
import { fiscalYearOf } from '../../api/schemas/report.ts';
import { type Clock, isAbortError } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { byteSize, plainText } from '../../base/words.ts';
import { commandIds } from '../common/contributions.ts';
import { labelText } from '../common/messages.ts';
import type { DownloadActivity, DownloadEntry, DownloadGroup, InterruptedNode } from './activity.ts';
import { localCount } from './downloadCommand.ts';

/** The heading over entries of one kind. */
export interface GroupNode {
  readonly kind: 'downloadGroup';
  readonly group: DownloadGroup;
}

export type DownloadNode = GroupNode | DownloadEntry | InterruptedNode;

/** Shortest time between two changes of the tree, in ms: fast downloads must not keep the window busy. */
const redrawInterval = 250;

const groups: readonly GroupNode[] = (['active', 'failed', 'waiting', 'done'] as const).map((group) => ({
  kind: 'downloadGroup',
  group,
}));

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
    return node.kind === 'download' ? entryItem(node) : groupItem(node, this.#activity.entries(node.group).length);
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
      (error: unknown) => {
        if (!isAbortError(error)) throw error;
      },
    );
  }
}

function groupItem({ group }: GroupNode, count: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupTitles[group], group === 'waiting' ? Collapsed : Expanded);
  item.id = `downloadGroup:${group}`;
  item.contextValue = 'downloadGroup';
  item.description = localCount(count);
  item.accessibilityInformation = {
    label: `${groupTitles[group]}, ${count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', count)}`,
  };
  return item;
}

function interruptedItem({ batch }: InterruptedNode): vscode.TreeItem {
  const count = batch.reportIds.length;
  const pdfCount = count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', localCount(count));
  const item = new vscode.TreeItem(pdfCount);
  item.id = `interrupted:${batch.id}`;
  item.contextValue = 'download.interrupted';
  item.description = vscode.l10n.t('interrupted');
  const begun = new Date(batch.begunAt).toLocaleString(vscode.env.language);
  item.tooltip = vscode.l10n.t(
    'Started {0}, interrupted by a reload or a crash.\nResume to download what is missing.',
    begun,
  );
  item.iconPath = new vscode.ThemeIcon('debug-disconnect');
  item.accessibilityInformation = { label: vscode.l10n.t('{0}, interrupted', pdfCount) };
  return item;
}

function entryItem(entry: DownloadEntry): vscode.TreeItem {
  const name = entryName(entry);
  const item = new vscode.TreeItem(labelText(name), vscode.TreeItemCollapsibleState.None);
  item.contextValue = `download.${entry.state}`;
  const notes = [yearOf(entry), entryStatus(entry)].filter((note) => note !== undefined);
  item.description = labelText(notes.join(' · '));
  item.tooltip = entryTooltip(entry);
  item.iconPath = iconOf(entry);
  item.accessibilityInformation = {
    label: [name, plainText(entry.report.company_name ?? ''), ...notes].filter(Boolean).join(', '),
  };
  if (entry.state !== 'done') return item;
  item.command = { command: commandIds.openPdf, title: vscode.l10n.t('Open PDF'), arguments: [entry.report.report_id] };
  return item;
}

function iconOf({ state, result }: DownloadEntry): vscode.ThemeIcon {
  switch (state) {
    case 'active':
      return new vscode.ThemeIcon('loading~spin');
    case 'waiting':
      return new vscode.ThemeIcon('clock');
    case 'done':
      return new vscode.ThemeIcon('file-pdf');
    case 'failed': {
      const isFailure = result?.status === 'failed';
      const color = new vscode.ThemeColor(isFailure ? 'list.errorForeground' : 'list.warningForeground');
      return new vscode.ThemeIcon(isFailure ? 'error' : 'circle-slash', color);
    }
    default:
      return state satisfies never;
  }
}

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

/** What a group is called. */
const groupTitles: Readonly<Record<DownloadGroup, string>> = {
  active: vscode.l10n.t('Downloading'),
  waiting: vscode.l10n.t('Waiting'),
  failed: vscode.l10n.t('Failed'),
  done: vscode.l10n.t('Done today'),
};

/** A download's name: the report's title, as far as it is known, else the name of its file without the ending. */
export function entryName({ job, report }: DownloadEntry): string {
  const name = job.target.path.split('/').at(-1) ?? '';
  return plainText(report.report_title ?? '') || plainText(name.replace(/\.pdf$/i, '')) || plainText(report.report_key);
}

/** The fiscal year of its report, as it stands in front of other notes; undefined when it is not known. */
function yearOf({ report: { report_fcyear = null, report_year = null } }: DownloadEntry): string | undefined {
  return fiscalYearOf({ report_fcyear, report_year })?.toString();
}

/** How far a download is, or how it ended, in a few words. */
export function entryStatus({ state, bytes, total, result }: DownloadEntry): string {
  switch (state) {
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'active':
      if (bytes === 0) return vscode.l10n.t('starting');
      return total === null
        ? byteSize(bytes, vscode.env.language)
        : vscode.l10n.t('{0} of {1}', byteSize(bytes, vscode.env.language), byteSize(total, vscode.env.language));
    case 'failed':
      return plainText(result?.reason ?? vscode.l10n.t('It could not be downloaded.'));
    case 'done':
      return doneStatus(result, bytes);
    default:
      return state satisfies never;
  }
}

function doneStatus(result: DownloadEntry['result'], bytes: number): string {
  const size = [byteSize(result?.bytes ?? bytes, vscode.env.language)];
  const replaced = result?.replaced === undefined ? [] : [vscode.l10n.t('replaced an older version')];
  // Brought here before the window was opened: what it is, its mark says.
  if (!result) return [...size, vscode.l10n.t('here')].join(' · ');
  const isCompared = result.verified || result.report.content_sha256 !== undefined;
  const found = !isCompared
    ? vscode.l10n.t('matches the lock file')
    : result.verified
      ? vscode.l10n.t('verified')
      : vscode.l10n.t('not verified');
  return [...size, found, ...replaced].join(' · ');
}

/** The whole of it, for a tooltip. */
export function entryTooltip(entry: DownloadEntry): string {
  const { job, result } = entry;
  const lines = [plainText(job.target.path), entryStatus(entry)];
  if (entry.state === 'done' && result?.reason !== undefined) lines.push(plainText(result.reason));
  return lines.join('\n');
}
