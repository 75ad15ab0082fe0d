import { l10n } from '../../base/l10n.ts';
import type { CoverageSort, CoverageView } from '../../protocol/coverage.ts';

/** A column of the grid. */
export type Column =
  | { readonly kind: 'name' | 'country' | 'reports' | 'gaps'; readonly label: string; readonly sort: CoverageSort }
  /** A fiscal year, or undated; `at` is its place among the view's years. */
  | { readonly kind: 'year'; readonly label: string; readonly year: number; readonly at: number }
  | { readonly kind: 'split'; readonly label: string };

/** Years in their course, what has no single year, then what the row comes to. */
export function columnsOf({ years }: Pick<CoverageView, 'years'>): Column[] {
  const placed = years.map((year, at) => ({ year, at }));
  const dated = placed.filter(({ year }) => year !== 0);
  const undated = placed.filter(({ year }) => year === 0);
  return [
    { kind: 'name', label: l10n.t('Company'), sort: 'name' },
    ...dated.map(({ year, at }): Column => ({ kind: 'year', label: String(year), year, at })),
    { kind: 'split', label: l10n.t('Two-year') },
    ...undated.map(({ year, at }): Column => ({ kind: 'year', label: l10n.t('Undated'), year, at })),
    { kind: 'reports', label: l10n.t('Reports'), sort: 'reports' },
    { kind: 'gaps', label: l10n.t('Gaps'), sort: 'gaps' },
    { kind: 'country', label: l10n.t('Country'), sort: 'country' },
  ];
}
