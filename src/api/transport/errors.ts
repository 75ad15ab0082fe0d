import { l10n } from '../../base/l10n.ts';
import { duration } from '../../base/words.ts';
import type { CallProblem, RefusedField } from '../schemas/problemDetails.ts';

/** What can go wrong with a call, told apart as far as a person can act on it (ERR-1 to ERR-3, AUTH-3). */
export type ProblemKind =
  | 'network'
  | 'edge-page'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'invalid'
  | 'rate-limited'
  | 'temporary'
  | 'unexpected-shape';

export interface Problem extends CallProblem {
  readonly kind: ProblemKind;
  readonly requestId?: string | undefined;
  readonly fields?: readonly RefusedField[] | undefined;
  /** True when a network problem will not go away by trying again. */
  readonly permanent?: boolean | undefined;
}

/** Thrown by every call of the client. Its message is the cause and the next step, fit to be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.cause} ${problem.nextStep}`);
    this.problem = problem;
  }
}

/** True when the service refused what it was sent, a cursor for one: asking the same again is of no use. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.problem.kind === 'invalid' || error.problem.kind === 'not-found');
}

/** The answer is not what the interface describes. `reason` is for support: English, and never text of the service. */
export function unexpectedShape(reason: string, requestId?: string): ApiError {
  return new ApiError({
    kind: 'unexpected-shape',
    cause: l10n.t('The service answered in a form that Report Library does not understand. {0}', reason),
    nextStep: l10n.t('Check the base URL, and update the extension.'),
    requestId,
  });
}

/** What was asked for can't be asked: found out before any request. */
export function badRequest(cause: string, nextStep: string, fields?: readonly RefusedField[]): ApiError {
  return new ApiError({ kind: 'invalid', cause, nextStep, fields });
}

/** Nothing came back, or not all of it. `permanent` when another try can't help. */
export function networkProblem(cause: string, nextStep: string, permanent = false): ApiError {
  return new ApiError({ kind: 'network', cause, nextStep, permanent });
}

/** A web page came instead of data (ERR-2). */
export function edgePage(status: number, requestId: string | undefined): ApiError {
  const blocked = status === 403;
  return new ApiError({
    kind: 'edge-page',
    cause: blocked
      ? l10n.t(
          "Something between this computer and the service blocked the request (403). This doesn't mean that your license excludes it.",
        )
      : l10n.t("This address responded, but not with the service's data ({0}).", status),
    nextStep: blocked
      ? l10n.t('Wait a few minutes. If it continues, ask your network administrator or the operator of the service.')
      : l10n.t('Check the base URL and the proxy settings; on a guest network, sign in to the network first.'),
    status,
    requestId,
  });
}

/** When to come back, as the last sentence of a message; "at once" is no help to a person. */
export function comeBack(retryAfter: number | undefined): string {
  return !retryAfter ? l10n.t('Try again later.') : l10n.t('Try again in {0}.', duration(retryAfter));
}

/** The server asked for a wait that is never waited out: above 24 hours, or longer than a file's link lasts. */
export function waitTooLong(pause: { readonly until: number; readonly reason: string }, now: number, isFile: boolean) {
  const retryAfter = pause.until - now;
  const ended = l10n.t('The server asked not to be contacted before {0}.', new Date(pause.until).toLocaleString());
  return new ApiError({
    kind: 'rate-limited',
    cause: isFile ? pause.reason : ended,
    nextStep: isFile
      ? comeBack(retryAfter)
      : l10n.t('Wait until then. If that looks like a mistake, choose Try Again.'),
    retryAfter,
  });
}
