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

const maxDepth = 32;
/** Ten times what a page of 200 reports with all their fields holds. */
const maxValues = 200_000;
/** More than ten times the fields of a report. One object of 200,000 keys would take seconds to parse and read. */
const maxKeys = 2000;

/** Checks brackets before parsing: `deep` beyond 32 levels, `many` beyond the limits, `open` if cut short. */
export function nesting(body: Uint8Array, max = maxValues): 'deep' | 'many' | 'open' | 'closed' {
  let depth = 0;
  let values = 0;
  /** The keys so far of each object that is open, by its depth; a list may have any number of items. */
  const keys = Array.from({ length: maxDepth + 1 }, () => Number.NEGATIVE_INFINITY);
  let isQuoted = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (isQuoted) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isQuoted = false;
    } else if (byte === 0x22) isQuoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth) return 'deep';
      if (++values > max) return 'many';
      keys[depth] = byte === 0x7b ? 1 : Number.NEGATIVE_INFINITY;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x2c) {
      const held = (keys[depth] ?? Number.NEGATIVE_INFINITY) + 1;
      if (++values > max || held > maxKeys) return 'many';
      keys[depth] = held;
    }
  }
  return depth > 0 || isQuoted ? 'open' : 'closed';
}
