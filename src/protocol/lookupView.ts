import { l10n } from '../base/l10n.ts';
import { visibleText } from './format/visibleText.ts';
import type { LookupRow, LookupStatus } from './resolveResults.ts';

/** What the library on this machine knows of a report that a key led to. */
export interface KnownReport {
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

/** One report key of the input and what became of it. */
export interface LookupEntry {
  /** As the person gave it. */
  readonly query: string;
  /** Null when it was not sent because it can be no key. */
  readonly result: { readonly report_id: number | null; readonly canonical_report_key: string | null } | null;
  readonly problem: string | null;
  /** Null for a report that is not on this machine. */
  readonly known: KnownReport | null;
}

const statusWords: Readonly<Record<LookupStatus, string>> = {
  found: l10n.later('Found'),
  renamed: l10n.later('Renamed'),
  'not-found': l10n.later('Not in your licence, or no such key'),
  malformed: l10n.later('Malformed'),
};

/** The rows to show, in input order. A renamed key shows the old and the new one (RID-2). */
export function lookupRows(entries: readonly LookupEntry[]): LookupRow[] {
  return entries.map((entry, index) => {
    const status = lookupStatusOf(entry);
    const gone = entry.known?.withdrawn === true && status !== 'not-found' ? `, ${l10n.t('withdrawn since')}` : '';
    return {
      number: index + 1,
      query: visibleText(entry.query),
      status,
      words:
        entry.problem === null
          ? `${l10n.word(statusWords[status])}${gone}`
          : l10n.t('Malformed: {0}', visibleText(entry.problem)),
      report: reportCell(entry),
    };
  });
}

/** What became of an entry. */
export function lookupStatusOf(entry: LookupEntry): LookupStatus {
  if (!entry.result) return 'malformed';
  if (entry.result.report_id === null) return 'not-found';
  return presentKey(entry) === entry.query ? 'found' : 'renamed';
}

/** The key that the report goes by now. */
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
    year:
      known === null
        ? null
        : known.fiscal_year === null
          ? l10n.t('Undated')
          : l10n.t('Fiscal year {0}', known.fiscal_year),
    type: known?.type == null ? null : visibleText(known.type),
    hasFile: known?.has_file ?? false,
  };
}
