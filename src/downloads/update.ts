import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import type { LockRow } from './manifest.ts';
import { type CallOptions, type LinkSource, problemOf } from './ports.ts';
import { refusalOf } from './refusal.ts';
import { type DownloadCause, type DownloadStatus, noFileReason, publishedHash, withdrawnReason } from './result.ts';
import { Slots } from './slots.ts';

export interface LookOptions extends CallOptions {
  readonly onProgress?: ((read: number) => void) | undefined;
}

/** A report of the lock whose PDF can't be brought up to date; its file stays. */
export interface NotServed {
  readonly row: LockRow;
  readonly status: DownloadStatus;
  readonly cause: DownloadCause;
  /** What happened, fit to be shown. */
  readonly reason: string;
}

/** What the service publishes now, beside what a lock holds. The three groups make up the lock. */
export interface UpdateLook {
  readonly current: readonly LockRow[];
  /** Reports whose published bytes are others than those of their row; read just now. */
  readonly changed: readonly { readonly row: LockRow; readonly report: Report }[];
  readonly notServed: readonly NotServed[];
}

const readsAtOnce = 8;

/** Problems that every further reading would share. */
const endsLook = new Set(['unauthorized', 'network']);

/**
 * Reads the report of each row once; no link is asked for. A report without a published hash counts as current: nothing
 * tells that it changed.
 * @throws the signal's reason when aborted, and an error of the service that all readings would share
 */
export async function lookForUpdates(
  rows: readonly LockRow[],
  source: LinkSource,
  { onProgress, signal, priority }: LookOptions = {},
): Promise<UpdateLook> {
  const ended = new AbortController();
  const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const slots = new Slots(readsAtOnce);
  const found: Found[] = [];
  const look = async (row: LockRow) => {
    try {
      found.push(compared(row, await source.report(row.report_id, { signal: both, priority })));
    } catch (error) {
      both.throwIfAborted();
      if (endsLook.has(problemOf(error)?.kind ?? '')) ended.abort(error);
      both.throwIfAborted();
      found.push({ row, ...refused(error) });
    }
    onProgress?.(found.length);
  };
  await Promise.all(rows.map((row) => slots.run(() => look(row), true, both)));
  found.sort((a, b) => a.row.report_id - b.row.report_id);
  return {
    current: found.flatMap((one) => ('reason' in one || 'report' in one ? [] : one.row)),
    changed: found.flatMap((one) => ('report' in one ? one : [])),
    notServed: found.flatMap((one) => ('reason' in one ? one : [])),
  };
}

type Found = { readonly row: LockRow } | { readonly row: LockRow; readonly report: Report } | NotServed;

function compared(row: LockRow, report: Report): Found {
  const hash = publishedHash(report);
  if (report.has_file === false) return { row, status: 'no-file', cause: 'no-file', reason: l10n.word(noFileReason) };
  if (hash !== null && (hash !== row.sha256 || row.verified === false)) return { row, report };
  return { row };
}

function refused(error: unknown): Omit<NotServed, 'row'> {
  if (problemOf(error)?.kind !== 'not-found') return refusalOf(error);
  return { status: 'failed', cause: 'withdrawn', reason: l10n.word(withdrawnReason) };
}
