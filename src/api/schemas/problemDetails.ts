import { firstText, isObject, own } from '../../base/json.ts';
import { findFacts, openEntries } from './open.ts';

/** A field that the service refused, as it names it. */
export interface RefusedField {
  readonly field: string;
  readonly message: string;
}

/** What the error of a failed call says; the client's own errors say more. */
export interface CallProblem {
  /** `forbidden`, `not-found`, `unauthorized`, `network`, … */
  readonly kind: string;
  /** What happened, in one sentence for a person; no markup, no key, no link. */
  readonly cause: string;
  /** What to do about it, in one sentence. */
  readonly nextStep: string;
  readonly status?: number | undefined;
  /** When the service said to come back, in ms from the answer. */
  readonly retryAfter?: number | undefined;
}

/** The problem that a call's error carries, if it is one of the client's. */
export function callProblemOf(error: unknown): CallProblem | undefined {
  if (!(error instanceof Error && 'problem' in error && isObject(error.problem))) return undefined;
  const { problem } = error;
  return typeof problem.kind === 'string' && 'cause' in problem ? (problem as unknown as CallProblem) : undefined;
}

/** What an RFC 9457 body says (ERR-1). Texts are the service's own, not yet fit to be shown. */
export interface ProblemDetails {
  readonly title: string | null;
  readonly detail: string | null;
  readonly fields: readonly RefusedField[];
}

const messageNames = ['message', 'msg', 'detail', 'reason', 'title'];
const maxFields = 100;

/** Reads a problem body. Whatever is not there or has another type is null. */
export function readProblemDetails(raw: unknown): ProblemDetails {
  return {
    title: firstText(raw, ['title', 'error']),
    detail: firstText(raw, ['detail', 'message']),
    fields: isObject(raw) ? readFields(own(raw, 'errors')) : [],
  };
}

/** The `errors` member, whose shape is open: a list of objects or of sentences, or a map from field to either. */
function readFields(raw: unknown): RefusedField[] {
  const entries = openEntries(raw, []).slice(0, maxFields);
  const items = entries.flatMap(({ name, value }) =>
    (Array.isArray(value) ? value : [value]).slice(0, maxFields).map((item: unknown) => ({ name: name ?? '', item })),
  );
  return items.slice(0, maxFields).flatMap(({ name, item }) => {
    if (typeof item === 'string') return [{ field: name, message: item }];
    const field = fieldOf(item) ?? name;
    const message = firstText(item, messageNames);
    return message === null && field === '' ? [] : [{ field, message: message ?? 'is not valid' }];
  });
}

/** The refused field by its name, as a JSON pointer, or as a list of steps. */
function fieldOf(item: unknown): string | null {
  const { path } = findFacts(item, { path: ['field', 'loc', 'path', 'pointer', 'parameter'] }, ['source']);
  return firstText({ path: Array.isArray(path) ? path.join('.') : path }, ['path']);
}
