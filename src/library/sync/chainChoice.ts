import type { Chain } from './syncRecord.ts';

/**
 * The chain to ask next: of those that are not done and not waiting for an answer, the one with the fewest pages so
 * far. They then advance side by side, so that at the end as many as possible are left to fill the rate together.
 */
export function nextChain(chains: readonly Chain[], waiting: ReadonlySet<number>): Chain | null {
  let next: Chain | null = null;
  for (const chain of chains) {
    if (chain.done || waiting.has(chain.id)) continue;
    if (!next || chain.pages < next.pages) next = chain;
  }
  return next;
}
