import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { l10n } from '../base/l10n.ts';
import { systemCode } from './diskProblem.ts';
import { type FolderAt, inFolder } from './lockFile.ts';
import type { LockRow } from './manifest.ts';
import { type ContentStore, type LinkSource, problemOf } from './ports.ts';
import type { BatchOptions, QueueJob } from './queue.ts';
import { refusalOf } from './refusal.ts';
import { changedReason, type DownloadResult, type KnownReport, publishedHash, withdrawnReason } from './result.ts';
import { Slots } from './slots.ts';

/** What restoring a lock comes to: files still to be brought back, and reports whose ending is known already. */
export interface Restoring {
  readonly jobs: readonly QueueJob[];
  readonly settled: readonly DownloadResult[];
}

const readsAtOnce = 8;

/**
 * Looks for every row of a lock: a file that is there, or whose bytes this machine has, needs no request; for the others
 * the report is read once, and only one that does not publish other bytes is worth a link.
 */
export async function restoreJobs(
  at: FolderAt,
  rows: readonly LockRow[],
  source: LinkSource,
  stores: readonly ContentStore[],
  { signal, priority }: BatchOptions,
): Promise<Restoring> {
  const jobs: QueueJob[] = [];
  const settled: DownloadResult[] = [];
  const slots = new Slots(readsAtOnce);
  const look = async (row: LockRow) => {
    const target = { ...inFolder(at, row.path), heldSha256: row.sha256, exactly: row.sha256 };
    signal?.throwIfAborted();
    const isAtHand = await isThereOrKept(row, join(target.root, target.path), stores);
    const report = isAtHand ? known(row) : await source.report(row.report_id, { signal, priority });
    const hash = publishedHash(report);
    if (isAtHand || hash === null || hash === row.sha256) jobs.push({ report, target });
    else
      settled.push({
        ...shared(row, report),
        status: 'failed',
        cause: 'changed-upstream',
        reason: l10n.word(changedReason),
      });
  };
  await Promise.all(
    rows.map((row) =>
      slots
        .run(() => look(row), true, signal)
        .catch((error: unknown) => settled.push({ ...shared(row, known(row)), ...refusal(error, signal) })),
    ),
  );
  return { jobs: jobs.sort((a, b) => a.report.report_id - b.report.report_id), settled };
}

function shared(row: LockRow, report: KnownReport) {
  return { report_id: row.report_id, report, links: 0, verified: false };
}

function refusal(error: unknown, signal: AbortSignal | undefined): Pick<DownloadResult, 'status' | 'cause' | 'reason'> {
  if (signal?.aborted) return { status: 'cancelled', cause: 'cancelled', reason: l10n.t('Cancelled.') };
  if (problemOf(error)?.kind !== 'not-found') return refusalOf(error);
  return { status: 'failed', cause: 'withdrawn', reason: l10n.word(withdrawnReason) };
}

/** A file that lies there settles it either way: the right bytes stay, others are not overwritten. */
async function isThereOrKept(row: LockRow, path: string, stores: readonly ContentStore[]): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  for (const store of stores) if ((await store.find(row.sha256)) !== undefined) return true;
  return false;
}

/** As much of a report as its row knows: enough to put bytes at hand in their place. */
function known({ report_id, report_key, company_key, sha256, verified }: LockRow): KnownReport {
  const content_sha256 = verified === false ? null : sha256;
  return { report_id, report_key, company_key, has_file: true, content_sha256 };
}
