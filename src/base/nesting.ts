const maxDepth = 32;
/** Ten times what a page of 200 reports with all their fields holds. */
const maxValues = 200_000;
/**
 * More than ten times the fields of a report. In one object, 200,000 keys would take a second or more to parse and as
 * long again to read; in objects of this size, so many take some 100 ms to parse.
 */
const maxKeys = 2000;

/**
 * What the brackets and commas of a JSON text say, without building anything: `deep` when more than 32 brackets are
 * open at once, `many` when it holds more than `max` values or an object more than 2,000 keys, `open` when it ends
 * early. A few kilobytes of gzip may unpack to either and keep the window busy for seconds.
 */
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
