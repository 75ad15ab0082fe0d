import * as z from 'zod/mini';
import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';
import { findFacts, type OpenEntry, openEntries } from './open.ts';
import { flag, integer, type Reading, type RecordOf, recordReader, text } from './record.ts';

/** What the service says of its state (END-1). */
export interface Health {
  readonly ok: boolean;
  readonly status: string | null;
}

const badStates = ['down', 'error', 'fail', 'failed', 'unhealthy', 'unavailable'];

/** Reads the body of `GET /health`, whose shape is open: any successful answer is ok unless it says otherwise. */
export function readHealth(raw: unknown): Health {
  const { state, isWell } = findFacts(raw, { state: ['status', 'state', 'health'], isWell: ['ok', 'healthy'] }, [
    'data',
  ]);
  const said = isObject(raw) ? state : raw;
  const status = typeof said === 'string' ? said : null;
  const ok = said !== false && isWell !== false && !badStates.includes(status?.trim().toLowerCase() ?? '');
  return { ok, status };
}

const entitlementsShape = {
  client_name: text,
  full_access: flag,
  /** First and last licensed fiscal year; a null end is open. */
  fcyear_start: integer,
  fcyear_end: integer,
  /** Licensed type codes; null means every type. */
  report_types: z._default(z.nullable(z.array(z.string())), null),
  watchlist_size: integer,
};

/** What a key may see (ENT-1). */
export type Entitlements = Readonly<RecordOf<typeof entitlementsShape>> & { readonly full_access: boolean };

const readEntitlementFields = recordReader(entitlementsShape, {});

/** Reads the access window of a key. Full access that is not stated is not assumed. */
export function readEntitlements(raw: JsonObject): Reading<Entitlements> {
  const reading = readEntitlementFields({ ...raw, report_types: typeCodes(own(raw, 'report_types')) });
  if (!reading.ok) return reading;
  return { ok: true, value: { ...reading.value, full_access: reading.value.full_access ?? false } };
}

/** The listed codes. Only null and absence mean every type, so what names no code is listed as it came. */
function typeCodes(types: unknown): readonly string[] | null {
  if (types === undefined || types === null) return null;
  const list = [types, ...(isObject(types) ? Object.values(types) : [])].find((value) => Array.isArray(value)) ?? [
    types,
  ];
  return list
    .filter((type) => type !== null && type !== '')
    .map((type) => (typeof type === 'string' ? type : (firstText(type, typeNames) ?? JSON.stringify(type))));
}

const typeNames = ['code', 'report_type', 'type', 'key', 'id'];

/** A code for the framework filter and its name, if the service gave one (META-1). */
export interface Framework {
  readonly code: string;
  readonly name: string | null;
}

const frameworkLists = ['frameworks', 'framework_codes', 'codes', 'filters', 'values', 'data', 'items', 'results'];
const codeNames = ['code', 'framework_code', 'filter_code', 'framework', 'key', 'id', 'value'];
const labelNames = ['name', 'display_name', 'label', 'title', 'description'];

/**
 * Reads `GET /meta/frameworks`, whose shape is open (META-1): codes, or objects with a code and a name, in an array
 * or in a map by code, wrapped or not. An entry without a code is left out.
 */
export function readFrameworks(raw: unknown): readonly Framework[] {
  const byCode = new Map<string, Framework>();
  for (const framework of openEntries(raw, frameworkLists).flatMap(readFramework))
    if (!byCode.has(framework.code)) byCode.set(framework.code, framework);
  return [...byCode.values()];
}

function readFramework({ name, value }: OpenEntry): readonly Framework[] {
  if (typeof value === 'string' && value !== '')
    return [name === null ? { code: value, name } : { code: name, name: value }];
  if (value !== null && !isObject(value)) return [];
  const code = firstText(value, codeNames) ?? name;
  return code === null ? [] : [{ code, name: firstText(value, labelNames) }];
}

/** Requests and downloads this calendar month (LIM-2). A number that could not be found is null; `raw` has all. */
export interface Usage {
  readonly requests: number | null;
  readonly downloads: number | null;
  readonly raw: unknown;
}

const usageNames = {
  requests: ['requests', 'request_count', 'requests_this_month', 'total_requests', 'api_calls'],
  downloads: ['downloads', 'download_count', 'downloads_this_month', 'total_downloads', 'pdf_downloads'],
};
/** What may hold the numbers; any other group may be a limit, another month or a part of this one. */
const usageWrappers = ['usage', 'data', 'month', 'calendar_month', 'current_month', 'this_month', 'totals'];

/** Reads `GET /meta/usage`, whose shape is open (LIM-2). */
export function readUsage(raw: unknown): Usage {
  const { requests, downloads } = findFacts(raw, usageNames, usageWrappers);
  return { requests: amount(requests), downloads: amount(downloads), raw };
}

/** A number, as text or not, or the object that states it beside a limit. */
function amount(value: unknown): number | null {
  if (isObject(value)) return amount(firstText(value, ['used', 'count', 'total']));
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : null;
}
