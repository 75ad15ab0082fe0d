import { isObject, own } from '../../base/json.ts';

/** An entry of a list whose shape the interface leaves open: its name where the list was a map, and what it holds. */
export interface OpenEntry {
  readonly name: string | null;
  readonly value: unknown;
}

/**
 * The entries of an array, of a map, or of either inside a wrapper under one of the given names; wrappers may nest.
 * A map counts as a wrapper only when one of the names leads to an array or a map.
 */
export function openEntries(raw: unknown, wrappers: readonly string[], depth = 3): readonly OpenEntry[] {
  if (Array.isArray(raw)) return raw.map((value) => ({ name: null, value }));
  if (!isObject(raw)) return [];
  const wrapper = wrappers.find((name) => isContainer(own(raw, name)));
  if (wrapper !== undefined && depth > 0) return openEntries(own(raw, wrapper), wrappers, depth - 1);
  return Object.entries(raw).map(([name, value]) => ({ name, value }));
}

/** The first of the named fields that holds text. */
export function firstText(raw: unknown, names: readonly string[]): string | null {
  if (!isObject(raw)) return null;
  for (const name of names) {
    const value = own(raw, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
