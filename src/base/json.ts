/** A JSON object before anything is known about it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets an own property of any name: a plain assignment of `__proto__` would change the prototype instead. */
export function put(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}

/** The value of an own property, or undefined: inherited names such as `constructor` never count. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
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
