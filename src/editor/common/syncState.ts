import * as vscode from 'vscode';
import type { SyncProgress } from '../../library/sync/run.ts';

/** How the library of the connection in use stands. */
export interface SyncState {
  readonly connectionId: string;
  readonly running: boolean;
  readonly progress: SyncProgress | null;
  /** When the service was last read to its end, ms since the epoch; null for never. */
  readonly syncedAt: number | null;
  /** Why the last run failed, in words; null when it did not. */
  readonly problem: string | null;
  /** What a large first load waits for: an answer, or the night, in ms since the epoch; null when for nothing. */
  readonly waitsFor: 'answer' | number | null;
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

/** Why a large library is not being loaded, and how to; empty when it waits for nothing. */
export function waitText({ waitsFor }: SyncState): string {
  if (waitsFor === null) return '';
  if (waitsFor === 'answer')
    return vscode.l10n.t('A notification asks when to load the library. Sync Now starts at once.');
  const time = new Date(waitsFor).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return vscode.l10n.t('The library loads after {0}, in a window that is open then. Sync Now starts at once.', time);
}
