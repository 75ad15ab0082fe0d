import { l10n } from '../base/l10n.ts';
import { countText } from '../base/words.ts';
import type { LookupEntry } from './lookupView.ts';
import type { ResolveEntry } from './resolveView.ts';

/** A column of a CSV document that values came from, so that results can go back there. */
export interface ColumnOrigin {
  readonly uri: string;
  /** From 0. */
  readonly index: number;
  readonly header: string;
}

/** Where an input came from. */
export interface Origin {
  /** Goes on after "from": `the clipboard`, `column isin of portfolio.csv`. */
  readonly words: string | null;
  readonly column: ColumnOrigin | null;
}

/** What asking took. */
export interface AskCost {
  /** Questions that differ. */
  readonly distinct: number;
  /** Of these, answered from what was kept. */
  readonly kept: number;
  readonly requests: number;
  /** When the oldest of the kept answers was given, ms since the epoch; null when all are new. */
  readonly oldest: number | null;
}

/** Entries in input order, and what they cost. */
export interface Asked<Entry> {
  readonly entries: readonly Entry[];
  readonly cost: AskCost;
}

/** Results for the panel. */
export type AskedResults = (
  | ({ readonly subject: 'companies' } & Asked<ResolveEntry>)
  | ({ readonly subject: 'reports' } & Asked<LookupEntry>)
) & { readonly origin: Origin };

/** How to ask. */
export interface AskHow {
  readonly signal?: AbortSignal | undefined;
  /** Asks the service whatever is kept. */
  readonly fresh?: boolean | undefined;
  /** Told with the distinct questions answered so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Where the input came from and what asking cost, in a line. */
export function askedWords({ entries, subject, cost, origin }: AskedResults): string {
  // What can be no identifier was not asked.
  const sent = entries.filter(({ problem }) => problem === null).length;
  const count = subject === 'companies' ? identifiers(entries.length) : reportKeys(entries.length);
  const from = origin.words === null ? count : l10n.t('{0} from {1}', count, origin.words);
  const asked = cost.distinct < sent ? l10n.t('{0}, {1} different', from, countText(cost.distinct)) : from;
  return `${asked} · ${requests(cost.requests)}`;
}

/** Since when answers are kept, in words; null when all are new. */
export function keptWords({ kept, oldest }: AskCost, locale: string): string | null {
  if (kept === 0 || oldest === null) return null;
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(oldest);
  return kept === 1
    ? l10n.t('1 answer kept since {0}', time)
    : l10n.t('{0} answers kept since {1}', countText(kept), time);
}

function identifiers(count: number): string {
  return count === 1 ? l10n.t('1 identifier') : l10n.t('{0} identifiers', countText(count));
}

function reportKeys(count: number): string {
  return count === 1 ? l10n.t('1 report key') : l10n.t('{0} report keys', countText(count));
}

function requests(count: number): string {
  if (count === 0) return l10n.t('no request');
  return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', countText(count));
}
