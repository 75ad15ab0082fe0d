import { html, nothing, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { CoverageView } from '../../protocol/coverage.ts';
import { cellState, cellWords, isSplit, splitLabel, yearLabel } from '../../protocol/coverageCell.ts';
import type { Cell, CoverageRows } from '../../protocol/coverageRows.ts';
import { stateMark } from '../common/coverageMark.ts';
import type { Column } from './columns.ts';

/** What a row is drawn from. */
export interface RowContext {
  readonly view: CoverageView;
  readonly shown: CoverageRows;
  readonly columns: readonly Column[];
  readonly gapYear: number | null;
  /** The cell that Tab reaches: a place among the rows shown, -1 for the head, and a column. */
  readonly active: { readonly row: number; readonly column: number };
}

/** One company; `index` is its place among the rows shown. */
export function rowTemplate(row: number, index: number, context: RowContext): TemplateResult {
  return html`<div class="row" role="row" aria-rowindex=${index + 2} data-index=${index}>
    ${context.columns.map((column, place) => cellTemplate(row, index, column, place, context))}
  </div>`;
}

function cellTemplate(
  row: number,
  index: number,
  column: Column,
  place: number,
  { view, shown, gapYear, active }: RowContext,
): TemplateResult {
  const stop = active.row === index && active.column === place ? 0 : -1;
  switch (column.kind) {
    case 'name': {
      const name = view.names[row] ?? '';
      return html`<div class="cell name" role="rowheader" tabindex=${stop} data-column=${place} title=${`${name}\n${view.keys[row]}`}>
        <bdi>${name}</bdi>
      </div>`;
    }
    case 'country':
      return html`<div class="cell country" role="gridcell" tabindex=${stop} data-column=${place}>
        <bdi>${view.countries[row] ?? '–'}</bdi>
      </div>`;
    case 'reports':
      return numberCell(shown.figures(row).reports, stop, place);
    case 'gaps':
      return numberCell(shown.figures(row).gaps, stop, place);
    case 'split': {
      const { split } = shown.figures(row);
      const words =
        split.length === 0
          ? l10n.t('No two-year records')
          : l10n.t('Two-year records: {0}', split.map(splitLabel).join(', '));
      return html`<div class="cell number" role="gridcell" tabindex=${stop} data-column=${place} title=${words}>
        <span aria-hidden="true">${splitText(split)}</span><span class="visually-hidden">${words}</span>
      </div>`;
    }
    case 'year': {
      const cell = shown.reader.cell(row, column.at);
      const words = wordsOf(cell, column.year);
      return html`<div
        class=${column.year === gapYear ? 'cell year marked' : 'cell year'}
        role="gridcell"
        tabindex=${stop}
        data-column=${place}
        title=${words}
        aria-label=${words}
      >
        ${yearMark(cell)}
      </div>`;
    }
    default:
      return column satisfies never;
  }
}

/** What is drawn for a company and a year. */
function yearMark({ count, marks, coveredBySplit }: Cell): TemplateResult {
  if (coveredBySplit && cellState(marks) === 'none') return html`<span class="split-tail" aria-hidden="true"></span>`;
  const split = isSplit(marks) ? html`<span class="split-mark" aria-hidden="true"></span>` : nothing;
  const many =
    count > 1 ? html`<span class="many" aria-hidden="true">${count === 255 ? '255+' : count}</span>` : nothing;
  return html`<span class="cell-mark">${stateMark(cellState(marks))}${split}${many}</span>`;
}

function wordsOf({ count, marks, coveredBySplit }: Cell, year: number): string {
  if (!coveredBySplit || cellState(marks) !== 'none') return cellWords(year, count, marks);
  return l10n.t(
    '{0}: covered by the two-year record {1}, filed under {2}',
    yearLabel(year),
    splitLabel(year - 1),
    year - 1,
  );
}

/** The last two-year record, and how many more there are. */
function splitText(split: readonly number[]): string {
  const last = split.at(-1);
  if (last === undefined) return '';
  return split.length === 1 ? splitLabel(last) : `${splitLabel(last)} +${split.length - 1}`;
}

function numberCell(value: number, stop: number, place: number): TemplateResult {
  return html`<div class="cell number" role="gridcell" tabindex=${stop} data-column=${place}>${value.toLocaleString(l10n.language())}</div>`;
}
