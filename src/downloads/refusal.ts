import { l10n } from '../base/l10n.ts';
import { DiskProblem } from './diskProblem.ts';
import { type CallProblem, problemOf } from './ports.ts';
import type { DownloadCause, DownloadStatus } from './result.ts';
import { StreamProblem } from './stream.ts';

/** How a download ends because of an error: a status, a cause for programs and words for a person. */
export interface Refusal {
  readonly status: DownloadStatus;
  readonly cause: DownloadCause;
  readonly reason: string;
}

/** Thrown instead of work that another ending of the same batch made pointless. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** What an error that ended a download means. Says nothing that could hold a link or a key. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  const problem = problemOf(error);
  if (problem) return refusalOfCall(problem);
  if (error instanceof DiskProblem) {
    const cause = error.code === 'foreign' || error.code === 'no-space' ? error.code : 'disk';
    return { status: 'failed', cause, reason: error.message };
  }
  if (error instanceof StreamProblem)
    return { status: 'failed', cause: 'service', reason: `${error.message} ${l10n.t('Try again later.')}` };
  // Any other error's text may hold the link it was made with, so it is not repeated.
  return {
    status: 'failed',
    cause: 'service',
    reason: l10n.t('The connection broke while the file came. Try again later.'),
  };
}

function refusalOfCall(problem: CallProblem): Refusal {
  const reason = `${problem.cause} ${problem.nextStep}`.trim();
  if (problem.kind === 'forbidden') return { status: 'not-entitled', cause: 'forbidden', reason };
  if (problem.kind === 'unauthorized') return { status: 'failed', cause: 'unauthorized', reason };
  return { status: 'failed', cause: 'service', reason };
}
