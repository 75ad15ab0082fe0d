import { isObject, own } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { openEntries, type Reading } from './record.ts';

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

const wrappers = ['results', 'reports', 'data', 'items', 'lookup', 'matches', 'found'];
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
const idNames = ['report_id', 'canonical_report_id', 'id'];
const canonicalNames = ['canonical_report_key', 'current_report_key', 'current_key', 'report_key'];

/** The body of `POST /reports/lookup` for one call (LKP-1). */
export function lookupRequest(field: LookupField, reportKeys: readonly string[]): Record<string, readonly string[]> {
  return { [field]: reportKeys };
}

/**
 * Reads the answer to one lookup call, whose shape is open (LKP-1): entries in an array, or in a map by key to an id,
 * an object or null; entries may hold the report. Keys without an entry resolve to nothing.
 */
export function readLookupResults(raw: unknown, reportKeys: readonly string[]): Reading<LookupResult[]> {
  if (typeof raw !== 'object' || raw === null)
    return { ok: false, reason: l10n.later('The response contains no list of reports.') };
  const entries = openEntries(raw, wrappers).map(({ name, value }) => ({
    value,
    listed: name === null,
    keys: name === null ? echoes(value) : [name],
  }));
  const byKey = new Map<string, unknown>();
  for (const { keys, value } of entries) for (const key of keys) if (!byKey.has(key)) byKey.set(key, value);
  const wanted = new Set(reportKeys);
  const inOrder =
    entries.length === reportKeys.length &&
    entries.every(({ listed, keys }, index) => {
      const answered = keys.filter((key) => wanted.has(key));
      return listed && (answered.length === 0 || answered.includes(reportKeys[index] as string));
    });
  return {
    ok: true,
    value: reportKeys.map((key, index) => {
      // Without an echo a renamed key is known by its place alone, where the places of the others agree.
      const value = byKey.has(key) ? byKey.get(key) : inOrder ? entries[index]?.value : undefined;
      return readResult(key, value ?? null);
    }),
  };
}

function echoes(value: unknown): string[] {
  if (!isObject(value)) return [];
  const inner = own(value, 'report');
  const keys: string[] = [];
  for (const name of echoNames) {
    const key = own(value, name) ?? (isObject(inner) ? own(inner, name) : undefined);
    if (isFilledText(key)) keys.push(key);
  }
  return keys;
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readResult(key: string, raw: unknown): LookupResult {
  const entry = isObject(raw) ? raw : {};
  const inner = own(entry, 'report');
  const places = isObject(inner) ? [inner, entry] : [entry];
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
