import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { duration } from '../../base/words.ts';
import type { LibraryStatus } from '../../library/store.ts';
import type { LoadEstimate } from '../../library/sync/plan.ts';
import type { SweepQuestion } from '../../library/sync/syncRecord.ts';
import type { LocalLibrary } from '../../services.ts';
import { showProblem } from '../common/showProblem.ts';

/** Tells size and time of a large first load, and asks whether it should run now or in the night (LIM-4). */
export async function askAboutLargeLoad({ reports, seconds }: LoadEstimate): Promise<'now' | 'tonight'> {
  const now = 'Load Now';
  const tonight = 'Tonight, 00:00 to 06:00 UTC';
  const choice = await vscode.window.showInformationMessage(
    `Your licence holds about ${reports.toLocaleString()} reports. Loading their metadata takes about ` +
      `${duration(seconds * 1000)}; the service asks for large loads to run at night. Companies that you open are ` +
      'loaded at once either way.',
    now,
    tonight,
  );
  return choice === now ? 'now' : 'tonight';
}

/** A full walk would remove so much that a fault is likelier: nothing is removed before somebody says so (ST-3). */
export function askAboutSweep({ engine }: LocalLibrary, { kind, missing, held }: SweepQuestion, log: Logger): void {
  const remove = 'Mark as Removed';
  const keep = 'Keep';
  const counts = `${missing.toLocaleString()} of ${held.toLocaleString()} reports were not found`;
  const text =
    kind === 'walk-cut'
      ? `The check for removed reports was cut short, so it proves nothing: ${counts}. Nothing was removed.`
      : `The service no longer lists many reports: ${counts}. Your licence may have changed, or the service may be at fault. Nothing was removed yet.`;
  const buttons = kind === 'walk-cut' ? [keep] : [remove, keep];
  void vscode.window.showWarningMessage(text, ...buttons).then(async (choice) => {
    if (choice === undefined) return;
    try {
      await engine.answer(choice === remove ? 'remove' : 'keep');
    } catch (error) {
      showProblem(error, log);
    }
  });
}

/** Says once why a library works from memory, is read-only, or was begun anew. */
export function tellLibraryNotice({ notice, setAside }: LibraryStatus, log: Logger): void {
  if (notice === null) return;
  log.warn(setAside === null ? notice : `${notice} The damaged file is kept beside it.`);
  void vscode.window.showWarningMessage(notice);
}
