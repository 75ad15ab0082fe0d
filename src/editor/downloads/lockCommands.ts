import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../app/app.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { planSentence } from '../../downloads/plan.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import type { UpdateLook } from '../../downloads/restore.ts';
import type { FileCheck } from '../../downloads/verify.ts';
import { statsOf } from '../../files/guard.ts';
import { mayBePointer } from '../../machine/gitRewrites.ts';
import { isOptions } from '../common/arguments.ts';
import { aside, askModally, type EndedFile, endingOf, runBatch, tally, tellEnded } from './batch.ts';
import { downloadOutcome } from './downloadCommand.ts';
import type { ChosenFolder } from './downloadRoot.ts';
import { offerIgnore } from './ignoreOffer.ts';
import type { DownloadsContext } from './workspaceDownloads.ts';

type LockWork<T> = (
  chosen: ChosenFolder,
  rows: readonly LockRow[],
  mayAsk: boolean,
) => Promise<{ readonly outcome: T; readonly files: readonly EndedFile[] } | undefined>;

/** A command on the files of a folder's lock: a program gets the outcome alone, a person is asked and told. */
function onLock<T>(question: string, mayChange: boolean, work: LockWork<T>) {
  return async ({ downloads, state, log, noteChanged }: DownloadsContext, args: readonly unknown[]) => {
    const mayAsk = !isOptions(args);
    const chosen = await downloads.folder(mayAsk, question);
    if (!chosen) return undefined;
    const { root, folder } = chosen;
    const rows = await folder.rows();
    // Before anything is asked: its ids may mean other reports here.
    if (mayChange) await folder.requireService();
    const done = await work(chosen, rows, mayAsk);
    if (!done) return undefined;
    if (mayChange) noteChanged(rows.map(({ report_id }) => report_id));
    if (mayAsk) aside(tellEnded(root, done.files), log);
    if (mayAsk && mayChange) aside(offerIgnore(root, state), log);
    return done.outcome;
  };
}

const countedStates = [
  'verified',
  'matches-lock',
  'unverified',
  'newer',
  'other-key',
  'edited',
  'lfs-pointer',
  'line-ends',
  'missing',
  'unreadable',
] as const;

/** What `reportLibrary.verifyDownloads` gives a program; paths are relative to the workspace folder. */
export interface VerifyOutcome extends Readonly<Record<(typeof countedStates)[number], number>> {
  readonly checked: number;
  /** PDFs in the folder that no row of the lock names. */
  readonly unlisted: readonly string[];
  readonly files: readonly (Pick<FileCheck, 'state' | 'reason'> & Pick<LockRow, 'report_id' | 'path'>)[];
}

/** Reads every file of the lock and compares its hash; no network. */
export const verifyDownloads = onLock(
  vscode.l10n.t('Which folder’s PDFs should be verified?'),
  false,
  async ({ root, folder }, rows) => {
    const checks = await runBatch(vscode.l10n.t('Verifying PDFs'), rows.length, (signal, { count }) =>
      folder.verify({ signal, onProgress: count }),
    );
    const unlisted = await folder.unlisted();
    const files: EndedFile[] = [
      ...checks.map(({ row, state, reason }) => ({ path: row.path, ending: state, reason })),
      ...unlisted.map((path) => ({ path, ending: 'unlisted' as const })),
    ];
    return { outcome: verifyOutcome(root.folder, checks, unlisted), files };
  },
);

/** The outcome of a verification; `folder` is the downloads folder in the workspace folder. */
export function verifyOutcome(
  folder: string,
  checks: readonly FileCheck[],
  unlisted: readonly string[] = [],
): VerifyOutcome {
  const counts = countedStates.map((counted) => [counted, checks.filter(({ state }) => state === counted).length]);
  return {
    ...(Object.fromEntries(counts) as Record<(typeof countedStates)[number], number>),
    checked: checks.length,
    unlisted: unlisted.map((path) => `${folder}/${path}`),
    files: checks.map(({ row, state, reason }) => ({
      report_id: row.report_id,
      path: `${folder}/${row.path}`,
      state,
      ...(reason !== undefined && { reason }),
    })),
  };
}

