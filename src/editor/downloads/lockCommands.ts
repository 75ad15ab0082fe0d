import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { FolderBatchOptions } from '../../downloads/folder.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import { planSentence } from '../../downloads/plan.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import type { UpdateLook } from '../../downloads/restore.ts';
import type { FileState } from '../../downloads/verify.ts';
import { labelText, notificationText, withCancellableProgress } from '../common/messages.ts';
import { counter, type DownloadOutcome, outcomesOf } from './downloadCommand.ts';
import type { ChosenFolder } from './downloadRoot.ts';
import {
  lookSentence,
  restoreSentence,
  type UpdateOutcome,
  updateOutcomes,
  updateSentence,
  type VerifyOutcome,
  verifyOutcome,
  verifySentence,
} from './lockOutcomes.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

/** What a command came to, and how a person is told; telling waits for the person, so nobody waits for it. */
export interface Told<T> {
  readonly outcome: T;
  tell(): Promise<void>;
}

const stateWords: Readonly<Record<FileState, string>> = {
  verified: vscode.l10n.t('verified'),
  'matches-lock': vscode.l10n.t('matches the lock file, not compared with the service'),
  newer: vscode.l10n.t('the service has a newer version'),
  unread: vscode.l10n.t('not read'),
  unverified: vscode.l10n.t('not verified: the service published no hash'),
  edited: vscode.l10n.t('edited since it was downloaded'),
  missing: vscode.l10n.t('missing'),
  unreadable: vscode.l10n.t('unreadable'),
};

/** Reads every file of the lock and compares its hash; no network. Undefined when the person leaves. */
export async function verifyDownloads(
  downloads: WorkspaceDownloads,
  mayAsk: boolean,
): Promise<Told<VerifyOutcome> | undefined> {
  const chosen = await downloads.folder(mayAsk, vscode.l10n.t('Which folder’s PDFs should be verified?'));
  if (!chosen) return undefined;
  const { root, folder } = chosen;
  const rows = await folder.rows();
  const checks = await withCancellableProgress(vscode.l10n.t('Verifying PDFs'), (signal, progress) =>
    folder.verify({ signal, onProgress: counter(progress, rows.length) }),
  );
  const unlisted = await folder.unlisted();
  const outcome = verifyOutcome(root.folder, checks, unlisted);
  const details = [
    ...checks
      .filter(({ state }) => state !== 'verified')
      .map(({ row, state, reason }) => detail(chosen, row.path, stateWords[state], reason, state !== 'missing')),
    ...unlisted.map((path) => detail(chosen, path, vscode.l10n.t('not in the lock file'), undefined, true)),
  ];
  const isWarning = outcome.edited + outcome.missing + outcome.unreadable > 0;
  const text = rows.length + unlisted.length === 0 ? noRows(root.folder) : verifySentence(outcome);
  return { outcome, tell: () => tellSummary(text, isWarning, details) };
}

/** Fetches the PDFs that the service published anew. Undefined when the person leaves. */
export async function updateDownloads(
  downloads: WorkspaceDownloads,
  mayAsk: boolean,
): Promise<Told<readonly UpdateOutcome[]> | undefined> {
  const chosen = await downloads.folder(mayAsk, vscode.l10n.t('Which folder’s PDFs should be updated?'));
  if (!chosen) return undefined;
  const { root, folder } = chosen;
  const rows = await folder.rows();
  const look = await withCancellableProgress(vscode.l10n.t('Checking for changed PDFs'), (signal, progress) =>
    folder.lookForUpdates({
      signal,
      priority: 'interactive',
      onProgress: counter(progress, rows.length),
    }),
  );
  const wanted = (rows: UpdateLook['changed']) => rows.map(({ row, report }) => ({ id: row.report_id, report }));
  const changed = wanted(look.changed);
  if (mayAsk && changed.length > 0) {
    const text = `${lookSentence(look)}\n${planSentence(await folder.plan(changed))}`;
    if (!(await confirmed(text, vscode.l10n.t('Update')))) return undefined;
  }
  // A merge alone costs no link: the row goes over to the id that its report has now.
  const reports = [...changed, ...wanted(look.merged)];
  const all = await batch(vscode.l10n.t('Updating PDFs'), reports.length, (options) =>
    folder.download(reports, options),
  );
  const results = all.slice(0, changed.length);
  const outcome = updateOutcomes(root.folder, look, results);
  const replaced = outcome.filter((one) => one.replaced !== undefined);
  const told = outcome.filter(({ status }) => status !== 'unchanged');
  const details = told.map(({ path, status, reason }) =>
    detail(chosen, path.slice(root.folder.length + 1), updateWords(status), reason, true),
  );
  const sentences = [rows.length === 0 ? noRows(root.folder) : updateSentence(look, results)];
  if (replaced.length > 0) sentences.push(vscode.l10n.t('Replaced: {0}.', someNames(replaced.map(({ path }) => path))));
  const gone = look.notServed.map(({ row }) => row.path);
  if (gone.length > 0) sentences.push(vscode.l10n.t('No longer served: {0}.', someNames(gone)));
  const isWarning = told.some(({ status }) => status !== 'downloaded');
  return { outcome, tell: () => tellSummary(sentences.join(' '), isWarning, details) };
}

