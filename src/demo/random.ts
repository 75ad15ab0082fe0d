/** A small seeded generator (mulberry32): the same seed gives the same numbers, each from 0 up to but not 1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Numbers that look random and are the same for the same parts on every machine. */
export class Random {
  /** From 0 up to but not including 1. */
  readonly next: () => number;

  constructor(...parts: readonly (number | string)[]) {
    this.next = seededRandom(hashNumber(parts.join('\u001F')));
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of what is given, which is never nothing. */
  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }
}

/** FNV-1a over UTF-16 units, 32 bits, with a final mix so that near texts give far numbers. */
export function hashNumber(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
