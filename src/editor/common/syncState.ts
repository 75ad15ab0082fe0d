import * as vscode from 'vscode';
import type { SyncProgress } from '../../library/sync/progress.ts';

/** How the library of the connection in use stands. */
export interface SyncState {
  readonly connectionId: string;
  readonly running: boolean;
  readonly progress: SyncProgress | null;
  /** When the service was last read to its end, ms since the epoch; null for never. */
  readonly syncedAt: number | null;
  /** Why the last run failed, in words; null when it did not. */
  readonly problem: string | null;
}

/** `312 of 751 reports`: how far a load is. */
export function progressText({ activity, reports, total }: SyncProgress): string {
  const amount =
    total === null
      ? reports.toLocaleString()
      : vscode.l10n.t('{0} of {1}', reports.toLocaleString(), total.toLocaleString());
  switch (activity) {
    case 'idle':
      return '';
    case 'preparing':
      return vscode.l10n.t('Preparing the first load…');
    case 'loading':
      return vscode.l10n.t('Loading the library: {0} reports', amount);
    case 'following':
      return vscode.l10n.t('Reading changes…');
    case 'walking':
      return vscode.l10n.t('Checking all reports: {0}', amount);
    default:
      return activity satisfies never;
  }
}
