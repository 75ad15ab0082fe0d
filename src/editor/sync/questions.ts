import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { duration } from '../../base/words.ts';
import type { LibraryStatus } from '../../library/store.ts';
import type { LoadEstimate } from '../../library/sync/plan.ts';
import type { SweepQuestion } from '../../library/sync/syncRecord.ts';
import type { LocalLibrary } from '../../services.ts';
import { showProblem } from '../common/messages.ts';

/** Tells size and time of a large first load, and asks whether it should run now or in the night (LIM-4). */
export async function askAboutLargeLoad({ reports, seconds }: LoadEstimate): Promise<'now' | 'tonight'> {
  const now = vscode.l10n.t('Load Now');
  const tonight = vscode.l10n.t('Tonight, 00:00 to 06:00 UTC');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Your licence holds about {0} reports. Loading their metadata takes about {1}; the service asks for large loads to run at night. Companies that you open are loaded at once either way.',
      reports.toLocaleString(),
      duration(seconds * 1000),
    ),
    now,
    tonight,
  );
  return choice === now ? 'now' : 'tonight';
}

/** A full walk would remove so much that a fault is likelier: nothing is removed before somebody says so (ST-3). */
export function askAboutSweep({ engine }: LocalLibrary, { kind, missing, held }: SweepQuestion, log: Logger): void {
  const remove = vscode.l10n.t('Mark as Removed');
  const keep = vscode.l10n.t('Keep');
  const counts = vscode.l10n.t('{0} of {1} reports were not found', missing.toLocaleString(), held.toLocaleString());
  const text =
    kind === 'walk-cut'
      ? vscode.l10n.t(
          'The check for removed reports was cut short, so it proves nothing: {0}. Nothing was removed.',
          counts,
        )
      : vscode.l10n.t(
          'The service no longer lists many reports: {0}. Your licence may have changed, or the service may be at fault. Nothing was removed yet.',
          counts,
        );
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
