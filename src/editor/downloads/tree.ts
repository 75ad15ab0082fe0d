import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import type { PendingBatch } from '../../downloads/pendingBatches.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import type { QueueEvent, QueueJob } from '../../downloads/queue.ts';
import { pdfCount } from './batch.ts';
import {
  type DoneEarlier,
  type DownloadEntry,
  type DownloadGroup,
  type DownloadNode,
  downloadGroupItem,
  entryItem,
  groups,
  type InterruptedNode,
  interruptedItem,
} from './treeItems.ts';

/** Shortest time between two changes of the tree, in ms: fast downloads must not keep the window busy. */
const redrawInterval = 250;

/** Most entries that are kept after they ended; the oldest go first. */
const maxEnded = 1000;

/** Most PDFs of before that are shown: a lock file, which anyone may have written, names up to 200,000. */
const maxEarlier = 200;

/** Endings that leave nothing to look at or to try again; the summary of the batch tells them. */
const quiet = new Set<DownloadResult['status']>(['unchanged', 'cancelled', 'no-file']);

/** This window's downloads as a tree: running ones and today's results. Empty groups are not shown. */
export class DownloadsTree implements vscode.TreeDataProvider<DownloadNode>, Disposable {
  readonly #clock: Clock;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<DownloadEntry[] | undefined>());
  readonly #closed = new AbortController();
  readonly #running = new Map<string, DownloadEntry>();
  #ended = new Map<string, DownloadEntry>();
  #more = { count: 0, day: 0 };
  #earlier = '';
  /** What came before this window was opened is not shown again once it was cleared. */
  #isCleared = false;
  #interrupted: readonly InterruptedNode[] = [];
  /** Entries to draw again; undefined for the whole tree. */
  #dirty: Set<DownloadEntry> | undefined = new Set();
  #isDue = false;

  readonly onDidChangeTreeData = this.#changed.event;

  /** @param view bears how many are running */
  constructor(clock: Clock, view: Pick<vscode.TreeView<unknown>, 'badge'>) {
    this.#clock = clock;
    this.#view = view;
    this.#store.add({ dispose: () => this.#closed.abort() });
  }

