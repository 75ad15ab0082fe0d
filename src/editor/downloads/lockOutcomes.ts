import * as vscode from 'vscode';
import type { DownloadResult, DownloadStatus } from '../../downloads/ports.ts';
import type { UpdateLook } from '../../downloads/restore.ts';
import type { FileCheck, FileState } from '../../downloads/verify.ts';

/** What `reportLibrary.verifyDownloads` gives a program. */
export interface VerifyOutcome extends Readonly<Record<Exclude<FileState, 'unread'>, number>> {
  readonly checked: number;
  /** PDFs in the folder that no row of the lock names, relative to the workspace folder. */
  readonly unlisted: readonly string[];
  readonly files: readonly {
    readonly report_id: number;
    /** Relative to the workspace folder. */
    readonly path: string;
    readonly state: FileState;
    readonly reason?: string;
  }[];
}

/** What `reportLibrary.updateDownloads` gives a program: an entry for each report of the lock, by its id there. */
export interface UpdateOutcome {
  readonly report_id: number;
  /** `unchanged` for a file that is up to date; a report that is not served any more is `failed` or `not-entitled`. */
  readonly status: DownloadStatus;
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly sha256?: string;
  /** Hash of the file that was replaced. */
  readonly replaced?: string;
  readonly reason?: string;
}

/** The outcome of a verification; `folder` is the downloads folder in the workspace folder. */
export function verifyOutcome(
  folder: string,
  checks: readonly FileCheck[],
  unlisted: readonly string[] = [],
): VerifyOutcome {
  const count = (wanted: FileState) => checks.filter(({ state }) => state === wanted).length;
  return {
    checked: checks.length,
    verified: count('verified'),
    'matches-lock': count('matches-lock'),
    unverified: count('unverified'),
    newer: count('newer'),
    edited: count('edited'),
    missing: count('missing'),
    unreadable: count('unreadable'),
    unlisted: unlisted.map((path) => `${folder}/${path}`),
    files: checks.map(({ row, state, reason }) => ({
      report_id: row.report_id,
      path: `${folder}/${row.path}`,
      state,
      ...(reason !== undefined && { reason }),
    })),
  };
}

/** "14 PDFs checked: 12 verified, 1 edited, 1 missing." */
export function verifySentence(outcome: VerifyOutcome): string {
  const { checked, verified, unverified, newer, edited, missing, unreadable, unlisted } = outcome;
  if (checked > 0 && verified === checked && unlisted.length === 0)
    return vscode.l10n.t('{0} checked: all verified.', pdfs(checked));
  const parts = [
    counted(verified, vscode.l10n.t('verified')),
    counted(outcome['matches-lock'], vscode.l10n.t('matching the lock file, not compared with the service')),
    counted(unverified, vscode.l10n.t('never verified')),
    counted(newer, vscode.l10n.t('with a newer version at the service')),
    counted(edited, vscode.l10n.t('edited')),
    counted(missing, vscode.l10n.t('missing')),
    counted(unreadable, vscode.l10n.t('unreadable')),
    counted(unlisted.length, vscode.l10n.t('more not in the lock file')),
  ];
  return sentence(vscode.l10n.t('{0} checked', pdfs(checked)), parts);
}

/** What updating came to: what the look found, with how the downloads of the changed ones ended, in their order. */
export function updateOutcomes(
  folder: string,
  { current, changed, merged, notServed }: UpdateLook,
  results: readonly DownloadResult[],
): UpdateOutcome[] {
  const path = (row: { readonly path: string }) => `${folder}/${row.path}`;
  const outcomes: UpdateOutcome[] = [
    ...upToDate({ current, merged }).map((row) => ({
      report_id: row.report_id,
      status: 'unchanged' as const,
      path: path(row),
    })),
    ...notServed.map(({ row, status, reason }) => ({ report_id: row.report_id, status, path: path(row), reason })),
    ...changed.map(({ row }, index) => {
      const result = results[index];
      const { sha256, replaced, reason } = result ?? {};
      return {
        report_id: row.report_id,
        status: result?.status ?? 'cancelled',
        path: result?.path ?? path(row),
        ...(sha256 !== undefined && { sha256 }),
        ...(replaced !== undefined && { replaced }),
        ...(reason !== undefined && { reason }),
      };
    }),
  ];
  return outcomes.sort((a, b) => a.report_id - b.report_id);
}

