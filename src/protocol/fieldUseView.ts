import { l10n } from '../base/l10n.ts';
import { visibleText } from './format/visibleText.ts';
import type { FieldUseView, UsedField } from './schemaDictionary.ts';

/** What was counted of a column. */
interface CountedField {
  readonly column: string;
  readonly filled: number;
  /** Null when too many values occur. */
  readonly distinct: number | null;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** How the columns are filled, ready to be shown. `locale` is a BCP 47 tag for numbers. */
export function fieldUseView(counted: number, fields: readonly CountedField[], locale: string): FieldUseView {
  const amount = new Intl.NumberFormat(locale);
  return {
    kind: 'counted',
    words:
      counted === 1
        ? l10n.t('Counted over the 1 report in your library.')
        : l10n.t('Counted over the {0} reports in your library.', amount.format(counted)),
    fields: fields.map((field) => usedField(field, counted, locale)),
  };
}

/** How far the counting is. */
export function countingView(counted: number, total: number, locale: string): FieldUseView {
  const amount = new Intl.NumberFormat(locale);
  return {
    kind: 'counting',
    words: l10n.t('Counting {0} reports…', amount.format(total)),
    share: total === 0 ? 1 : Math.min(1, counted / total),
  };
}

/** The use of a column in one sentence, for reading without the page. */
export function usedFieldText({ filled, values, others }: UsedField): string {
  const told = values.map(({ value, count }) => `${value} (${count})`);
  const all = [...told, ...(others === null ? [] : [others])];
  const words = l10n.t('Filled in {0}.', filled);
  return all.length === 0 ? words : `${words} ${l10n.t('Occurs: {0}.', all.join(', '))}`;
}

function usedField({ column, filled, distinct, values }: CountedField, counted: number, locale: string): UsedField {
  const amount = new Intl.NumberFormat(locale);
  const share = counted === 0 ? 0 : filled / counted;
  return {
    column,
    share,
    filled: shareText(share, filled > 0 && filled < counted, locale),
    // A value that occurs once everywhere tells nothing as a list.
    values: isUnique(distinct, filled)
      ? []
      : values.map(({ value, count }) => ({ value: visibleText(value), count: amount.format(count) })),
    others: othersText(distinct, filled, values.length, amount),
  };
}

/** Neither 0 % nor 100 % is said of what is only nearly so. */
function shareText(share: number, isPartly: boolean, locale: string): string {
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const bounded = isPartly ? Math.min(0.99, Math.max(0.01, share)) : share;
  const sign = isPartly && share < 0.01 ? '< ' : isPartly && share > 0.99 ? '> ' : '';
  return `${sign}${percent.format(bounded)}`;
}

function othersText(distinct: number | null, filled: number, told: number, amount: Intl.NumberFormat): string | null {
  if (filled === 0) return null;
  if (distinct === null) return l10n.t('too many values to list');
  if (isUnique(distinct, filled)) return filled === 1 ? null : l10n.t('another value in every report');
  return distinct > told ? l10n.t('{0} more', amount.format(distinct - told)) : null;
}

function isUnique(distinct: number | null, filled: number): boolean {
  return distinct === filled && filled > 1;
}
