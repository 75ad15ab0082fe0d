import { firstText, isObject, own } from '../../base/json.ts';
import { entriesIn, findFacts } from './open.ts';

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

const fieldNames = ['field', 'loc', 'path', 'pointer', 'name'];
const messageNames = ['message', 'msg', 'detail', 'title'];
const maxFields = 100;

/** Reads a problem body. Whatever is missing or has another type is null. */
export function readProblemDetails(raw: unknown): ProblemDetails {
  const text = (name: string) => firstText({ name: isObject(raw) ? own(raw, name) : null }, ['name']);
  const errors = isObject(raw) ? entriesIn(own(raw, 'errors'), []).slice(0, maxFields) : [];
  return { title: text('title'), detail: text('detail'), fields: errors.flatMap(readErrors).slice(0, maxFields) };
}

/** Entries of the `errors` member, whose shape is open: objects or sentences, in a list or in a map by field. */
function readErrors([name, value]: readonly [name: string | null, value: unknown]): RefusedField[] {
  return (Array.isArray(value) ? value.slice(0, maxFields) : [value]).flatMap((error) => {
    if (typeof error === 'string') return { field: name ?? '', message: error };
    const message = firstText(error, messageNames);
    const field = fieldOf(findFacts(error, { field: fieldNames }).field) || (name ?? '');
    return message === null && field === '' ? [] : { field, message: message ?? 'is not valid' };
  });
}

/** The refused field, from `"limit"`, `"#/limit"` or `["query", "limit"]`. */
function fieldOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((part) => ['string', 'number'].includes(typeof part)).join('.');
  return typeof value === 'string' ? value.replace(/^#?\//, '') : '';
}
