/** How many editors or browsers work at once: most of what they do is waiting, and a slow machine has two processors. */
export const lanesAtOnce = 2;

/**
 * Does the work for each item, at most `lanes` at a time, beginning with the first ones; gives the results in the
 * items' order. The first failure ends it: no further item is begun, and it is thrown once the others have ended.
 */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  let failed = false;
  const lane = async () => {
    for (const [index, item] of left) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const bad = ends.find((end) => end.status === 'rejected');
  if (bad) throw bad.reason;
  return results;
}
