import * as z from 'zod/mini';
import type { JsonObject } from '../../base/json.ts';
import { flag, integer, type Reading, recordReader, text } from './record.ts';

/** What a key may see (ENT-1). */
export interface Entitlements {
  readonly client_name: string | null;
  readonly full_access: boolean;
  /** First and last licensed fiscal year; a null end is open. */
  readonly fcyear_start: number | null;
  readonly fcyear_end: number | null;
  /** Licensed type codes; null means every type. */
  readonly report_types: readonly string[] | null;
  readonly watchlist_size: number | null;
  readonly other: Readonly<Record<string, unknown>>;
}

const readFields = recordReader(
  {
    client_name: text,
    full_access: flag,
    fcyear_start: integer,
    fcyear_end: integer,
    report_types: z._default(z.nullable(z.array(z.string())), null),
    watchlist_size: integer,
  },
  {},
);

/** Reads the access window of a key. Full access that is not stated is not assumed. */
export function readEntitlements(raw: JsonObject): Reading<Entitlements> {
  const reading = readFields(raw);
  if (!reading.ok) return reading;
  return { ok: true, value: { ...reading.value, full_access: reading.value.full_access ?? false } };
}