  getChildren(node?: DownloadNode): DownloadNode[] {
    if (!node) {
      // This answer includes all pending changes. Another refresh would take the row of an open menu away.
      this.#dirty = new Set();
      return [...this.#interrupted, ...groups.filter(({ group }) => this.entries(group).length > 0)];
    }
    return node.kind === 'downloadGroup' ? this.entries(node.group) : [];
  }

  getTreeItem(node: DownloadNode): vscode.TreeItem {
    if (node.kind === 'interrupted') return interruptedItem(node);
    if (node.kind === 'download') return entryItem(node);
    const { group } = node;
    return downloadGroupItem(group, this.entries(group).length, group === 'done' ? this.more : 0);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Takes in an event of the queue. */
  note(event: QueueEvent): void {
    const { job } = event;
    const place = placeOf(job);
    const running = this.#running.get(place);
    if (event.state === 'done' && !running && this.#isKept(place, event.result)) return;
    const entry = running ?? started(job);
    entry.job = job;
    if (event.state === 'done') {
      this.#running.delete(place);
      this.#keep(place, entry, event.result);
      this.#redraw();
      return;
    }
    const isProgress = running?.state === event.state;
    this.#running.set(place, entry);
    entry.state = event.state;
    if (event.state === 'active') {
      entry.bytes = event.bytes;
      entry.total = event.total;
    }
    this.#redraw(isProgress ? entry : undefined);
  }

  /** The entries of a group: running ones in the order they came, ended ones latest first. */
  entries(group: DownloadGroup): DownloadEntry[] {
    const isOfGroup = ({ state }: DownloadEntry) => state === group;
    if (group === 'active' || group === 'waiting') return [...this.#running.values()].filter(isOfGroup);
    // While a file is tried again it has one row, and how it ended before is kept.
    const notRunning = [...this.#ended].filter(([place]) => !this.#running.has(place));
    const ended = notRunning.flatMap(([, entry]) => (isOfGroup(entry) ? entry : [])).reverse();
    const today = this.#today();
    return group === 'failed' ? ended : ended.filter(({ endedAt = 0 }) => endedAt >= today);
  }

  /** How many PDFs came today beside those that are shown. */
  get more(): number {
    return this.#more.day === this.#today() ? this.#more.count : 0;
  }

  /** Takes in PDFs that came before this window was opened, in place of those taken in before. */
  addDone({ newest, more }: DoneEarlier): void {
    if (this.#isCleared) return;
    const earlier = newest.toReversed().map(({ job, ...ended }): [string, DownloadEntry] => {
      return [placeOf(job), { ...started(job), ...ended, state: 'done' }];
    });
    // This window's own action counts, and came last.
    const own = [...this.#ended].filter(([, { result }]) => result !== undefined);
    this.#ended = new Map([...earlier, ...own]);
    this.#more = { count: more, day: this.#today() };
    // This is repeated until all reports have titles. Without a change, an open menu must keep its row.
    const shown = JSON.stringify([more, newest.map(({ job }) => [placeOf(job), job.report.report_title])]);
    if (shown !== this.#earlier) this.#redraw();
    this.#earlier = shown;
  }

  /** Shows batches that were cut off and wait for somebody, the oldest first. */
  showInterrupted(batches: readonly PendingBatch[]): void {
    if (batches.length === 0 && this.#interrupted.length === 0) return;
    this.#interrupted = batches.map((batch) => ({ kind: 'interrupted', batch }));
    this.#redraw();
  }

  /** Forgets what has ended. The files stay. */
  clearFinished(): void {
    this.#isCleared = true;
    this.#ended.clear();
    this.#more = { count: 0, day: 0 };
    this.#redraw();
  }

  #today(): number {
    return startOfDay(this.#clock.now());
  }

  /** A second report of an end changes no row. Redrawing the tree would take its rows from a menu that is open. */
  #isKept(place: string, result: DownloadResult): boolean {
    const ended = this.#ended.get(place);
    if (ended?.result?.status !== result.status) return false;
    ended.report = result.report;
    ended.result = result;
    return true;
  }

  #keep(place: string, entry: DownloadEntry, result: DownloadResult): void {
    if (quiet.has(result.status)) {
      // A failure that was tried again without one is over; what was done before is still done.
      const isOver = result.status !== 'cancelled' && this.#ended.get(place)?.state === 'failed';
      if (isOver) this.#ended.delete(place);
      return;
    }
    this.#ended.delete(place);
    entry.state = result.status === 'downloaded' ? 'done' : 'failed';
    entry.report = result.report;
    entry.result = result;
    entry.endedAt = this.#clock.now();
    this.#ended.set(place, entry);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest);
  }

  #redraw(entry?: DownloadEntry): void {
    if (!entry) this.#dirty = undefined;
    else this.#dirty?.add(entry);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.sleep(redrawInterval, this.#closed.signal).then(
      () => {
        const dirty = this.#dirty;
        this.#dirty = new Set();
        this.#isDue = false;
        this.#showBadge();
        if (dirty?.size !== 0) this.#changed.fire(dirty && [...dirty]);
      },
      // The view is gone.
      () => {},
    );
  }

  #showBadge(): void {
    const value = this.entries('active').length;
    const tooltip = vscode.l10n.t('Downloading {0}', pdfCount(value));
    if ((this.#view.badge?.value ?? 0) !== value) this.#view.badge = value === 0 ? undefined : { value, tooltip };
  }
}

function started(job: QueueJob): DownloadEntry {
  const fresh = { bytes: 0, total: null, result: undefined, endedAt: undefined };
  return { kind: 'download', job, report: job.report, state: 'waiting', ...fresh };
}

function placeOf({ target }: QueueJob): string {
  return `${target.root}\n${target.path}`;
}

/** Midnight before a time, as the clock on the wall has it. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** The newest of what came between two times by the word of its row, the newest first and each path once. */
export function newestSince<Named extends { readonly row: Pick<LockRow, 'path' | 'downloaded_at'> }>(
  named: readonly Named[],
  since: number,
  until: number,
): { readonly newest: readonly Named[]; readonly more: number } {
  // As texts: rows have their times in this form, and those that have not are never shown wrong, only left out.
  const [from, to] = [new Date(since).toISOString(), new Date(until).toISOString()];
  const came = named.filter(({ row: { downloaded_at } }) => downloaded_at >= from && downloaded_at <= to);
  const newest = [...new Map(came.map((one) => [one.row.path, one])).values()].sort((a, b) =>
    a.row.downloaded_at < b.row.downloaded_at ? 1 : -1,
  );
  return { newest: newest.slice(0, maxEarlier), more: Math.max(0, newest.length - maxEarlier) };
}