/** "14 PDFs looked at: 11 up to date, 2 changed, 1 withdrawn or not in your licence." */
export function lookSentence({ changed, notServed, ...look }: UpdateLook): string {
  const current = upToDate(look);
  const total = current.length + changed.length + notServed.length;
  if (total > 0 && current.length === total) return vscode.l10n.t('{0}: all up to date.', pdfs(total));
  const gone = notServed.filter(isGone).length;
  return sentence(pdfs(total), [
    counted(current.length, vscode.l10n.t('up to date')),
    counted(changed.length, vscode.l10n.t('changed')),
    counted(gone, vscode.l10n.t('withdrawn or not in your licence (kept here)')),
    counted(notServed.length - gone, vscode.l10n.t('could not be checked')),
  ]);
}

/** "14 PDFs: 11 up to date, 2 updated, 1 withdrawn or not in your licence (kept here)." */
export function updateSentence(look: UpdateLook, results: readonly DownloadResult[]): string {
  if (results.length === 0) return lookSentence(look);
  const count = (wanted: (result: DownloadResult) => boolean) => results.filter(wanted).length;
  const updated = count(({ status }) => status === 'downloaded');
  const same = count(({ status }) => status === 'unchanged');
  const cancelled = count(({ status }) => status === 'cancelled');
  const gone = look.notServed.filter(isGone).length;
  const current = upToDate(look);
  const total = current.length + look.changed.length + look.notServed.length;
  return sentence(pdfs(total), [
    counted(updated, vscode.l10n.t('updated')),
    counted(current.length + same, vscode.l10n.t('up to date')),
    counted(gone, vscode.l10n.t('withdrawn or not in your licence (kept here)')),
    counted(results.length - updated - same - cancelled + look.notServed.length - gone, vscode.l10n.t('failed')),
    counted(cancelled, vscode.l10n.t('cancelled')),
  ]);
}

/** Rows whose bytes are the published ones, also where a merge gave their report another id. */
function upToDate({ current, merged }: Pick<UpdateLook, 'current' | 'merged'>) {
  return [...current, ...merged.map(({ row }) => row)];
}

function isGone({ cause }: { readonly cause?: string | undefined }): boolean {
  return cause === 'withdrawn' || cause === 'forbidden' || cause === 'no-file';
}

/** "14 PDFs: 3 restored, 10 already here, 1 changed at the service." */
export function restoreSentence(results: readonly DownloadResult[]): string {
  const left = new Set(results);
  const take = (words: string, wanted: (result: DownloadResult) => boolean) => {
    const taken = [...left].filter(wanted);
    for (const result of taken) left.delete(result);
    return counted(taken.length, words);
  };
  if (results.length > 0 && results.every(({ status }) => status === 'unchanged')) {
    const all = vscode.l10n.t('{0}: all already here.', pdfs(results.length));
    return [all, notCompared(results)].filter((part) => part !== '').join(' ');
  }
  const told = sentence(pdfs(results.length), [
    take(vscode.l10n.t('restored'), ({ status }) => status === 'downloaded'),
    take(vscode.l10n.t('already here'), ({ status }) => status === 'unchanged'),
    take(vscode.l10n.t('changed at the service'), ({ cause }) => cause === 'changed-upstream'),
    take(vscode.l10n.t('withdrawn'), ({ cause }) => cause === 'withdrawn'),
    take(vscode.l10n.t('not in your licence'), ({ status }) => status === 'not-entitled'),
    take(vscode.l10n.t('without a file now'), ({ status }) => status === 'no-file'),
    take(vscode.l10n.t('edited here'), ({ cause }) => cause === 'edited'),
    take(vscode.l10n.t('cancelled'), ({ status }) => status === 'cancelled'),
    take(vscode.l10n.t('failed'), () => true),
  ]);
  return [told, notCompared(results)].filter((part) => part !== '').join(' ');
}

/** Says how many files agree with the lock alone; empty when each was compared with what the service publishes. */
function notCompared(results: readonly DownloadResult[]): string {
  const { length } = results.filter(({ path, report }) => path !== undefined && report.content_sha256 === undefined);
  if (length === 0) return '';
  return length === 1
    ? vscode.l10n.t('1 matches the lock file and was not compared with the service.')
    : vscode.l10n.t('{0} match the lock file and were not compared with the service.', length);
}

function pdfs(count: number): string {
  return count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', count.toLocaleString(vscode.env.language));
}

function counted(count: number, words: string): string {
  return count > 0 ? `${count.toLocaleString(vscode.env.language)} ${words}` : '';
}

function sentence(head: string, parts: readonly string[]): string {
  const said = parts.filter((part) => part !== '').join(', ');
  return said === '' ? `${head}.` : `${head}: ${said}.`;
}
