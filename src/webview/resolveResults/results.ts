import { l10n } from '../../base/l10n.ts';
import {
  type LookupRow,
  type LookupView,
  lookupStatuses,
  type ResolveRow,
  type ResolveView,
  resolveStatuses,
} from '../../protocol/resolveResults.ts';

/** What the page shows: companies that identifiers led to, or reports that keys led to. */
export type Results =
  | (ResolveView & { readonly subject: 'companies' })
  | (LookupView & { readonly subject: 'reports' });

export type Row = ResolveRow | LookupRow;
export type Status = Row['status'];

/** How a status looks, beside its words. */
export const statusLooks: Readonly<Record<Status, { readonly icon: string; readonly label: string }>> = {
  entitled: { icon: 'pass-filled', label: l10n.later('Matched') },
  'not-licensed': { icon: 'lock', label: l10n.later('Not in your licence') },
  ambiguous: { icon: 'question', label: l10n.later('Ambiguous') },
  unmatched: { icon: 'circle-slash', label: l10n.later('No match') },
  malformed: { icon: 'error', label: l10n.later('Malformed') },
  found: { icon: 'pass-filled', label: l10n.later('Found') },
  renamed: { icon: 'arrow-swap', label: l10n.later('Renamed') },
  'not-found': { icon: 'circle-slash', label: l10n.later('Not found') },
};

/** The statuses that rows of a kind can have, in the order of their chips. */
export function statusesOf({ subject }: Results): readonly Status[] {
  return subject === 'companies' ? resolveStatuses : lookupStatuses;
}

/** Whether a row holds what a person filters for. */
export function matches(row: Row, filter: string): boolean {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return true;
  return textsOf(row).some((text) => text?.toLocaleLowerCase().includes(wanted));
}

function textsOf(row: Row): (string | null | undefined)[] {
  if ('report' in row) {
    const { report } = row;
    return [row.query, row.words, report?.key, report?.title, report?.company, report?.year, report?.type];
  }
  const { company } = row;
  const held = company?.identifiers.map(({ value }) => value) ?? [];
  return [row.query, row.kind, row.words, row.refined, company?.name, company?.key, company?.country, ...held];
}
