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

/** One field that the service refused (422). */
export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/** What an {@link ApiError} is made from. */
export interface Problem {
  readonly kind: ProblemKind;
  /** What happened, in one sentence for a person; no markup, no key, no link. */
  readonly cause: string;
  /** What to do about it, in one sentence. */
  readonly nextStep: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly fields?: readonly InvalidField[] | undefined;
  /** When the service said to come back, in ms from the answer. */
  readonly retryAfter?: number | undefined;
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
