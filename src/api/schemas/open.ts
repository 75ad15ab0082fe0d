import { isObject, type JsonObject, own } from '../../base/json.ts';

// Readers of answers whose shape the interface leaves open: short lists of names, and null for what they don't find.

/** How many objects an answer may wrap around its facts. */
const maxWrappers = 3;

/** An object, after those in it under one of the names `within`: under another name it is about something else. */
function objectsIn(raw: unknown, within: readonly string[], depth = maxWrappers): readonly JsonObject[] {
  if (!isObject(raw)) return [];
  const inner = depth > 0 ? within.flatMap((name) => objectsIn(own(raw, name), within, depth - 1)) : [];
  return [...inner, raw];
}

/** Finds facts in an answer, each under the first of its names that occurs, inside objects named `within` or not. */
export function findFacts<Fact extends string>(
  raw: unknown,
  names: Readonly<Record<Fact, readonly string[]>>,
  within: readonly string[] = [],
): Record<Fact, unknown> {
  const objects = objectsIn(raw, within);
  const found = Object.entries<readonly string[]>(names).map(([fact, known]) => {
    const values = known.flatMap((name) => objects.map((object) => own(object, name)));
    return [fact, values.find((value) => value !== undefined && value !== null) ?? null];
  });
  return Object.fromEntries(found) as Record<Fact, unknown>;
}

/** The entries of an array, or of a map with their names, which a wrapper with one of the given names may hold. */
export function entriesIn(
  raw: unknown,
  wrappers: readonly string[],
  depth = maxWrappers,
): readonly (readonly [name: string | null, value: unknown])[] {
  if (Array.isArray(raw)) return raw.map((value) => [null, value]);
  if (!isObject(raw)) return [];
  const wrapped = wrappers.map((name) => own(raw, name)).find((value) => typeof value === 'object' && value !== null);
  return wrapped !== undefined && depth > 0 ? entriesIn(wrapped, wrappers, depth - 1) : Object.entries(raw);
}

/** A count or an id, written as a number or as text; null for anything else. */
export function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : null;
}
