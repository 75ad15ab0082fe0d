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
const reportIdNames = ['report_id', 'canonical_report_id', 'current_report_id'];
/** The names under which an entry holds the report, not something else with an id, such as its company. */
const reportNames = [
  ...['report', 'current_report', 'canonical_report', 'matched_report', 'resolved_report', 'new_report'],
  ...['match', 'result', 'resolved', 'current', 'canonical', 'target', 'record', 'item', 'data', 'value'],
];
/** The names under which an answer holds its list. Elsewhere a number may be anything: a year, a page, a count. */
const listNames = [
  ...['results', 'result', 'data', 'reports', 'report_ids', 'ids', 'report_keys', 'keys', 'mappings', 'mapping', 'map'],
  ...['lookups', 'lookup', 'resolved', 'matches', 'matched', 'found', 'items', 'entries', 'records', 'list'],
  ...['answers', 'answer', 'response', 'body', 'payload', 'output'],
];
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
 * whatever name. Keys without an entry resolve to nothing, as do entries whose id can't be told from other numbers.
 */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  const wanted = new Set(reportKeys);
  const lists = listsIn(raw, wanted, true, deepest);
  if (lists.length === 0) return { ok: false, reason: l10n.later('The response contains no list of reports.') };
  const byKey = answersByKey(lists);
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
  /** Whether it is where an answer has its list: at the top, or under the usual names. */
  readonly isExpected: boolean;
  readonly entries: readonly ListedAnswer[];
}

interface ListedAnswer {
  /** The asked keys that it answers. */
  readonly keys: readonly string[];
  readonly value: unknown;
}

/** Each key's first answer with an id, else its first one. Lists in an expected place are asked first. */
function answersByKey(lists: readonly AnswerList[]): ReadonlyMap<string, unknown> {
  const byKey = new Map<string, unknown>();
  const ordered = [...lists.filter(({ isExpected }) => isExpected), ...lists.filter(({ isExpected }) => !isExpected)];
  for (const { keys, value } of ordered.flatMap(({ entries }) => entries))
    for (const key of keys)
      if (!byKey.has(key) || (reportIdOf(byKey.get(key)) === null && reportIdOf(value) !== null)) byKey.set(key, value);
  return byKey;
}

/**
 * The lists of an answer: arrays, and objects that have an asked key as a name. In a place that is not expected only
 * those count that speak of an asked key; in one that is, empty ones do, too.
 */
function listsIn(raw: unknown, wanted: ReadonlySet<string>, isExpected: boolean, depth: number): readonly AnswerList[] {
  const listOf = (isMap: boolean, all: readonly ListedAnswer[]): readonly AnswerList[] => {
    const entries = isExpected ? all : all.filter((entry) => isClear(entry, wanted));
    return isExpected || entries.length > 0 ? [{ isMap, isExpected, entries }] : [];
  };
  if (Array.isArray(raw))
    return listOf(
      false,
      raw.map((value) => ({ keys: echoes(value, wanted), value })),
    );
  if (!isObject(raw)) return [];
  const names = Object.keys(raw);
  if (names.length === 0 || names.some((name) => wanted.has(name)))
    return listOf(
      true,
      names.map((name) => ({ keys: wanted.has(name) ? [name] : [], value: raw[name] })),
    );
  if (depth === 0) return [];
  return names.flatMap((name) => listsIn(raw[name], wanted, isExpected && listNames.includes(name), depth - 1));
}

/** Whether the entry speaks of an asked key, and any id in it is surely that of a report, wherever the entry is. */
function isClear({ keys, value }: ListedAnswer, wanted: ReadonlySet<string>): boolean {
  const isAsked = keys.length > 0 || (typeof value === 'string' && wanted.has(value));
  return isAsked && (reportIdOf(value) === null || placesOf(value).some(namesReportId));
}

function isInOrder({ isMap, isExpected, entries }: AnswerList, reportKeys: readonly string[]): boolean {
  if (isMap || !isExpected || entries.length !== reportKeys.length) return false;
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

/**
 * What of an entry may be the report, best first: what is inside under a name for a report knows more than the entry
 * itself. Where neither has an id of a report, other objects inside that have one count.
 */
function placesOf(entry: unknown): readonly JsonObject[] {
  if (!isObject(entry)) return [];
  const named = reportNames.map((name) => own(entry, name)).filter(isObject);
  const places = [...named, entry];
  if (places.some(namesReportId)) return places;
  return [...places, ...Object.values(entry).filter(isObject).filter(namesReportId)];
}

function namesReportId(place: JsonObject): boolean {
  return reportIdNames.some((name) => Object.hasOwn(place, name));
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readResult(key: string, raw: unknown): LookupResult {
  const id = reportIdOf(raw);
  const canonical = canonicalNames
    .flatMap((name) => placesOf(raw).map((place) => own(place, name)))
    .find((value) => isFilledText(value) && value !== key);
  return {
    report_key: key,
    report_id: id,
    canonical_report_key: id !== null && typeof canonical === 'string' ? canonical : null,
    raw,
  };
}

/** The report id that an entry tells, if any. A bare `id` is the report's only where nothing says `report_id`. */
function reportIdOf(entry: unknown): number | null {
  if (!isObject(entry)) return idOf(entry);
  const places = placesOf(entry);
  const names = places.some(namesReportId) ? reportIdNames : ['id'];
  const ids = places.flatMap((place) => names.map((name) => idOf(own(place, name))));
  return ids.find((id) => id !== null) ?? null;
}

/** A report id, as a number or written as text. */
function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
}
