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

const fieldNames = ['field', 'loc', 'path', 'pointer', 'name', 'param', 'parameter', 'source'];
const messageNames = ['message', 'msg', 'detail', 'error', 'reason', 'title', 'code'];
const maxFields = 100;

/** Reads a problem body. Whatever is not there or has another type is null. */
export function readProblemDetails(raw: unknown): ProblemDetails {
  if (!isObject(raw)) return { title: null, detail: null, fields: [] };
  // Some frameworks put the sentence into an object, or the list of fields where the sentence belongs.
  const { title, detail } = findFacts(raw, { title: ['title', 'error'], detail: ['detail', 'message'] }, ['error']);
  return {
    title: firstText({ title }, ['title']),
    detail: firstText({ detail }, ['detail']),
    fields: readFields(own(raw, 'errors') ?? own(raw, 'detail')).slice(0, maxFields),
  };
}

/** The `errors` member, whose shape is open: a list of objects or of sentences, or a map from field to either. */
function readFields(raw: unknown): RefusedField[] {
  if (typeof raw !== 'object' || raw === null) return [];
  return openEntries(raw, [])
    .slice(0, maxFields)
    .flatMap(({ name, value }) => {
      const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, maxFields) : [value];
      return items.flatMap((item) => readEntry(name ?? '', item));
    });
}

function readEntry(name: string, item: unknown): readonly RefusedField[] {
  if (typeof item === 'string') return [{ field: name, message: item }];
  if (!isObject(item)) return [];
  const field = fieldNames.map((candidate) => fieldOf(own(item, candidate))).find((text) => text !== '');
  const message = firstText(item, messageNames);
  return message === null && field === undefined ? [] : [{ field: field ?? name, message: message ?? 'is not valid' }];
}

/** The refused field, from `"limit"`, `"#/limit"`, `["query", "limit"]` or `{"pointer": "/limit"}`. */
function fieldOf(value: unknown): string {
  if (typeof value === 'string') {
    // An address stays one: with dots for its slashes, the redaction would miss a password in it.
    const isPointer = /^#?\//.test(value) && !value.includes('//');
    return isPointer ? value.replace(/^#?\//, '').replaceAll('/', '.') : value;
  }
  if (Array.isArray(value)) {
    const parts = value.filter((part) => ['string', 'number'].includes(typeof part));
    // Which part of the request it was says nothing that the field does not.
    return (parts.length > 1 && ['query', 'body', 'path'].includes(String(parts[0])) ? parts.slice(1) : parts).join(
      '.',
    );
  }
  const inner = firstText(value, ['pointer', 'parameter', 'name']);
  return inner === null ? '' : fieldOf(inner);
}
