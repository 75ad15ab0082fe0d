import type { TriState } from '../../api/schemas/report.ts';
import { l10n } from '../../base/l10n.ts';

/** Three answers that must never look alike (CNV-2). */
export type Mark = 'yes' | 'no' | 'undetermined';

/** The mark of a three-valued fact. */
export function markOf(value: TriState): Mark {
  return value === null ? 'undetermined' : value ? 'yes' : 'no';
}

/** What each mark says about a standard, feature or statement, in words. */
export function markWords(mark: Mark): string {
  const words = { yes: l10n.t('Yes'), no: l10n.t('No'), undetermined: l10n.t('Undetermined') };
  return words[mark];
}

/** What the three answers are worth (CNV-2, CNV-3); stands wherever they do. */
export function marksNote(): string {
  return l10n.t(
    'Extracted from what the report states; not an audit. “No” says that the report shows it does not, “undetermined” that it leaves it open.',
  );
}

/** How a three-valued fact stands in the metadata columns (CNV-4). */
export const markColumnText: Readonly<Record<Mark, string>> = { yes: 'TRUE', no: 'FALSE', undetermined: '' };
