import { isObject, type JsonObject, own } from '../../base/json.ts';

// Readers of answers whose shape the interface leaves open: short lists of names, and null for what they don't find.

/** How many objects an answer may wrap around its facts. */
const deepest = 3;

/**
 * The objects that may state a fact: those under one of the names `within`, which may nest, before the one around them.
 * An object under another name is about something else.
 */
export function objectsIn(raw: unknown, within: readonly string[], depth = deepest): readonly JsonObject[] {
  if (!isObject(raw)) return [];
  const inner = depth > 0 ? within.flatMap((name) => objectsIn(own(raw, name), within, depth - 1)) : [];
  return [...inner, raw];
}

/** Finds facts in an answer, each under the first of its names that {@link objectsIn} has; null for the others. */
export function findFacts<Fact extends string>(
  raw: unknown,
  names: Readonly<Record<Fact, readonly string[]>>,
  within: readonly string[] = [],
  depth = deepest,
): Record<Fact, unknown> {
  const objects = objectsIn(raw, within, depth);
  const found = Object.entries<readonly string[]>(names).map(([fact, known]) => {
    const values = known.flatMap((name) => objects.map((object) => own(object, name)));
    return [fact, values.find((value) => value !== undefined && value !== null) ?? null];
  });
  return Object.fromEntries(found) as Record<Fact, unknown>;
}

/** An entry of a list: its name where the list was a map, and what it holds. */
export interface OpenEntry {
  readonly name: string | null;
  readonly value: unknown;
}

/** The entries of an array, of a map, or of either inside a wrapper under one of the given names; wrappers may nest. */
export function openEntries(raw: unknown, wrappers: readonly string[], depth = deepest): readonly OpenEntry[] {
  if (Array.isArray(raw)) return raw.map((value) => ({ name: null, value }));
  if (!isObject(raw)) return [];
  const wrapped = wrappers.map((name) => own(raw, name)).find((value) => Array.isArray(value) || isObject(value));
  if (wrapped !== undefined && depth > 0) return openEntries(wrapped, wrappers, depth - 1);
  return Object.entries(raw).map(([name, value]) => ({ name, value }));
}
