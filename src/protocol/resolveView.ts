import type { Company, ResolveResult } from '../api/schemas/company.ts';
import { l10n } from '../base/l10n.ts';
import { missingIsinCause } from './format/isin.ts';
import { visibleText } from './format/visibleText.ts';
import type { ResolveRow, ResolveStatus } from './resolveResults.ts';

/** One identifier of the input and what became of it. */
export interface ResolveEntry {
  /** As the person gave it. */
  readonly query: string;
  /** Null when it was not sent because it is malformed. */
  readonly result: ResolveResult | null;
  /** Why it was not sent, in words; null when it was. */
  readonly problem: string | null;
  /** What was asked in its place, because a person refined it. */
  readonly refined?: string;
}

const statusWords: Readonly<Record<ResolveStatus, string>> = {
  entitled: l10n.later('Matched'),
  'not-licensed': l10n.later('Held, not in your licence'),
  ambiguous: l10n.later('Ambiguous: several companies match, the service did not decide'),
  unmatched: l10n.later('No match'),
  malformed: l10n.later('Malformed'),
};

const kindLabels: Readonly<Record<string, string>> = {
  isin: 'ISIN',
  lei: 'LEI',
  figi: 'FIGI',
  cik: 'CIK',
  ticker: l10n.later('Ticker'),
  symbol: l10n.later('Symbol'),
  name: l10n.later('Name'),
};

/** The rows to show, in input order. Nothing is guessed: ambiguous stays ambiguous (RES-2). */
export function resolveRows(entries: readonly ResolveEntry[]): ResolveRow[] {
  return entries.map((entry, index) => {
    const status = statusOf(entry);
    const type = entry.result?.identifier_type ?? null;
    const details = status === 'entitled' ? (entry.result?.company ?? null) : null;
    return {
      number: index + 1,
      query: visibleText(entry.query),
      kind:
        type === null
          ? null
          : Object.hasOwn(kindLabels, type)
            ? l10n.word(kindLabels[type] as string)
            : visibleText(type),
      status,
      words:
        entry.problem === null ? l10n.word(statusWords[status]) : l10n.t('Malformed: {0}', visibleText(entry.problem)),
      refined: entry.refined === undefined ? null : visibleText(entry.refined),
      company: details === null ? null : companyCell(details),
    };
  });
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
