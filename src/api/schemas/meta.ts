import * as z from 'zod/mini';
import { firstText, type JsonObject, own } from '../../base/json.ts';
import { countIn, entriesIn, findFacts } from './open.ts';
import { flag, integer, type Reading, type RecordOf, recordReader, text } from './record.ts';

/** What the service says of its state (END-1). */
export interface Health {
  readonly ok: boolean;
  readonly status: string | null;
}

const badStates = ['down', 'error', 'fail', 'unhealthy', 'unavailable'];

/** Reads the body of `GET /health`, whose shape is open: any successful answer is ok unless it says otherwise. */
export function readHealth(raw: unknown): Health {
  const { state, ok } = findFacts(raw, { state: ['status', 'state'], ok: ['ok', 'healthy'] }, ['data']);
  const stated = typeof raw === 'string' ? raw : state;
  const status = typeof stated === 'string' ? stated : null;
  return { ok: ok !== false && !badStates.includes(status?.trim().toLowerCase() ?? ''), status };
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

/** The listed codes. Only null and absence mean every type, so what is no code is listed as it came. */
function typeCodes(types: unknown): readonly string[] | null {
  if (types === undefined || types === null) return null;
  return [types].flat().map((type) => (typeof type === 'string' ? type : JSON.stringify(type)));
}

/** A code for the framework filter and its name, if the service gave one (META-1). */
export interface Framework {
  readonly code: string;
  readonly name: string | null;
}

const frameworkLists = ['frameworks', 'data', 'items'];
const codeNames = ['code', 'id', 'key'];
const labelNames = ['name', 'label', 'title'];

/** Reads `GET /meta/frameworks`, whose shape is open (META-1): codes, objects, or a map by code. */
export function readFrameworks(raw: unknown): readonly Framework[] {
  const byCode = new Map<string, Framework>();
  for (const [key, value] of entriesIn(raw, frameworkLists)) {
    const text = typeof value === 'string' && value !== '' ? value : null;
    const code = key ?? text ?? firstText(value, codeNames);
    const name = key === null ? firstText(value, labelNames) : (text ?? firstText(value, labelNames));
    if (code !== null && !byCode.has(code)) byCode.set(code, { code, name });
  }
  return [...byCode.values()];
}

/** Requests and downloads this calendar month (LIM-2). A number that could not be found is null; `raw` has all. */
export interface Usage {
  readonly requests: number | null;
  readonly downloads: number | null;
  readonly raw: unknown;
}

const usageNames = {
  requests: ['requests', 'request_count', 'api_calls'],
  downloads: ['downloads', 'download_count', 'links'],
};
/** What may hold the numbers; any other group may be a limit, another month or a part of this one. */
const usageWrappers = ['usage', 'data', 'current_month'];

/** Reads `GET /meta/usage`, whose shape is open (LIM-2). */
export function readUsage(raw: unknown): Usage {
  const { requests, downloads } = findFacts(raw, usageNames, usageWrappers);
  return { requests: countIn(requests), downloads: countIn(downloads), raw };
}
