import { callProblemOf } from '../api/schemas/problemDetails.ts';
import { maxWait } from '../base/clock.ts';
import type { DownloadResult } from '../downloads/ports.ts';

/** How a command ended; the same for all commands. */
export const exit = { same: 0, differs: 1, usage: 2, service: 3, license: 4, interrupted: 130 } as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/** The request can't be used as it is: an option, a setting, a lock. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** No key, or one that may not be used. Its message holds nothing of it. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
}

/** What went wrong, and what to do here: no command signs in. */
export function problemMessage(error: unknown): string {
  const problem = callProblemOf(error);
  if (problem?.kind === 'unauthorized') return `${problem.cause} Check the API key.`;
  if ((problem?.retryAfter ?? 0) > maxWait)
    return `${problem?.cause} Wait until then. If that looks like a mistake, run it again with --ignore-pause.`;
  return error instanceof Error ? error.message : 'Something went wrong.';
}

const keyKinds: ReadonlySet<string> = new Set(['unauthorized', 'forbidden']);

/** The exit code for an error that ended a command. */
export function exitOf(error: unknown): ExitCode {
  if (error instanceof KeyProblem) return exit.license;
  const kind = callProblemOf(error)?.kind;
  if (kind !== undefined) {
    if (keyKinds.has(kind)) return exit.license;
    if (kind === 'invalid') return exit.usage;
    return kind === 'not-found' ? exit.differs : exit.service;
  }
  const isUsage = error instanceof UsageProblem || (error instanceof Error && error.name === 'LockProblem');
  return isUsage ? exit.usage : exit.differs;
}

/**
 * The exit code of downloads: license before service, service before what differs.
 * @param noFile the code for a report without a PDF
 */
export function exitOfResults(
  results: readonly Pick<DownloadResult, 'status' | 'cause'>[],
  noFile: ExitCode = exit.same,
): ExitCode {
  const codes = results.map(({ status, cause }): ExitCode => {
    if (status === 'cancelled') return exit.interrupted;
    if (cause === 'unauthorized' || cause === 'forbidden') return exit.license;
    if (status === 'no-file') return noFile;
    if (status !== 'failed' && status !== 'not-entitled') return exit.same;
    return cause === 'service' ? exit.service : exit.differs;
  });
  return Math.max(exit.same, ...codes) as ExitCode;
}
