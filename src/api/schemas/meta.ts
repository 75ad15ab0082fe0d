import * as z from 'zod/mini';
import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';
import { findFacts, openEntries } from './open.ts';
import { flag, integer, type Reading, type RecordOf, recordReader, text } from './record.ts';

/** What the service says of its state (END-1). */
export interface Health {
  readonly ok: boolean;
  readonly status: string | null;
}

const badStates = ['down', 'error', 'fail', 'failed', 'unhealthy', 'unavailable'];

/** Reads the body of `GET /health`, whose shape is open: any successful answer is ok unless its status says otherwise. */
export function readHealth(raw: unknown): Health {
  const said = isObject(raw) ? own(raw, 'status') : raw;
  const status = typeof said === 'string' ? said : null;
  return { ok: !badStates.includes(status?.trim().toLowerCase() ?? ''), status };
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

/** Reads the access window of a key. Full access that is not stated is not assumed, nor is every type. */
export function readEntitlements(raw: JsonObject): Reading<Entitlements> {
  const stated = own(raw, 'report_types') ?? null;
  // Only null and absence mean every type, so what names no code is listed as it came.
  const types = [stated].flat().map((type) => (typeof type === 'string' ? type : JSON.stringify(type)));
  const reading = readEntitlementFields({ ...raw, report_types: stated === null ? null : types });
  if (!reading.ok) return reading;
  return { ok: true, value: { ...reading.value, full_access: reading.value.full_access ?? false } };
}

/** A code for the framework filter and its name, if the service gave one (META-1). */
export interface Framework {
  readonly code: string;
  readonly name: string | null;
}

const codeNames = ['code', 'framework', 'key', 'id'];
const labelNames = ['name', 'label', 'title', 'description'];

/**
 * Reads `GET /meta/frameworks`, whose shape is open (META-1): codes, or objects with a code and a name, in an array
 * or in a map by code, wrapped or not. An entry without a code is left out.
 */
export function readFrameworks(raw: unknown): readonly Framework[] {
  return openEntries(raw, ['frameworks', 'data', 'items']).flatMap(({ name, value }) => {
    const code = firstText(value, codeNames) ?? name ?? value;
    if (typeof code !== 'string' || code === '') return [];
    return [{ code, name: firstText(value, labelNames) ?? (typeof value === 'string' && name ? value : null) }];
  });
}

/** Requests and downloads this calendar month (LIM-2). A number that could not be found is null; `raw` has all. */
export interface Usage {
  readonly requests: number | null;
  readonly downloads: number | null;
  readonly raw: unknown;
}

const usageNames = {
  requests: ['requests', 'request_count', 'total_requests', 'api_calls'],
  downloads: ['downloads', 'download_count', 'total_downloads'],
};

/** Reads `GET /meta/usage`, whose shape is open (LIM-2). */
export function readUsage(raw: unknown): Usage {
  // Any other group may be a limit, another month or a part of this one.
  const { requests, downloads } = findFacts(raw, usageNames, ['usage', 'data', 'current_month']);
  return { requests: amount(requests), downloads: amount(downloads), raw };
}

function amount(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}
