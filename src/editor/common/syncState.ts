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
  const amount = total === null ? reports.toLocaleString() : `${reports.toLocaleString()} of ${total.toLocaleString()}`;
  switch (activity) {
    case 'idle':
      return '';
    case 'preparing':
      return 'Preparing the first load…';
    case 'loading':
      return `Loading the library: ${amount} reports`;
    case 'following':
      return 'Reading changes…';
    case 'walking':
      return `Checking all reports: ${amount}`;
    default:
      return activity satisfies never;
  }
}
