import type * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { DownloadActivity } from './activity.ts';
import { type DownloadNode, DownloadsTree, keepBadge } from './tree.ts';
import { WorkspaceDownloads } from './workspaceDownloads.ts';

/** What the downloads of this window are doing; empty at first. */
export function makeActivity(): DownloadActivity {
  return new DownloadActivity(systemClock);
}

/** The Downloads view's tree. */
export function makeTree(activity: DownloadActivity): DownloadsTree {
  return new DownloadsTree(activity, systemClock);
}

/** Makes the downloads of this window, and lets the view follow them from the first one on. */
export function openDownloads(
  services: Services,
  log: Log,
  globalFolder: vscode.Uri,
  activity: DownloadActivity,
  view: vscode.TreeView<DownloadNode>,
): { readonly downloads: WorkspaceDownloads; readonly subscription: Disposable } {
  const downloads = new WorkspaceDownloads(services, log, globalFolder);
  const events = downloads.onDidChange((event) => activity.note(event));
  const badge = keepBadge(view, activity);
  return {
    downloads,
    subscription: {
      dispose() {
        events.dispose();
        badge.dispose();
      },
    },
  };
}
