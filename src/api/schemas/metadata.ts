import * as z from 'zod/mini';
import { isObject, own, put } from '../../base/json.ts';
import { type ColumnName, columns } from './columns.ts';
import { unnamedIn } from './record.ts';

const names: readonly ColumnName[] = columns.map((column) => column.name);
const unnamed = unnamedIn(new Set(names));
const whole = z.compile(z.object(Object.fromEntries(names.map((name) => [name, z.string()]))));

/** The 50 columns as strings (CNV-4), and the columns that are not among them or could not be written as a string. */
export interface Metadata {
  readonly columns: Record<ColumnName, string>;
  /** Null when there is nothing of the kind. */
  readonly other: unknown;
}

/** Reads a report's `metadata`: every column present, every value a string; whatever else came is kept apart. */
export function readMetadata(raw: unknown): Metadata {
  if (!isObject(raw)) return { columns: emptyColumns(), other: raw ?? null };
  const other: Record<string, unknown> = {};
  const strange = unnamed(raw);
  let others = strange.length;
  for (const name of strange) put(other, name, raw[name]);
  const fast = whole.safeParse(raw);
  if (fast.success) return { columns: fast.data as Record<ColumnName, string>, other: others > 0 ? other : null };
  const result = emptyColumns();
  for (const name of names) {
    const value = own(raw, name);
    const written = asCell(value);
    if (written !== null) result[name] = written;
    else {
      other[name] = value;
      others++;
    }
  }
  return { columns: result, other: others > 0 ? other : null };
}

/** How a value is written in a bulk delivery file: booleans in capitals, nothing for unknown; null if it can't be. */
function asCell(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  return null;
}

function emptyColumns(): Record<ColumnName, string> {
  return Object.fromEntries(names.map((name) => [name, ''])) as Record<ColumnName, string>;
}
