import { join } from 'node:path';
import { isAbortError } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { copyFrom } from './copy.ts';
import { fetchInto } from './fetch.ts';
import type { DownloadOptions, DownloadPorts, DownloadTarget, Ending, Job } from './job.ts';
import { type FileThere, fileThere } from './place.ts';
import { refusalOf } from './refusal.ts';
import { type DownloadResult, type KnownReport, noFileReason, publishedHash, unverifiedReason } from './result.ts';

/**
 * Puts one report's PDF in its place. Asks for no link when the report has no file, when the right bytes lie there
 * already, or when a store has them. Bytes get the name only after their hash agreed with the published one (DL-4);
 * without a published hash they are kept and never called verified. Never rejects: every ending is a result.
 */
export async function downloadReport(
  report: KnownReport,
  target: DownloadTarget,
  ports: DownloadPorts,
  options: DownloadOptions = {},
): Promise<DownloadResult> {
  const { exactly } = target;
  const job: Job = { report, wanted: exactly ?? publishedHash(report), exactly, links: 0 };
  const common = () => ({ report_id: report.report_id, links: job.links, report: job.report });
  try {
    options.signal?.throwIfAborted();
    const ending = await run(job, target, ports, options);
    return { ...common(), ...ending };
  } catch (error) {
    if (options.signal?.aborted || isAbortError(error)) {
      return { ...common(), status: 'cancelled', verified: false, cause: 'cancelled', reason: l10n.t('Cancelled.') };
    }
    const refusal = refusalOf(error);
    if (refusal.cause === 'service')
      ports.logger.warn(`Download of report ${report.report_id} failed: ${refusal.reason}`);
    return { ...common(), ...refusal, verified: false };
  }
}

async function run(job: Job, target: DownloadTarget, ports: DownloadPorts, options: DownloadOptions): Promise<Ending> {
  if (job.report.has_file === false)
    return { status: 'no-file', verified: false, cause: 'no-file', reason: l10n.word(noFileReason) };
  const there = await fileThere(target, options.signal);
  if (there) {
    const settled = settledBy(there, job, target);
    if (settled) return settled;
  }
  const mayReplace = target.heldSha256 === null ? [] : [target.heldSha256];
  const isPublished = () => job.wanted !== null && publishedHash(job.report) === job.wanted;
  const done = { status: 'downloaded', path: target.path, ...(there && { replaced: there.sha256 }) } as const;
  const copied = job.wanted && (await copyFrom(job.wanted, target, mayReplace, ports, options.signal));
  if (copied) return { ...done, ...copied, ...confidence(isPublished()) };
  const fetched = await fetchInto(job, target, mayReplace, ports, options);
  if ('status' in fetched) return fetched;
  const { sha256, bytes, looksLikePdf } = fetched;
  if (isPublished()) await offer(sha256, target, ports);
  return { ...done, sha256, bytes, ...confidence(isPublished(), looksLikePdf) };
}

function confidence(verified: boolean, looksLikePdf = true): Pick<DownloadResult, 'verified' | 'reason'> {
  if (verified) return { verified };
  return {
    verified,
    reason: looksLikePdf
      ? l10n.word(unverifiedReason)
      : `${l10n.word(unverifiedReason)} ${l10n.t('It does not begin like a PDF.')}`,
  };
}

/** The ending that a file already in its place brings; undefined when it is ours and out of date. */
function settledBy(there: FileThere, job: Job, target: DownloadTarget): Ending | undefined {
  const isHeld = there.sha256 === target.heldSha256;
  if (there.sha256 === job.wanted || (job.wanted === null && isHeld)) {
    const verified = there.sha256 === publishedHash(job.report);
    return { status: 'unchanged', path: target.path, ...there, ...confidence(verified) };
  }
  if (isHeld) return undefined;
  const failed = { status: 'failed', verified: false } as const;
  return target.heldSha256 === null
    ? {
        ...failed,
        cause: 'foreign',
        reason: l10n.t(
          '{0} is a file that was not downloaded here; it stays. Move or rename it, then download again.',
          target.path,
        ),
      }
    : {
        ...failed,
        cause: 'edited',
        reason: l10n.t(
          '{0} was edited since it was downloaded; it stays. Move or rename it, then download again.',
          target.path,
        ),
      };
}

/** Lets the stores keep the verified bytes. A store that can't is no reason to fail. */
async function offer(sha256: string, target: DownloadTarget, { stores = [], logger }: DownloadPorts): Promise<void> {
  for (const store of stores) {
    try {
      await store.add?.(sha256, join(target.root, target.path));
    } catch (error) {
      logger.warn(`A copy could not be kept for later: ${error instanceof Error ? error.message : 'unknown error'}`);
    }
  }
}
