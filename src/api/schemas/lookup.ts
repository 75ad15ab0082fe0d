import { isObject } from '../../base/json.ts';
import { countIn, entriesIn, findFacts } from './open.ts';
import type { Reading } from './record.ts';

/** The result for one report key (LKP-1). */
export interface LookupResult {
  /** The key as requested. */
  readonly report_key: string;
  readonly report_id: number | null;
  /** The report's current key if a rename retired the requested one, else null. */
  readonly canonical_report_key: string | null;
}

/** Where an answer holds its list. Elsewhere a number may be a year, a page or a count. */
const listNames = ['results', 'data', 'items', 'reports'];
/** Where an entry repeats the requested key; a Report object does so as `requested_legacy_report_key` (RID-2). */
const requestedNames = ['requested_legacy_report_key', 'requested_report_key', 'query', 'report_key'];
const entryNames = { id: ['report_id'], present: ['canonical_report_key', 'report_key'] };

/** Reads the answer to a lookup (LKP-1). An entry answers the key it repeats; other keys resolve to nothing. */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  const requested = new Set<unknown>(reportKeys);
  const entries = entriesIn(raw, listNames);
  const isMap = entries.some(([name]) => name !== null);
  if (typeof raw !== 'object' || raw === null || (isMap && !entries.some(([name]) => requested.has(name))))
    return { ok: false, reason: 'The response contains no list of reports.' };
  const byKey = new Map<unknown, LookupResult>();
  for (const [name, value] of entries) {
    const repeated =
      name === null ? requestedNames.map((each) => findFacts(value, { each: [each] }, ['report']).each) : [name];
    for (const key of repeated)
      if (requested.has(key) && !byKey.get(key)?.report_id) byKey.set(key, readResult(key as string, value));
  }
  return { ok: true, value: reportKeys.map((key) => byKey.get(key) ?? readResult(key, null)) };
}

function readResult(report_key: string, entry: unknown): LookupResult {
  const { id, present } = isObject(entry) ? findFacts(entry, entryNames, ['report']) : { id: entry, present: null };
  // No report has the id 0.
  const report_id = countIn(id) || null;
  const isRenamed = report_id !== null && typeof present === 'string' && present !== report_key;
  return { report_key, report_id, canonical_report_key: isRenamed ? present : null };
}
