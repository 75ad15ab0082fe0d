import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted, countText, duration } from '../../base/words.ts';
import type { SyncProgress } from '../../library/sync/run.ts';

export interface SyncState {
  readonly connectionId: string;
  readonly running: boolean;
  readonly progress: SyncProgress | null;
  /** When the service was last read to its end, ms since the epoch; null for never. */
  readonly syncedAt: number | null;
  /** Why the last run failed, in words; null when it did not. */
  readonly problem: string | null;
  /** What a large first load waits for: an answer, Sync Now, or a time in ms since the epoch; null when for nothing. */
  readonly waitsFor: 'answer' | 'sync' | number | null;
}

export function progressText(progress: SyncProgress): string {
  const { activity } = progress;
  switch (activity) {
    case 'idle':
      return '';
    case 'preparing':
      return vscode.l10n.t('Preparing the first load…');
    case 'loading':
      return vscode.l10n.t('Loading the library: {0}', farText(progress));
    case 'following':
      return vscode.l10n.t('Reading changes…');
    case 'walking':
      return vscode.l10n.t('Checking all reports: {0}', farText(progress));
    default:
      return activity satisfies never;
  }
}

/** `4 of 11 years, about 2 min left`; in reports where it isn't made year by year. */
export function farText({ reports, total, yearsDone, years, secondsLeft }: SyncProgress): string {
  const whole = counted(total ?? reports, l10n.later('1 report'), l10n.later('{0} reports'));
  const inReports = total === null ? whole : vscode.l10n.t('{0} of {1}', countText(reports), whole);
  const far = years > 0 ? vscode.l10n.t('{0} of {1} years', yearsDone, years) : inReports;
  if (!secondsLeft) return far;
  // To ten seconds, above a minute to a minute: it is a guess.
  const unit = secondsLeft > 60 ? 60 : 10;
  return vscode.l10n.t('{0}, about {1} left', far, duration(Math.ceil(secondsLeft / unit) * unit * 1000));
}

/** Why a large library is not being loaded, and how to; empty when it waits for nothing. */
export function waitText({ waitsFor }: SyncState): string {
  if (waitsFor === null) return '';
  if (waitsFor === 'answer')
    return vscode.l10n.t('Choose in the notification when to load the library, or run Sync Now to start right away.');
  if (waitsFor === 'sync') return vscode.l10n.t('The library isn’t loaded. Run Sync Now to load it.');
  const time = new Date(waitsFor).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });
  return vscode.l10n.t('The library loads at {0} if this window is open then. Run Sync Now to start right away.', time);
}
