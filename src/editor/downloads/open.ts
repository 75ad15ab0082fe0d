import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { PendingBatches } from '../../downloads/pendingBatches.ts';
import { DownloadActivity } from './activity.ts';
import { Interrupted } from './interrupted.ts';
import type { DownloadsOptions } from './register.ts';
import { type DownloadNode, DownloadsTree, keepBadge } from './tree.ts';
import { WorkspaceDownloads } from './workspaceDownloads.ts';

/** Set in the workspace while a batch runs, so that a start without one looks for nothing. */
export const pendingHint = 'reportLibrary.downloads.pending';

/** The downloads of this window, once somebody needs them. */
export class OpenedDownloads implements Disposable {
  readonly #store = new DisposableStore();
  /** What they are doing; empty at first. */
  readonly activity = new DownloadActivity(systemClock);
  readonly downloads: WorkspaceDownloads;
  readonly interrupted: Interrupted;

  constructor(
    { services, log, globalFolder, storage, state }: DownloadsOptions,
    view: vscode.TreeView<DownloadNode>,
    noteChanged: (reportIds: readonly number[]) => void,
  ) {
    const { activity } = this;
    const directory = vscode.Uri.joinPath(storage ?? globalFolder, 'pending-downloads').fsPath;
    const pending = this.#store.add(new PendingBatches(directory, systemClock, log));
    const downloads = new WorkspaceDownloads(services, log, globalFolder, pending, state);
    this.downloads = downloads;
    this.interrupted = this.#store.add(new Interrupted({ services, log, pending, downloads, activity, noteChanged }));
    let underWay = 0;
    this.#store.add(
      downloads.onDidChange((event) => {
        activity.note(event);
        if (event.state === 'waiting' && ++underWay === 1) void state.update(pendingHint, true);
        if (event.state === 'done' && --underWay === 0) void state.update(pendingHint, undefined);
      }),
    );
    this.#store.add(keepBadge(view, activity));
  }

  /** The Downloads view's tree; looks for what a reload or a crash cut off. */
  tree(): DownloadsTree {
    this.interrupted.look();
    return new DownloadsTree(this.activity, systemClock);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
