import type { Company, ResolveResult } from '../api/schemas/company.ts';
import { l10n } from '../base/l10n.ts';
import { counted, countText, visibleText } from '../base/words.ts';
import { missingIsinCause } from './format/facts.ts';
import { type LookupRow, type LookupStatus, type ResolveRow, type ResolveStatus, statusLooks } from './results.ts';

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

const kindLabels: Readonly<Record<string, string>> = {
  isin: 'ISIN',
  lei: 'LEI',
  figi: 'FIGI',
  cik: 'CIK',
  ticker: l10n.later('Ticker'),
  symbol: l10n.later('Symbol'),
  name: l10n.later('Name'),
};

/** What an identifier is, in words; a kind that is not known is shown as it came. */
function kindWords(kind: string): string {
  return Object.hasOwn(kindLabels, kind) ? l10n.word(kindLabels[kind] ?? kind) : visibleText(kind);
}

/** The rows to show, in input order. Nothing is guessed: ambiguous stays ambiguous (RES-2). */
export function resolveRows(entries: readonly ResolveEntry[]): ResolveRow[] {
  return entries.map((entry, index) => {
    const status = statusOf(entry);
    const type = typeOf(entry);
    const details = status === 'entitled' ? (entry.result?.company ?? null) : null;
    return {
      number: index + 1,
      query: visibleText(entry.query),
      kind: type === null ? null : kindWords(type),
      status,
      words: wordsOf(entry, status),
      refined: entry.refined === undefined ? null : visibleText(entry.refined.text),
      candidates: (entry.candidates ?? []).map(({ name, text }) => {
        return { name: visibleText(name), text: visibleText(text) };
      }),
      company: details === null ? null : companyCell(details),
    };
  });
}

function wordsOf({ problem }: { readonly problem: string | null }, status: ResolveStatus | LookupStatus): string {
  if (problem !== null) return l10n.t('Malformed: {0}', visibleText(problem));
  const { label, words = label } = statusLooks[status];
  return l10n.word(words);
}

/** The person's own input stays, whatever was asked in its place. */
function typeOf({ result, refined }: ResolveEntry): string | null {
  return (refined ? refined.before.result : result)?.identifier_type ?? null;
}

/** What became of an entry (RES-2). */
export function statusOf({ result }: ResolveEntry): ResolveStatus {
  if (!result) return 'malformed';
  if (result.ambiguous) return 'ambiguous';
  if (!result.matched) return 'unmatched';
  return result.entitled === false ? 'not-licensed' : 'entitled';
}

function companyCell(company: Company): ResolveRow['company'] {
  const { isin, lei, figi, cik, country } = company;
  const held = Object.entries({ ISIN: isin, LEI: lei, FIGI: figi, CIK: cik }).flatMap(([name, value]) =>
    value === null ? [] : [{ name, value: visibleText(value), isNote: false }],
  );
  const withheld = { name: 'ISIN', value: missingIsinCause(country), isNote: true };
  const identifiers = isin === null ? [withheld, ...held] : held;
  return {
    name: visibleText(company.company_name ?? company.company_key),
    key: visibleText(company.company_key),
    country: country === null ? null : visibleText(country),
    identifiers,
  };
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

/** The rows to show, in input order. A renamed key shows the old and the new one (RID-2). */
export function lookupRows(entries: readonly LookupEntry[]): LookupRow[] {
  return entries.map((entry, index) => {
    const status = lookupStatusOf(entry);
    const gone = entry.known?.withdrawn === true && status !== 'not-found' ? `, ${l10n.t('withdrawn since')}` : '';
    return {
      number: index + 1,
      query: visibleText(entry.query),
      status,
      words: `${wordsOf(entry, status)}${gone}`,
      report: reportCell(entry),
    };
  });
}

function lookupStatusOf(entry: LookupEntry): LookupStatus {
  if (!entry.result) return 'malformed';
  if (entry.result.report_id === null) return 'not-found';
  return presentKey(entry) === entry.query ? 'found' : 'renamed';
}

function presentKey({ query, result, known }: LookupEntry): string {
  return result?.canonical_report_key ?? known?.report_key ?? query;
}

function reportCell(entry: LookupEntry): LookupRow['report'] {
  const { result, known } = entry;
  if (result?.report_id == null) return null;
  const key = visibleText(presentKey(entry));
  return {
    key,
    title: visibleText(known?.title ?? key),
    isKnown: known !== null,
    company: known?.company_name == null ? null : visibleText(known.company_name),
    year: known && (known.fiscal_year === null ? l10n.t('Undated') : l10n.t('Fiscal year {0}', known.fiscal_year)),
    type: known?.type == null ? null : visibleText(known.type),
    hasFile: known?.has_file ?? false,
  };
}

/** What became of identifiers, for a file or the clipboard: the names of the columns, then a row each. */
export function resolveTable(entries: readonly ResolveEntry[]): string[][] {
  const held = ['company_name', 'company_key', 'country', 'isin', 'lei', 'figi', 'cik'] as const;
  const rows = entries.map((entry) => {
    const status = statusOf(entry);
    const company = status === 'entitled' ? entry.result?.company : null;
    const cells = [entry.query, typeOf(entry), status, ...held.map((name) => company?.[name]), entry.refined?.text];
    return cells.map((value) => value ?? '');
  });
  return [['query', 'identifier_type', 'status', ...held, 'refined_to'], ...rows];
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