/** Brings back the very bytes that the lock names. Undefined when the person leaves. */
export async function restoreDownloads(
  downloads: WorkspaceDownloads,
  mayAsk: boolean,
): Promise<(Told<readonly DownloadOutcome[]> & Pick<ChosenFolder, 'root'>) | undefined> {
  const chosen = await downloads.folder(mayAsk, vscode.l10n.t('Which folder’s PDFs should be restored?'));
  if (!chosen) return undefined;
  const { root, folder } = chosen;
  const rows = await folder.rows();
  const missing = await missingFiles(chosen, rows);
  if (mayAsk && missing > 1) {
    const text = vscode.l10n.t(
      '{0}/reports.lock.json names {1} PDFs; {2} are not here. Restoring them counts as up to {3} downloads on your key.',
      root.folder,
      rows.length,
      missing,
      missing,
    );
    if (!(await confirmed(text, vscode.l10n.t('Restore')))) return undefined;
  }
  const results = await batch(vscode.l10n.t('Restoring PDFs'), rows.length, (options) => folder.restore(options));
  const paths = new Map(rows.map(({ report_id, path }) => [report_id, path]));
  const details = results.filter(isProblem).map((result) => {
    const path = paths.get(result.report_id) ?? result.report.report_key;
    return detail(chosen, path, restoreWords(result), result.reason, result.cause === 'edited');
  });
  const text = rows.length === 0 ? noRows(root.folder) : restoreSentence(results);
  return {
    outcome: outcomesOf(results),
    tell: () => tellSummary(text, details.length > 0, details),
    root,
  };
}

/** Runs a batch under a notification that counts it. */
async function batch(
  title: string,
  total: number,
  work: (options: FolderBatchOptions) => Promise<readonly DownloadResult[]>,
): Promise<readonly DownloadResult[]> {
  if (total === 0) return [];
  return withCancellableProgress(title, (signal, progress) => {
    const count = counter(progress, total);
    let done = 0;
    return work({
      signal,
      priority: 'interactive',
      onResult: () => count(++done),
    });
  });
}

async function confirmed(text: string, go: string): Promise<boolean> {
  return (await vscode.window.showInformationMessage(notificationText(text), { modal: true }, go)) === go;
}

async function missingFiles({ root }: ChosenFolder, rows: readonly LockRow[]): Promise<number> {
  let missing = 0;
  for (const { path } of rows) {
    await lstat(join(root.uri.fsPath, root.folder, path)).catch(() => missing++);
  }
  return missing;
}

function detail({ root }: ChosenFolder, path: string, state: string, reason: string | undefined, isThere: boolean) {
  const uri = isThere ? vscode.Uri.joinPath(root.uri, root.folder, path) : undefined;
  const entry: Detail = { name: path, state, reason, uri };
  return entry;
}

function isProblem({ status }: DownloadResult): boolean {
  return status !== 'downloaded' && status !== 'unchanged';
}

function updateWords(status: UpdateOutcome['status']): string {
  if (status === 'downloaded') return vscode.l10n.t('updated');
  return status === 'failed' || status === 'cancelled' ? endWords(status) : vscode.l10n.t('kept as it was');
}

function endWords(status: 'failed' | 'cancelled'): string {
  return status === 'failed' ? vscode.l10n.t('failed') : vscode.l10n.t('cancelled');
}

function restoreWords({ status, cause }: DownloadResult): string {
  if (cause === 'changed-upstream') return vscode.l10n.t('changed at the service');
  if (cause === 'withdrawn') return vscode.l10n.t('withdrawn');
  if (cause === 'edited') return vscode.l10n.t('edited');
  if (status === 'failed' || status === 'cancelled') return endWords(status);
  return status === 'not-entitled' ? vscode.l10n.t('not in your licence') : status;
}

function noRows(folder: string): string {
  return vscode.l10n.t(
    'There is no PDF in {0}/reports.lock.json yet. Download PDFs first, or open the folder that holds them.',
    folder,
  );
}

/** One file of a list that a person may look at after a summary. */
interface Detail {
  readonly name: string;
  /** A word or two. */
  readonly state: string;
  readonly reason?: string | undefined;
  /** Where the file is, if it is there. */
  readonly uri?: vscode.Uri | undefined;
}

/** Tells a summary; with details, a button shows them as a list, and choosing a file there shows where it is. */
async function tellSummary(sentence: string, isWarning: boolean, details: readonly Detail[]): Promise<void> {
  const show = vscode.l10n.t('Show Details');
  const tell = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await tell(notificationText(sentence), ...(details.length > 0 ? [show] : []));
  if (choice !== show) return;
  const picks = details.map(({ name, state, reason, uri }) => ({
    label: labelText(name),
    description: labelText(state),
    ...(reason !== undefined && { detail: labelText(reason) }),
    uri,
  }));
  const options = { title: sentence, placeHolder: vscode.l10n.t('Choose a file to see where it is') };
  const picked = await vscode.window.showQuickPick(picks, {
    ...options,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.uri) await vscode.commands.executeCommand('revealInExplorer', picked.uri);
}

/** The last names of files, for a sentence: "a.pdf, b.pdf and 3 more". */
function someNames(paths: readonly string[], most = 3): string {
  const names = paths.slice(0, most).map((path) => path.split('/').at(-1) ?? path);
  const more = paths.length - names.length;
  return more > 0 ? vscode.l10n.t('{0} and {1} more', names.join(', '), more) : names.join(', ');
}
