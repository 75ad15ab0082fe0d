import { l10n } from '../../base/l10n.ts';
import { type CellState, cellState, cellWords, isSplit, splitLabel, yearLabel } from '../../protocol/coverageCell.ts';
import type { Cell } from '../../protocol/coverageRows.ts';

const classOf: Readonly<Record<CellState, string>> = {
  none: 'cell year none',
  metadata: 'cell year metadata codicon-issue-draft',
  available: 'cell year available codicon-circle-large',
  downloaded: 'cell year downloaded codicon-circle-large-filled',
  changed: 'cell year changed codicon-arrow-circle-up',
  withdrawn: 'cell year withdrawn codicon-circle-slash',
};

/** The look of a company's year: one element, whose mark the style sheet draws. */
export function yearClass({ marks, coveredBySplit }: Cell, isMarked: boolean): string {
  const state = cellState(marks);
  const look = coveredBySplit && state === 'none' ? 'cell year split-tail' : classOf[state];
  return `${look}${isSplit(marks) ? ' reaching' : ''}${isMarked ? ' marked' : ''}`;
}

/** How many reports a cell stands for, where there is more than one. */
export function manyText({ count }: Cell): string {
  if (count <= 1) return '';
  return count === 255 ? '255+' : String(count);
}

export function yearWords({ count, marks, coveredBySplit }: Cell, year: number): string {
  if (!coveredBySplit || cellState(marks) !== 'none') return cellWords(year, count, marks);
  return l10n.t(
    '{0}: covered by the two-year record {1}, filed under {2}',
    yearLabel(year),
    splitLabel(year - 1),
    year - 1,
  );
}

/** The last two-year record, and how many more there are. */
export function splitText(split: readonly number[]): string {
  const last = split.at(-1);
  if (last === undefined) return '';
  return split.length === 1 ? splitLabel(last) : `${splitLabel(last)} +${split.length - 1}`;
}

export function splitWords(split: readonly number[]): string {
  if (split.length === 0) return l10n.t('No two-year records');
  const words = l10n.t('Two-year records: {0}', split.map(splitLabel).join(', '));
  // What is read out begins with what is seen.
  return split.length === 1 ? words : `${splitText(split)}. ${words}`;
}
