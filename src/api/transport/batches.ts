/** The first `size` items, the next `size`, and so on. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** What asking for distinct items one batch after the other gives. */
interface Asked<T, R> {
  readonly items: readonly T[];
  readonly size: number;
  /** Two items with the same identity are asked for once. */
  readonly identity: (item: T) => string;
  /** Answers in the order of the batch, one for each of its items. */
  readonly ask: (batch: readonly T[]) => Promise<readonly R[]>;
}

/** Asks for many items in calls of at most `size`, each distinct item once, and answers in the order of `items`. */
export async function inBatches<T, R>({ items, size, identity, ask }: Asked<T, R>): Promise<readonly R[]> {
  const places = new Map<string, number>();
  const distinct: T[] = [];
  for (const item of items) {
    const name = identity(item);
    if (places.has(name)) continue;
    places.set(name, distinct.length);
    distinct.push(item);
  }
  const answers: R[] = [];
  for (const batch of batches(distinct, size)) answers.push(...(await ask(batch)));
  return items.map((item) => answers[places.get(identity(item)) as number] as R);
}
