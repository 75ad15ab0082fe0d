import { isObject, type JsonObject, own } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import type { Reading } from './record.ts';

/** What became of one report key (LKP-1). */
export interface LookupResult {
  /** The key as asked for. */
  readonly report_key: string;
  readonly report_id: number | null;
  /** The report's present key when the one asked for was retired by a rename, else null. */
  readonly canonical_report_key: string | null;
  readonly raw: unknown;
}

/** What the request may call its list, best first; the interface leaves it open. */
export const lookupFields = ['report_keys', 'keys'] as const;
export type LookupField = (typeof lookupFields)[number];

/** Where an entry says which key it answers, best first: a renamed key is echoed, if at all, under one of the first. */
const echoNames = [
  'query',
  'requested_report_key',
  'requested_legacy_report_key',
  'requested_key',
  'input',
  'key',
  'report_key',
];
const idNames = ['report_id', 'canonical_report_id', 'current_report_id', 'id'];
const canonicalNames = [
  ...['canonical_report_key', 'current_report_key', 'current_key', 'new_report_key', 'new_key', 'report_key', 'key'],
];
/** How deep in the answer, and in an entry, the list and the report may lie. */
const deepest = 3;

/** The body of `POST /reports/lookup` for one call (LKP-1). */
export function lookupRequest(field: LookupField, reportKeys: readonly string[]): Record<string, readonly string[]> {
  return { [field]: reportKeys };
}

/**
 * Reads the answer to one lookup call, whose shape is open (LKP-1): entries in arrays, or in a map by key to an id, an
 * object or null, wherever in the answer; entries may hold the report. An entry answers the key that it repeats, under
 * whatever name. Keys without an entry resolve to nothing.
 */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  const wanted = new Set(reportKeys);
  const lists = listsIn(raw, wanted, deepest);
  if (lists.length === 0) return { ok: false, reason: l10n.later('The response contains no list of reports.') };
  const byKey = new Map<string, unknown>();
  for (const { entries } of lists)
    for (const { keys, value } of entries) for (const key of keys) if (!byKey.has(key)) byKey.set(key, value);
  const inOrder = lists.find((list) => isInOrder(list, reportKeys));
  return {
    ok: true,
    value: reportKeys.map((key, index) => {
      // Without an echo a renamed key is known by its place alone, where the places of the others agree.
      const value = byKey.has(key) ? byKey.get(key) : inOrder?.entries[index]?.value;
      return readResult(key, value ?? null);
    }),
  };
}

/** An array of answers, or a map of them by key. */
interface AnswerList {
  readonly isMap: boolean;
  readonly entries: readonly { readonly keys: readonly string[]; readonly value: unknown }[];
}

/** The lists of an answer: every array, and every object that has an asked key as a name; an empty object, too. */
function listsIn(raw: unknown, wanted: ReadonlySet<string>, depth: number): readonly AnswerList[] {
  if (Array.isArray(raw))
    return [{ isMap: false, entries: raw.map((value) => ({ keys: echoes(value, wanted), value })) }];
  if (!isObject(raw)) return [];
  const names = Object.keys(raw);
  if (names.length === 0 || names.some((name) => wanted.has(name)))
    return [{ isMap: true, entries: names.map((name) => ({ keys: [name], value: raw[name] })) }];
  return depth === 0 ? [] : names.flatMap((name) => listsIn(raw[name], wanted, depth - 1));
}

function isInOrder({ isMap, entries }: AnswerList, reportKeys: readonly string[]): boolean {
  if (isMap || entries.length !== reportKeys.length) return false;
  return entries.every(({ keys, value }, index) => {
    // A list of sentences, or of keys that were not found, is no list of reports.
    const isReport = typeof value !== 'string' || idOf(value) !== null;
    return isReport && (keys.length === 0 || keys.includes(reportKeys[index] as string));
  });
}

/** The asked keys that an entry repeats: under the usual names, else under any. */
function echoes(value: unknown, wanted: ReadonlySet<string>): string[] {
  const places = placesOf(value);
  const asked = (values: readonly unknown[]) =>
    values.filter((key) => isFilledText(key)).filter((key) => wanted.has(key));
  const named = asked(echoNames.flatMap((name) => places.map((place) => own(place, name))));
  return named.length > 0 ? named : asked(places.flatMap((place) => Object.values(place)));
}

/** An entry, with what is inside and may be the report: it has an id. */
function placesOf(entry: unknown): readonly JsonObject[] {
  if (!isObject(entry)) return [];
  const hasId = (inner: JsonObject) => idNames.some((name) => Object.hasOwn(inner, name));
  return [entry, ...Object.values(entry).filter(isObject).filter(hasId)];
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readResult(key: string, raw: unknown): LookupResult {
  // What is inside an entry is the report itself, and knows best.
  const places = [...placesOf(raw)].reverse();
  const ids = isObject(raw) ? places.flatMap((place) => idNames.map((name) => own(place, name))) : [raw];
  const id = ids.map(idOf).find((value) => value !== null) ?? null;
  const canonical = canonicalNames
    .flatMap((name) => places.map((place) => own(place, name)))
    .find((value) => isFilledText(value) && value !== key);
  return {
    report_key: key,
    report_id: id,
    canonical_report_key: id !== null && typeof canonical === 'string' ? canonical : null,
    raw,
  };
}

/** A report id, as a number or written as text. */
function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
}
