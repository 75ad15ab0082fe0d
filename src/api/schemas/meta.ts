import * as z from 'zod/mini';
import { firstText, isObject, type JsonObject, own } from '../../base/json.ts';
import {
  flag,
  integer,
  type OpenEntry,
  openEntries,
  type Reading,
  type RecordOf,
  recordReader,
  text,
} from './record.ts';

/** The service's answer to "are you there?" (END-1). */
export interface Health {
  readonly ok: boolean;
  readonly status: string | null;
  readonly raw: unknown;
}

const badWords = /^(down|error|fail(ed|ing|ure)?|unhealthy|unavailable|ko|no|false)$/i;

/** Reads the body of `GET /health`, whose shape is open: any successful answer is ok unless it says otherwise. */
export function readHealth(raw: unknown): Health {
  const said = isObject(raw) ? firstOf(own(raw, 'status'), own(raw, 'state'), own(raw, 'health')) : raw;
  const status = typeof said === 'string' ? said : null;
  const flags = isObject(raw) ? [own(raw, 'ok'), own(raw, 'healthy'), own(raw, 'alive')] : [];
  const ok = said !== false && !flags.includes(false) && !(status !== null && badWords.test(status.trim()));
  return { ok, status, raw };
}

function firstOf(...values: unknown[]): unknown {
  return values.find((value) => value !== undefined);
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
  const reading = readEntitlementFields(withTypeCodes(raw));
  if (!reading.ok) return reading;
  return { ok: true, value: { ...reading.value, full_access: reading.value.full_access ?? false } };
}

const typeCodeNames = ['code', 'report_type', 'type', 'type_code', 'id', 'key'];
/** Where an object in the place of the list has it. */
const typeListNames = ['report_types', 'types', 'codes', 'type_codes', 'values', 'items', 'list', 'data'];

/**
 * Only null and absence say every type, so all else becomes a list. What it holds is left open: codes, or objects that
 * name one. What names none is shown as it came.
 */
function withTypeCodes(raw: JsonObject): JsonObject {
  const types = own(raw, 'report_types');
  return types === undefined || types === null ? raw : { ...raw, report_types: typesIn(types).flatMap(typeCode) };
}

function typesIn(types: unknown): readonly unknown[] {
  if (Array.isArray(types)) return types;
  if (!isObject(types)) return [types];
  return typeListNames.map((name) => own(types, name)).find((inner) => Array.isArray(inner)) ?? [types];
}

function typeCode(type: unknown): readonly string[] {
  if (type === null || type === '') return [];
  return [typeof type === 'string' ? type : (firstText(type, typeCodeNames) ?? JSON.stringify(type))];
}

/** A code for the framework filter and its name, if the service gave one (META-1). */
export interface Framework {
  readonly code: string;
  readonly name: string | null;
}

export interface Frameworks {
  readonly frameworks: readonly Framework[];
  readonly raw: unknown;
}

const frameworkWrappers = [
  ...['frameworks', 'framework', 'framework_codes', 'codes', 'filters', 'values', 'allowed_values', 'available'],
  ...['standards', 'options', 'list', 'data', 'items', 'results', 'groups', 'categories'],
];
const codeNames = [
  ...['code', 'framework_code', 'filter_code', 'filter_value', 'framework', 'key', 'id', 'value', 'slug'],
  ...['short_name', 'abbreviation', 'acronym'],
];
const labelNames = [
  'name',
  'display_name',
  'framework_name',
  'long_name',
  'full_name',
  'label',
  'title',
  'description',
];
/** Where a group has its frameworks; a framework itself may have lists, too, as of its parts. */
const groupLists = ['frameworks', 'framework_codes', 'codes', 'standards', 'items'];
const ownCodeNames = ['code', 'framework_code', 'filter_code', 'filter_value', 'framework'];
const deepestGroup = 2;

/**
 * Reads `GET /meta/frameworks`, whose shape is open (META-1): codes, or objects with a code and a name, in an array
 * or in a map by code, wrapped or not, in groups or not. An entry without a code is left to `raw`.
 */
export function readFrameworks(raw: unknown): Frameworks {
  const byCode = new Map<string, Framework>();
  for (const framework of frameworksIn(raw, deepestGroup))
    if (!byCode.has(framework.code)) byCode.set(framework.code, framework);
  return { frameworks: [...byCode.values()], raw };
}

function frameworksIn(raw: unknown, depth: number): readonly Framework[] {
  return openEntries(raw, frameworkWrappers).flatMap((entry) => {
    const { value } = entry;
    if (isFrameworkGroup(value)) return depth > 0 ? frameworksIn(value, depth - 1) : [];
    return readFramework(entry) ?? [];
  });
}

/** A group has a list and no code; one with an id or a key, which may be a code, lists objects that have codes. */
function isFrameworkGroup(value: unknown): boolean {
  if (!isObject(value) || firstText(value, ownCodeNames) !== null) return false;
  const lists = groupLists.map((name) => own(value, name)).filter((list) => Array.isArray(list));
  const hasCode = firstText(value, codeNames) !== null;
  return hasCode ? lists.flat().some((item) => firstText(item, codeNames) !== null) : lists.length > 0;
}

function readFramework({ name, value }: OpenEntry): Framework | null {
  if (name === null) {
    if (typeof value === 'string') return value === '' ? null : { code: value, name: null };
    const code = firstText(value, codeNames);
    return code === null ? null : { code, name: firstText(value, labelNames) };
  }
  if (typeof value === 'string') return { code: name, name: value };
  if (isObject(value)) return { code: firstText(value, codeNames) ?? name, name: firstText(value, labelNames) };
  return value === true || value === null ? { code: name, name: null } : null;
}

/** Requests and downloads this calendar month (LIM-2). A number that could not be found is null; `raw` has all. */
export interface Usage {
  readonly requests: number | null;
  readonly downloads: number | null;
  readonly raw: unknown;
}

const requestNames = [
  'requests',
  'request_count',
  'total_requests',
  'requests_this_month',
  'api_requests',
  'api_calls',
];
const downloadNames = [
  ...['downloads', 'download_count', 'total_downloads', 'downloads_this_month', 'pdf_downloads', 'download_links'],
];
/** What may hold the numbers; any other group may be a limit, another month or a part of this one. */
const usageWrappers = ['usage', 'data', 'current_month', 'this_month', 'month', 'totals'];
const amountNames = ['count', 'used', 'total'];
const deepestNumber = 3;

/** Reads `GET /meta/usage`, whose shape is open (LIM-2). */
export function readUsage(raw: unknown): Usage {
  return {
    requests: findNumber(raw, requestNames, deepestNumber),
    downloads: findNumber(raw, downloadNames, deepestNumber),
    raw,
  };
}

function findNumber(raw: unknown, names: readonly string[], depth: number): number | null {
  if (!isObject(raw) || depth === 0) return null;
  const here = names.map((name) => amount(own(raw, name)));
  const inside = usageWrappers.map((name) => findNumber(own(raw, name), names, depth - 1));
  return [...here, ...inside].find((number) => number !== null) ?? null;
}

function amount(value: unknown): number | null {
  if (isObject(value)) return findNumber(value, amountNames, 1);
  if (typeof value === 'string') return /^\d{1,15}$/.test(value) ? Number(value) : null;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;
}
