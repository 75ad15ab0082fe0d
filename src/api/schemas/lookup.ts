import { isObject, own } from '../../base/json.ts';
import { findFacts, openEntries } from './open.ts';
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
const listNames = ['results', 'data', 'reports'];
/** Where an entry repeats the key that was asked for, best first. */
const echoNames = ['query', 'requested_report_key', 'requested_legacy_report_key', 'key', 'report_key'];

/**
 * Reads the answer to one lookup call, whose shape is open (LKP-1): entries in an array, or in a map by key, each an
 * object, or in a map an id. An entry answers the key that it repeats. Keys without an entry resolve to nothing.
 */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  const wanted = new Set<unknown>(reportKeys);
  const entries = openEntries(raw, listNames);
  const isMap = entries.some(({ name }) => name !== null);
  if (typeof raw !== 'object' || raw === null || (isMap && !entries.some(({ name }) => wanted.has(name))))
    return { ok: false, reason: 'The response contains no list of reports.' };
  const results = new Map<unknown, LookupResult>();
  for (const { name, value } of entries) {
    const object = isObject(value) ? value : {};
    const key = name ?? echoNames.map((echo) => own(object, echo)).find((text) => wanted.has(text));
    if (typeof key === 'string' && !results.get(key)?.report_id) results.set(key, readResult(key, value));
  }
  return { ok: true, value: reportKeys.map((key) => results.get(key) ?? readResult(key, null)) };
}

function readResult(report_key: string, entry: unknown): LookupResult {
  const names = { id: ['report_id'], canonical: ['canonical_report_key'], present: ['report_key'] };
  const { id, canonical, present } = findFacts(isObject(entry) ? entry : { report_id: entry }, names, ['report']);
  if (!Number.isSafeInteger(id) || Number(id) <= 0) return { report_key, report_id: null, canonical_report_key: null };
  const renamed = [canonical, present].find((text) => typeof text === 'string' && text !== '' && text !== report_key);
  return { report_key, report_id: Number(id), canonical_report_key: (renamed as string | undefined) ?? null };
}
