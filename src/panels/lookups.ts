import type { ResolveResult } from '../api/schemas/company.ts';
import { l10n } from '../base/l10n.ts';
import { counted, countText } from '../base/words.ts';

export type ResultsSubject = 'companies' | 'reports';

/** The outcome of an identifier; no two look alike (RES-2). */
export const resolveStatuses = ['entitled', 'not-licensed', 'ambiguous', 'unmatched', 'malformed'] as const;
export type ResolveStatus = (typeof resolveStatuses)[number];

/** What became of a report key (LKP-1). */
export const lookupStatuses = ['found', 'renamed', 'not-found', 'malformed'] as const;
export type LookupStatus = (typeof lookupStatuses)[number];

/** A column of a CSV document that values came from, so that results can go back there. */
export interface ColumnOrigin {
  readonly uri: string;
  /** From 0. */
  readonly index: number;
  readonly header: string;
}

export interface InputOrigin {
  /** Goes on after "from": `the clipboard`, `column isin of portfolio.csv`. */
  readonly words: string | null;
  readonly column: ColumnOrigin | null;
}

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
export interface LookupBatch<Entry> {
  readonly entries: readonly Entry[];
  readonly cost: AskCost;
}

export type LookupResults = (
  | ({ readonly subject: 'companies' } & LookupBatch<ResolveEntry>)
  | ({ readonly subject: 'reports' } & LookupBatch<LookupEntry>)
) & { readonly origin: InputOrigin };

export interface AskHow {
  readonly signal?: AbortSignal | undefined;
  /** Asks the service whatever is kept. */
  readonly fresh?: boolean | undefined;
  /** Of the column that the identifiers stand in, which may name their kind. */
  readonly header?: string | undefined;
  /** Told with the distinct questions answered so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Where the input came from and what asking cost, in a line. */
export function askedWords({ entries, subject, cost, origin }: LookupResults): string {
  // Text that can't be an identifier was not asked.
  const sent = entries.filter(({ problem }) => problem === null).length;
  const count =
    subject === 'companies'
      ? counted(entries.length, l10n.later('1 identifier'), l10n.later('{0} identifiers'))
      : counted(entries.length, l10n.later('1 report key'), l10n.later('{0} report keys'));
  const from = origin.words === null ? count : l10n.t('{0} from {1}', count, origin.words);
  const asked = cost.distinct < sent ? l10n.t('{0}, {1} different', from, countText(cost.distinct)) : from;
  const requests =
    cost.requests === 0
      ? l10n.t('no request')
      : counted(cost.requests, l10n.later('1 request'), l10n.later('{0} requests'));
  return `${asked} · ${requests}`;
}

/** Since when answers are kept, in words; null when all are new. */
export function keptWords({ kept, oldest }: AskCost, locale: string): string | null {
  if (kept === 0 || oldest === null) return null;
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(oldest);
  return l10n.t('Kept answers: {0}, since {1}', countText(kept), time);
}

/** One identifier of the input and what became of it. */
export interface ResolveEntry {
  /** As the person gave it. */
  readonly query: string;
  /** Null when it is malformed, and was not sent or has no match. */
  readonly result: ResolveResult | null;
  /** What is wrong with it, in words; null when it was sent and nothing is. */
  readonly problem: string | null;
  /** What was asked in its place, because a person refined it, and how the row stood before. */
  readonly refined?: { readonly text: string; readonly before: ResolveEntry };
  /** Companies on this machine that may be meant, where the service named none. A person chooses, never the product. */
  readonly candidates?: readonly Candidate[];
}

/** A company that an identifier may mean. */
export interface Candidate {
  readonly name: string;
  /** What leads to it alone: `MIC:TICKER`, or its LEI. */
  readonly text: string;
}

/** The person's own input stays, whatever was asked in its place. */
export function kindOf({ result, refined }: ResolveEntry): string | null {
  return (refined ? refined.before.result : result)?.identifier_type ?? null;
}

/** What became of an entry (RES-2). A name that several companies of the library may have is ambiguous, too. */
export function statusOf({ result, candidates = [] }: ResolveEntry): ResolveStatus {
  if (!result) return 'malformed';
  if (result.ambiguous || (!result.matched && candidates.length > 1)) return 'ambiguous';
  if (!result.matched) return 'unmatched';
  return result.entitled === false ? 'not-licensed' : 'entitled';
}

/** What the library on this machine knows of a report that a key led to. */
export interface FoundReport {
  readonly report_key: string;
  readonly title: string | null;
  readonly company_name: string | null;
  /** What it is filed under; null when undated (FY-2). */
  readonly fiscal_year: number | null;
  /** The type's name, not its code. */
  readonly type: string | null;
  readonly has_file: boolean | null;
  readonly withdrawn: boolean;
}

export interface LookupEntry {
  /** As the person gave it. */
  readonly query: string;
  /** Null when it was not sent because it can be no key. */
  readonly result: { readonly report_id: number | null; readonly canonical_report_key: string | null } | null;
  readonly problem: string | null;
  /** Null for a report that is not on this machine. */
  readonly known: FoundReport | null;
}

export function lookupStatusOf(entry: LookupEntry): LookupStatus {
  if (!entry.result) return 'malformed';
  if (entry.result.report_id === null) return 'not-found';
  return presentKey(entry) === entry.query ? 'found' : 'renamed';
}

export function presentKey({ query, result, known }: LookupEntry): string {
  return result?.canonical_report_key ?? known?.report_key ?? query;
}

/** What became of identifiers, for a file or the clipboard: the names of the columns, then a row each. */
export function resolveTable(entries: readonly ResolveEntry[]): string[][] {
  const held = ['company_name', 'company_key', 'country', 'isin', 'lei', 'figi', 'cik'] as const;
  const rows = entries.map((entry) => {
    const status = statusOf(entry);
    const company = status === 'entitled' ? entry.result?.company : null;
    const shown = company && entry.refined ? 'chosen' : status;
    const cells = [entry.query, kindOf(entry), shown, ...held.map((name) => company?.[name]), entry.refined?.text];
    return cells.map((value) => value ?? '');
  });
  return [['query', 'identifier_type', 'status', ...held, 'resolved_as'], ...rows];
}

/** What became of report keys, for a file or the clipboard. */
export function lookupTable(entries: readonly LookupEntry[]): string[][] {
  const rows = entries.map((entry) => {
    const { query, result, known } = entry;
    const id = result?.report_id ?? null;
    const key = id === null ? null : presentKey(entry);
    const cells = [query, lookupStatusOf(entry), id?.toString(), key, known?.title, known?.company_name];
    return cells.map((value) => value ?? '');
  });
  return [['query', 'status', 'report_id', 'report_key', 'title', 'company_name'], ...rows];
}