/** Fetches the PDFs that the service published anew; an outcome for each report of the lock, by its id there. */
export const updateDownloads = onLock(
  vscode.l10n.t('Which folder’s PDFs should be updated?'),
  true,
  async ({ root, folder }, rows, mayAsk) => {
    const look = await runBatch(vscode.l10n.t('Checking for changed PDFs'), rows.length, (signal, { count }) =>
      folder.lookForUpdates({ signal, priority: 'interactive', onProgress: count }),
    );
    const wanted = (rows: UpdateLook['changed']) => rows.map(({ row, report }) => ({ id: row.report_id, report }));
    const changed = wanted(look.changed);
    if (mayAsk && changed.length > 0) {
      const found = tally(updated(root.folder, look).map(({ ending }) => ending));
      const go = vscode.l10n.t('Update');
      if ((await askModally(found, planSentence(await folder.plan(changed)), [go])) !== go) return undefined;
    }
    // A merge alone costs no link: the row goes over to the id that its report has now.
    const reports = [...changed, ...wanted(look.merged)];
    const results =
      reports.length === 0
        ? []
        : await runBatch(vscode.l10n.t('Updating PDFs'), reports.length, (signal, { count }) =>
            folder.download(reports, { signal, priority: 'interactive', onResult: count }),
          );
    const files = updated(root.folder, look, results);
    return { outcome: files.map(({ outcome }) => outcome), files };
  },
);

/** Sums up an update: reports checked, and results of the changed ones in their order. */
export function updated(
  folder: string,
  { current, changed, merged, notServed }: UpdateLook,
  results?: readonly DownloadResult[],
): (EndedFile & { readonly outcome: DownloadOutcome })[] {
  type Fate = Omit<Partial<DownloadResult>, 'report_id'> & Pick<DownloadResult, 'status'>;
  const file = ({ report_id, path }: LockRow, ending: EndedFile['ending'], fate: Fate) => {
    const outcome = downloadOutcome({ ...fate, report_id, path: fate.path ?? `${folder}/${path}` });
    return { path, ending, reason: fate.reason, outcome };
  };
  return [
    ...[...current, ...merged.map(({ row }) => row)].map((row) => file(row, 'current', { status: 'unchanged' })),
    ...notServed.map(({ row, ...fate }) => {
      const ending = endingOf(fate, 'current');
      return file(row, ending === 'failed' || ending === 'other-key' ? ending : 'kept', fate);
    }),
    ...changed.map(({ row }, index) => {
      const result = results?.[index] ?? { status: 'cancelled' as const };
      return file(row, results ? endingOf(result, 'updated') : 'changed-upstream', result);
    }),
  ].sort((a, b) => a.outcome.report_id - b.outcome.report_id);
}

/** Brings back the very bytes that the lock names. */
export const restoreDownloads = onLock(
  vscode.l10n.t('Which folder’s PDFs should be restored?'),
  true,
  async ({ root, folder }, rows, mayAsk) => {
    const places = rows.map(({ path }) => join(root.uri.fsPath, root.folder, path));
    const there = await statsOf(places);
    // A file as small as a Git LFS pointer has to be downloaded as well.
    const missing = rows.filter(({ bytes }, at) => {
      const size = there[at]?.size;
      return size === undefined || (size !== bytes && mayBePointer(size));
    }).length;
    if (mayAsk && missing > 1) {
      const question = vscode.l10n.t(
        '{0}/reports.lock.json lists {1} PDFs; {2} are missing. Restoring them counts as up to {3} downloads against your license.',
        root.folder,
        rows.length,
        missing,
        missing,
      );
      const go = vscode.l10n.t('Restore');
      if ((await askModally(question, '', [go])) !== go) return undefined;
    }
    const results = await runBatch(vscode.l10n.t('Restoring PDFs'), rows.length, (signal, { count }) =>
      folder.restore({ signal, priority: 'interactive', onResult: count }),
    );
    const paths = new Map(rows.map(({ report_id, path }) => [report_id, path]));
    const files = results.map((result) => restored(paths.get(result.report_id) ?? '', result));
    return { outcome: results.map(downloadOutcome), files };
  },
);

/** How restoring a file ended; `matches-lock` was not compared with what the service publishes. */
export function restored(path: string, result: DownloadResult): EndedFile {
  const isCompared = result.path === undefined || result.report.content_sha256 !== undefined;
  return { path, ending: isCompared ? endingOf(result, 'restored') : 'matches-lock', reason: result.reason };
}
