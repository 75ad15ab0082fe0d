import * as vscode from 'vscode';
import { countText } from '../../base/words.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import { isThere } from '../../files/guard.ts';
import { reveal } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { labelText, notificationText, showProblem } from '../common/messages.ts';
import { bytesText, withCancellableProgress } from '../common/progress.ts';
import type { DownloadRoot } from './downloadRoot.ts';

/** What became of a file, in the words that count it; told in this order. */
export const endingWords = {
  downloaded: vscode.l10n.t('downloaded'),
  'not-compared': vscode.l10n.t('downloaded (not verified)'),
  updated: vscode.l10n.t('updated'),
  restored: vscode.l10n.t('restored'),
  verified: vscode.l10n.t('verified'),
  current: vscode.l10n.t('up to date'),
  unchanged: vscode.l10n.t('already downloaded'),
  'matches-lock': vscode.l10n.t('matching the lock file (not yet checked with the service)'),
  unverified: vscode.l10n.t('not verified (no hash published)'),
  newer: vscode.l10n.t('with a newer version available'),
  'other-key': vscode.l10n.t('not matching the library'),
  'changed-upstream': vscode.l10n.t('changed by the service'),
  kept: vscode.l10n.t('withdrawn or not in your license (file kept)'),
  withdrawn: vscode.l10n.t('withdrawn'),
  'not-entitled': vscode.l10n.t('not in your license'),
  'no-file': vscode.l10n.t('not available'),
  edited: vscode.l10n.t('edited'),
  'lfs-pointer': vscode.l10n.t('replaced by a Git LFS pointer'),
  'line-ends': vscode.l10n.t('with line endings changed by Git'),
  missing: vscode.l10n.t('missing'),
  unreadable: vscode.l10n.t('unreadable'),
  unread: vscode.l10n.t('not read'),
  unlisted: vscode.l10n.t('not in the lock file'),
  cancelled: vscode.l10n.t('cancelled'),
  failed: vscode.l10n.t('failed'),
} as const;

export type FileEnding = keyof typeof endingWords;

/** Endings that need no look at the file, and those that are no reason for a warning either. */
const fine: ReadonlySet<FileEnding> = new Set(['verified', 'restored', 'current', 'unchanged']);
const harmless: ReadonlySet<FileEnding> = new Set([
  'updated',
  'matches-lock',
  'unverified',
  'newer',
  'unlisted',
  ...fine,
]);

export interface EndedFile {
  /** Below the downloads folder. */
  readonly path: string;
  readonly ending: FileEnding;
  readonly reason?: string | undefined;
}

/** What a download came to, as far as it is told. */
export function endingOf({ status, cause }: Pick<DownloadResult, 'status' | 'cause'>, done: FileEnding): FileEnding {
  if (status === 'downloaded') return done;
  if (status !== 'failed') return status;
  return cause === 'changed-upstream' || cause === 'withdrawn' || cause === 'edited' || cause === 'other-key'
    ? cause
    : 'failed';
}

/** "1 PDF", "1,200 PDFs". */
export function pdfCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', countText(count));
}

/**
 * "12 verified, 1 edited here, 1 missing."
 * @param countFirst tells the first number, where nothing before says what is counted
 */
export function countEndings(endings: readonly FileEnding[], countFirst = countText): string {
  const counts = Map.groupBy(endings, (ending) => ending);
  const parts = Object.entries(endingWords).flatMap(([ending, word]) => {
    const count = counts.get(ending as FileEnding)?.length ?? 0;
    return count > 0 ? { count, word } : [];
  });
  const words = parts.map(({ count, word }, index) => `${index === 0 ? countFirst(count) : countText(count)} ${word}`);
  return `${words.join(', ')}.`;
}

/** "14 PDFs: 12 verified, 1 edited here, 1 missing." */
export function tally(endings: readonly FileEnding[]): string {
  const head = pdfCount(endings.length);
  const [only, ...others] = new Set(endings);
  if (only === undefined || others.length > 0) return `${head}: ${countEndings(endings)}`;
  const word = endingWords[only];
  return endings.length === 1 ? `${head}: ${word}.` : vscode.l10n.t('{0}: all {1}.', head, word);
}

/** Tells once how a batch ended. A button lists the files that need a look; choosing one shows where it is. */
export async function tellEnded({ uri, folder }: DownloadRoot, files: readonly EndedFile[]): Promise<void> {
  const nothing = vscode.l10n.t(
    'There is no PDF in {0}/reports.lock.json yet. Download PDFs first, or open the folder that contains them.',
    folder,
  );
  const text = files.length === 0 ? nothing : tally(files.map(({ ending }) => ending));
  const details = files.filter(({ ending }) => !fine.has(ending));
  const isWarning = files.some(({ ending }) => !harmless.has(ending));
  const show = vscode.l10n.t('Show Details');
  const choice = await tell(text, isWarning, details.length > 0 ? [show] : []);
  if (choice !== show) return;
  const picks = details.map(({ path, ending, reason }) => ({
    label: labelText(path),
    description: endingWords[ending],
    ...(reason !== undefined && { detail: labelText(reason) }),
    uri: vscode.Uri.joinPath(uri, folder, path),
  }));
  const placeHolder = vscode.l10n.t('Choose a file to see where it is');
  const options = { title: text, placeHolder, matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(picks, options);
  if (picked && (await isThere(picked.uri.fsPath))) await reveal(picked.uri);
}

/** Says something once, as a warning or not; gives the button that a person chose. */
export function tell(text: string, isWarning: boolean, buttons: readonly string[]): Thenable<string | undefined> {
  const show = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return show(notificationText(text), ...buttons);
}

/** Lets work go on that nobody waits for, such as a message to its reader; what goes wrong with it is shown. */
export function aside(work: Promise<void>, log: Log): void {
  work.catch((error: unknown) => showProblem(error, log));
}

/** Asks in a dialog whether to go on; gives the button that a person chose. */
export function askModally(question: string, detail: string, buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(notificationText(question), { modal: true, detail }, ...buttons);
}

/** How far a batch is; each call is shown in its notification. */
interface BatchProgress {
  /** One more of the total is done. */
  count(): void;
  /** Progress of the only file. */
  bytes(received: number, total: number | null): void;
}

/** Runs work under a notification that says how far it is and can be cancelled. */
export function runBatch<T>(
  title: string,
  total: number,
  work: (signal: AbortSignal, progress: BatchProgress) => Promise<T>,
): Promise<T> {
  return withCancellableProgress(title, (signal, progress) => {
    let done = 0;
    let told = { quarter: -1, message: '' };
    // The words change at quarters alone, because screen readers read out each change. They are told with each step all
    // the same: the editor takes a step without words for the end of them.
    const report = (part: number, message: () => string, increment?: number) => {
      const quarter = Math.floor(4 * part);
      if (quarter !== told.quarter) told = { quarter, message: message() };
      progress.report({ message: told.message, ...(increment !== undefined && { increment }) });
    };
    return work(signal, {
      count() {
        done += 1;
        report(done / total, () => vscode.l10n.t('{0} of {1}', countText(done), countText(total)), 100 / total);
      },
      bytes(received, all) {
        report(all ? received / all : 0, () => bytesText(received, all));
      },
    });
  });
}
