// What pdf.js takes for granted and the oldest editor's browser (Chromium 142) lacks. Each is added only where it is
// missing; imported before pdf.js, in the page and in its worker. pdf.js also comes with all that even older browsers
// need, at 35 kB more in the package.

interface Entries<K, V> {
  has(key: K): boolean;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** As `Map.prototype.getOrInsert`. */
export function getOrInsert<K, V>(this: Entries<K, V>, key: K, value: V): V {
  return getOrInsertComputed.call(this, key, () => value) as V;
}

/** As `Map.prototype.getOrInsertComputed`. */
export function getOrInsertComputed<K, V>(this: Entries<K, V>, key: K, make: (key: K) => V): V {
  if (this.has(key)) return this.get(key) as V;
  const made = make(key);
  this.set(key, made);
  return made;
}

/** As `Math.sumPrecise`, short of its last bit: the rounding of each addition is made good, as Neumaier does. */
export function sumPrecise(numbers: Iterable<number>): number {
  let sum = -0;
  let lost = -0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + lost : sum;
}

function add(target: object, functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions)) {
    if (name in target) continue;
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
}

add(Map.prototype, { getOrInsert, getOrInsertComputed });
add(WeakMap.prototype, { getOrInsert, getOrInsertComputed });
add(Math, { sumPrecise });
