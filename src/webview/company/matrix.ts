import { html, nothing, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { CompanyView } from '../../protocol/company.ts';
import { cellState, cellWords, isSplit, yearLabel } from '../../protocol/coverageCell.ts';
import { stateMark } from '../common/coverageMark.ts';
import { isSelected, type Place, type Selection } from './selection.ts';

/** What a person can do in the matrix. */
export interface MatrixActions {
  /** A cell was clicked; with Shift the range reaches to it. */
  click(place: Place, withShift: boolean): void;
  key(event: KeyboardEvent): void;
}

/** The heads of the columns, the same above every table. */
export function yearHeads(years: readonly number[], label: string): TemplateResult {
  return html`<div class="row head" role="row">
    <div class="cell label" role="columnheader"><span class="visually-hidden">${label}</span></div>
    ${years.map((year) => html`<div class="cell" role="columnheader">${yearLabel(year)}</div>`)}
  </div>`;
}

/** Fiscal years by families: arrow keys move, Shift chooses a range, Enter opens. */
export function matrixTemplate(view: CompanyView, selection: Selection, actions: MatrixActions): TemplateResult {
  return html`<div
    class="table matrix"
    role="grid"
    aria-label=${l10n.t('Reports by fiscal year')}
    aria-multiselectable="true"
    @keydown=${actions.key}
  >
    ${yearHeads(view.years, l10n.t('Reports'))}
    ${view.families.map(
      ({ label, code, cells }, row) => html`<div class="row" role="row">
        <div class="cell label" role="rowheader" title=${label}>
          <span class="words">${label}</span>${code === '' ? '' : html`<span class="quiet code">${code}</span>`}
        </div>
        ${cells.map((cell, column) => cellTemplate(cell, { row, column }, view, selection, actions))}
      </div>`,
    )}
  </div>`;
}

function cellTemplate(
  { marks, count }: { readonly marks: number; readonly count: number },
  place: Place,
  { years, families }: CompanyView,
  selection: Selection,
  actions: MatrixActions,
): TemplateResult {
  const { row, column } = place;
  const { active } = selection;
  const chosen = isSelected(selection, row, column);
  const words = `${families[row]?.label}, ${cellWords(years[column] ?? 0, count, marks)}`;
  return html`<div
    class="cell ${chosen ? 'chosen' : ''}"
    role="gridcell"
    data-place="${row} ${column}"
    tabindex=${active.row === row && active.column === column ? 0 : -1}
    aria-selected=${chosen}
    aria-label=${words}
    title=${words}
    @click=${(event: MouseEvent) => actions.click(place, event.shiftKey)}
  >
    <span class="cell-mark"
      >${stateMark(cellState(marks))}${isSplit(marks) ? html`<span class="split-mark" aria-hidden="true"></span>` : nothing}${
        count > 1 ? html`<span class="many" aria-hidden="true">${count}</span>` : nothing
      }</span
    >
  </div>`;
}
