import { html, nothing, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { CoverageLook } from '../../protocol/coverage.ts';
import { icon } from '../common/icon.ts';
import type { Column } from './columns.ts';

/** The grid's head: names sort, years look for gaps. */
export function headTemplate(columns: readonly Column[], look: CoverageLook, activeColumn: number): TemplateResult {
  return html`<div class="row head" role="row" aria-rowindex="1" data-index="-1">
    ${columns.map((column, place) => headCell(column, place, look, place === activeColumn ? 0 : -1))}
  </div>`;
}

function headCell(column: Column, place: number, look: CoverageLook, stop: number): TemplateResult {
  const isSorted = 'sort' in column && column.sort === look.sort;
  const order = !('sort' in column) ? nothing : isSorted ? (look.descending ? 'descending' : 'ascending') : 'none';
  const isGapYear = column.kind === 'year' && column.year === look.gapYear;
  return html`<div
    class="cell ${column.kind} ${isGapYear ? 'marked' : ''}"
    role="columnheader"
    tabindex=${stop}
    data-column=${place}
    aria-sort=${order}
    title=${headTitle(column, isGapYear)}
  >
    <span>${column.label}</span>${isSorted ? icon(look.descending ? 'arrow-down' : 'arrow-up') : ''}${
      isGapYear ? icon('filter-filled') : ''
    }
  </div>`;
}

function headTitle(column: Column, isGapYear: boolean): string {
  switch (column.kind) {
    case 'year':
      if (isGapYear) return l10n.t('Show all companies again');
      return column.year === 0
        ? l10n.t('Only companies without undated reports')
        : l10n.t('Only companies with a gap in {0}', column.label);
    case 'split':
      return l10n.t('Records that state two fiscal years; each is filed under the first');
    case 'gaps':
      return l10n.t('Years without a report, from the company’s first year to the last column. Choose to sort');
    case 'name':
      return l10n.t('Sort by company');
    case 'country':
      return l10n.t('Sort by country');
    case 'reports':
      return l10n.t('Sort by reports');
    default:
      return column satisfies never;
  }
}
