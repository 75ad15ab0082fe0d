import { isObject, own } from '../../base/json.ts';
import { findFacts, type OpenEntry, objectsIn, openEntries } from './open.ts';
import type { Reading } from './record.ts';

/** What became of one report key (LKP-1). */
export interface LookupResult {
  /** The key as asked for. */
  readonly report_key: string;
  readonly report_id: number | null;
  /** The report's present key when the one asked for was retired by a rename, else null. */
  readonly canonical_report_key: string | null;
}

/** What the request may call its list, best first; the interface leaves it open. */
export const lookupFields = ['report_keys', 'keys'] as const;
export type LookupField = (typeof lookupFields)[number];

/** The names under which an answer holds its list. Elsewhere a number may be anything: a year, a page, a count. */
const listNames = ['results', 'data', 'items', 'reports', 'matches', 'lookups', 'mappings', 'resolved', 'found'];
/** The names under which an entry holds the report. */
const reportNames = ['report', 'match', 'result', 'data'];
/** Where an entry repeats the key that was asked for, best first. */
const echoNames = ['query', 'requested_report_key', 'requested_legacy_report_key', 'requested_key', 'input', 'key'];
const idNames = ['report_id', 'canonical_report_id'];
const canonicalNames = ['canonical_report_key', 'current_report_key', 'current_key', 'new_key', 'report_key', 'key'];

/**
 * Reads the answer to one lookup call, whose shape is open (LKP-1): entries in an array, or in a map by key, each an
 * id, an object or null. An entry answers the key that it repeats. Keys without an entry resolve to nothing.
 */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  const wanted = new Set(reportKeys);
  const entries = openEntries(raw, listNames);
  const isMap = entries.some(({ name }) => name !== null);
  if (typeof raw !== 'object' || raw === null || (isMap && !entries.some(({ name }) => wanted.has(name ?? ''))))
    return { ok: false, reason: 'The response contains no list of reports.' };
  const answers = entries.map((entry) => ({ keys: answeredKeys(entry, wanted), value: entry.value }));
  const byKey = new Map<string, unknown>();
  for (const { keys, value } of answers)
    for (const key of keys) if (reportIdOf(byKey.get(key)) === null) byKey.set(key, value);
  // An entry may not repeat a renamed key. Its position shows which it is, if the other positions agree.
  const isInOrder =
    answers.length === reportKeys.length &&
    answers.every(({ keys, value }, index) =>
      keys.length > 0 ? keys.includes(reportKeys[index] as string) : isObject(value) || reportIdOf(value) !== null,
    );
  return {
    ok: true,
    value: reportKeys.map((key, index) =>
      readResult(key, byKey.get(key) ?? (isInOrder && !isMap ? answers[index]?.value : null)),
    ),
  };
}

/** The asked keys that an entry answers: under the usual names, else under any. */
function answeredKeys({ name, value }: OpenEntry, wanted: ReadonlySet<string>): readonly string[] {
  if (name !== null) return wanted.has(name) ? [name] : [];
  const objects = objectsIn(value, reportNames);
  const asked = (texts: readonly unknown[]) => texts.filter((text) => typeof text === 'string' && wanted.has(text));
  const named = asked([...echoNames, 'report_key'].flatMap((echo) => objects.map((object) => own(object, echo))));
  return (named.length > 0 ? named : asked(objects.flatMap((object) => Object.values(object)))) as string[];
}

function readResult(key: string, raw: unknown): LookupResult {
  const id = reportIdOf(raw);
  const objects = objectsIn(raw, reportNames);
  const present = canonicalNames
    .flatMap((name) => objects.map((object) => own(object, name)))
    .find((text) => typeof text === 'string' && text !== '' && text !== key);
  return {
    report_key: key,
    report_id: id,
    canonical_report_key: id === null ? null : ((present as string) ?? null),
  };
}

/** The report id of an entry, as a number or written as text; `id` may be another's where the entry names none. */
function reportIdOf(entry: unknown): number | null {
  const names = isObject(entry) && entry.report_id === null ? idNames : [...idNames, 'id'];
  const found = isObject(entry) ? findFacts(entry, { id: names }, reportNames).id : entry;
  const id = typeof found === 'string' && /^\d{1,16}$/.test(found) ? Number(found) : found;
  return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : null;
}
