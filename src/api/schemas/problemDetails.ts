import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';

/** A field that the service refused, as it names it. */
export interface RefusedField {
  readonly field: string;
  readonly message: string;
}

/** What an error of a failed call tells: the client's own tell more, where they are in reach. */
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

/** What an RFC 9457 body tells (ERR-1). Texts are the service's own, not yet fit to be shown. */
export interface ProblemDetails {
  readonly title: string | null;
  readonly detail: string | null;
  readonly fields: readonly RefusedField[];
}

const fieldNames = ['field', 'loc', 'path', 'pointer', 'name', 'param', 'parameter', 'location', 'source'];
const messageNames = ['message', 'msg', 'detail', 'error', 'reason', 'issue', 'description', 'title'];
/** Where an entry holds several sentences. */
const listNames = ['messages', 'errors', 'issues', 'reasons'];
/** What is told where there is no sentence. */
const codeNames = ['code', 'type'];
const maxFields = 100;

/** Reads a problem body. Whatever is not there or has another type is null. */
export function readProblemDetails(raw: unknown): ProblemDetails {
  if (!isObject(raw)) return { title: null, detail: null, fields: [] };
  const detail = own(raw, 'detail');
  // Some frameworks put the list of fields where the sentence belongs.
  const fields = [own(raw, 'errors'), typeof detail === 'object' ? detail : undefined].find(
    (part) => part !== undefined,
  );
  // Others put the sentence into an object.
  const inner = own(raw, 'error');
  return {
    title: firstText(raw, ['title', 'error']) ?? firstText(inner, ['title', 'code']),
    detail: firstText(raw, ['detail', 'message']) ?? firstText(inner, ['detail', 'message']),
    fields: readFields(fields).slice(0, maxFields),
  };
}

/** The `errors` member, whose shape is open: a list of objects or of sentences, or a map from field to either. */
function readFields(raw: unknown): RefusedField[] {
  if (typeof raw === 'string') return [{ field: '', message: raw }];
  if (Array.isArray(raw)) return raw.slice(0, maxFields).flatMap((item) => readEntry('', item));
  if (!isObject(raw)) return [];
  return Object.entries(raw).flatMap(([field, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.slice(0, maxFields).flatMap((item) => readEntry(field, item));
  });
}

function readEntry(name: string, item: unknown): RefusedField[] {
  if (typeof item === 'string') return [{ field: name, message: item }];
  if (!isObject(item)) return [];
  const field = fieldNames.map((candidate) => placeOf(own(item, candidate))).find((place) => place !== '');
  const message = firstText(item, messageNames) ?? sentences(item) ?? firstText(item, codeNames);
  return message === null && field === undefined ? [] : [{ field: field ?? name, message: message ?? 'is not valid' }];
}

function sentences(item: JsonObject): string | null {
  const list = listNames.map((name) => own(item, name)).find(Array.isArray);
  const said = list?.filter((text) => typeof text === 'string').slice(0, maxFields) ?? [];
  return said.length === 0 ? null : said.join(' ');
}

/** `"limit"`, `"#/limit"`, `["query", "limit"]`, `{"pointer": "/limit"}`: where a refused value stands. */
function placeOf(value: unknown): string {
  if (typeof value === 'string') {
    // An address stays one: with dots for its slashes nobody would see the password in it, and hide it.
    const isPointer = /^#?\//.test(value) && !value.includes('//');
    return isPointer ? value.replace(/^#?\//, '').replaceAll('/', '.') : value;
  }
  if (Array.isArray(value)) {
    const parts = value.filter((part) => ['string', 'number'].includes(typeof part));
    // Which part of the request it was says nothing that the field does not.
    return (parts.length > 1 && /^(query|body|path)$/.test(String(parts[0])) ? parts.slice(1) : parts).join('.');
  }
  const inner = firstText(value, ['pointer', 'parameter', 'name']);
  return inner === null ? '' : placeOf(inner);
}
