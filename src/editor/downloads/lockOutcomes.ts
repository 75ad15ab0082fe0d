import type { DownloadResult, DownloadStatus } from '../../downloads/result.ts';
import type { UpdateLook } from '../../downloads/update.ts';
import type { FileCheck, FileState } from '../../downloads/verify.ts';

/** What `reportLibrary.verifyDownloads` gives a program. */
export interface VerifyOutcome extends Readonly<Record<FileState, number>> {
  readonly checked: number;
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
export function verifyOutcome(folder: string, checks: readonly FileCheck[]): VerifyOutcome {
  const count = (wanted: FileState) => checks.filter(({ state }) => state === wanted).length;
  return {
    checked: checks.length,
    verified: count('verified'),
    unverified: count('unverified'),
    edited: count('edited'),
    missing: count('missing'),
    unreadable: count('unreadable'),
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
  const { checked, verified, unverified, edited, missing, unreadable } = outcome;
  if (checked > 0 && verified === checked) return `${pdfs(checked)} checked: all verified.`;
  const parts = [
    counted(verified, 'verified'),
    counted(unverified, 'never verified'),
    counted(edited, 'edited'),
    counted(missing, 'missing'),
    counted(unreadable, 'unreadable'),
  ];
  return sentence(`${pdfs(checked)} checked`, parts);
}

/** What updating came to: what the look found, with how the downloads of the changed ones ended, in their order. */
export function updateOutcomes(
  folder: string,
  { current, changed, notServed }: UpdateLook,
  results: readonly DownloadResult[],
): UpdateOutcome[] {
  const path = (row: { readonly path: string }) => `${folder}/${row.path}`;
  const outcomes: UpdateOutcome[] = [
    ...current.map((row) => ({ report_id: row.report_id, status: 'unchanged' as const, path: path(row) })),
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
export function lookSentence({ current, changed, notServed }: UpdateLook): string {
  const total = current.length + changed.length + notServed.length;
  if (total > 0 && current.length === total) return `${pdfs(total)}: all up to date.`;
  const gone = notServed.filter(isGone).length;
  return sentence(pdfs(total), [
    counted(current.length, 'up to date'),
    counted(changed.length, 'changed'),
    counted(gone, 'withdrawn or not in your licence; kept here'),
    counted(notServed.length - gone, 'could not be looked at'),
  ]);
}

/** "14 PDFs: 11 up to date, 2 updated, 1 withdrawn or not in your licence; kept here." */
export function updateSentence(look: UpdateLook, results: readonly DownloadResult[]): string {
  if (results.length === 0) return lookSentence(look);
  const count = (wanted: (result: DownloadResult) => boolean) => results.filter(wanted).length;
  const updated = count(({ status }) => status === 'downloaded');
  const same = count(({ status }) => status === 'unchanged');
  const cancelled = count(({ status }) => status === 'cancelled');
  const gone = look.notServed.filter(isGone).length;
  const total = look.current.length + look.changed.length + look.notServed.length;
  return sentence(pdfs(total), [
    counted(updated, 'updated'),
    counted(look.current.length + same, 'up to date'),
    counted(gone, 'withdrawn or not in your licence; kept here'),
    counted(results.length - updated - same - cancelled + look.notServed.length - gone, 'failed'),
    counted(cancelled, 'cancelled'),
  ]);
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
    return `${pdfs(results.length)}: all already here.`;
  }
  return sentence(pdfs(results.length), [
    take('restored', ({ status }) => status === 'downloaded'),
    take('already here', ({ status }) => status === 'unchanged'),
    take('changed at the service', ({ cause }) => cause === 'changed-upstream'),
    take('withdrawn', ({ cause }) => cause === 'withdrawn'),
    take('not in your licence', ({ status }) => status === 'not-entitled'),
    take('without a file now', ({ status }) => status === 'no-file'),
    take('edited here', ({ cause }) => cause === 'edited'),
    take('cancelled', ({ status }) => status === 'cancelled'),
    take('failed', () => true),
  ]);
}

function pdfs(count: number): string {
  return count === 1 ? '1 PDF' : `${count.toLocaleString('en')} PDFs`;
}

function counted(count: number, words: string): string {
  return count > 0 ? `${count.toLocaleString('en')} ${words}` : '';
}

function sentence(head: string, parts: readonly string[]): string {
  const said = parts.filter((part) => part !== '').join(', ');
  return said === '' ? `${head}.` : `${head}: ${said}.`;
}
