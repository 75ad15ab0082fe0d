import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { ComparedColumn, ComparedGroup, ComparedRow } from '../../protocol/compare.ts';
import { icon } from '../common/icon.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { valueTemplate } from '../common/value.ts';
import { cellId } from './cellId.ts';

/** Longer text is cut until asked for, in characters: a column is narrow. */
const longestText = 160;

/** What a person can do in the table. */
export interface TableActions {
  setShowSame(show: boolean): void;
  openReport(column: number): void;
  explain(row: ComparedRow): void;
  copy(row: ComparedRow, column: number): void;
  open(cell: string): void;
  isOpen(cell: string): boolean;
  isCopied(cell: string): boolean;
}

/** What the table shows. */
export interface TableState {
  readonly columns: readonly ComparedColumn[];
  readonly different: readonly ComparedGroup[];
  readonly same: readonly ComparedGroup[];
  readonly isFiltered: boolean;
  readonly showSame: boolean;
}

/** Reports as columns, fields as rows; head and first column stay in sight. */
export function tableTemplate(state: TableState, actions: TableActions): TemplateResult {
  const { columns, different, same, isFiltered, showSame } = state;
  const sameCount = same.reduce((sum, { rows }) => sum + rows.length, 0);
  // A filter looks for a field wherever it is.
  const isSameShown = showSame || isFiltered;
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${l10n.t('Comparison')}>
    <table
      class="columns-${columns.length}"
      @keydown=${roveOnKey}
      @focusin=${roveOnFocus}
      ${ref(settleStop)}
    >
      <thead>
        <tr data-row>
          <th scope="col" class="corner"><span class="visually-hidden">${l10n.t('Field')}</span></th>
          ${columns.map((column, index) => headTemplate(column, index, actions))}
        </tr>
      </thead>
      ${different.map((group) => groupTemplate(group, columns.length, actions, differentCells))}
      ${different.length === 0 ? wholeLine(columns.length, isFiltered ? l10n.t('No differing field matches.') : l10n.t('The reports do not differ.')) : ''}
      <tbody>
        <tr class="divider" data-row>
          <th colspan=${columns.length + 1} scope="colgroup">
            <button
              class="fold"
              data-stop
              tabindex="-1"
              aria-expanded=${isSameShown}
              ?disabled=${sameCount === 0 || isFiltered}
              @click=${() => actions.setShowSame(!showSame)}
            >
              ${icon(isSameShown ? 'chevron-down' : 'chevron-right')}${l10n.t('The same in all reports')}
              <span class="count">${sameCount}</span>
            </button>
          </th>
        </tr>
      </tbody>
      ${isSameShown ? same.map((group) => groupTemplate(group, columns.length, actions, sameCells)) : ''}
    </table>
  </div>`;
}

function headTemplate(column: ComparedColumn, index: number, actions: TableActions): TemplateResult {
  const { title, language, company, type, fiscalYear, isGone } = column;
  return html`<th scope="col">
    <button class="link title" data-stop tabindex="-1" title=${l10n.t('Open {0}', title)} @click=${() => actions.openReport(index)}>
      <span lang=${language ?? nothing} dir="auto">${title}</span>
    </button>
    <div class="about"><bdi>${company}</bdi></div>
    <div class="about quiet">
      <bdi>${fiscalYear}</bdi> · <bdi>${type}</bdi>${isGone ? html` · <span class="gone">${icon('warning')}${l10n.t('withdrawn')}</span>` : ''}
    </div>
  </th>`;
}

type Cells = (row: ComparedRow, actions: TableActions) => unknown;

function groupTemplate(group: ComparedGroup, columns: number, actions: TableActions, cells: Cells): TemplateResult {
  return html`<tbody>
    <tr class="group">
      <th colspan=${columns + 1} scope="rowgroup"><span>${group.title} <span class="count">${group.rows.length}</span></span></th>
    </tr>
    ${repeat(
      group.rows,
      ({ id }) => id,
      (row) => html`<tr class="row" data-row=${row.id}>
        <th scope="row">${labelTemplate(row, actions)}</th>
        ${cells(row, actions)}
      </tr>`,
    )}
  </tbody>`;
}

function labelTemplate(row: ComparedRow, actions: TableActions): TemplateResult {
  const name = row.name === null ? '' : html`<span class="mono name">${row.name}</span>`;
  return row.isColumn
    ? html`<button
          class="label-link"
          data-stop
          tabindex="-1"
          title=${l10n.t('Open in the schema dictionary')}
          @click=${() => actions.explain(row)}
        >
          <bdi>${row.label}</bdi></button
        >${name}`
    : html`<bdi>${row.label}</bdi>${name}`;
}

function differentCells(row: ComparedRow, actions: TableActions): TemplateResult[] {
  return row.cells.map((_, index) => html`<td>${cellTemplate(row, index, actions)}</td>`);
}

/** One cell tells it for all. */
function sameCells(row: ComparedRow, actions: TableActions): TemplateResult {
  return html`<td colspan=${row.cells.length}>${cellTemplate(row, 0, actions)}</td>`;
}

function cellTemplate(row: ComparedRow, index: number, actions: TableActions): TemplateResult | '' {
  const cell = row.cells[index];
  if (!cell) return '';
  const id = cellId(row.id, index);
  return html`<div class="cell">
    <div class="cell-value">${valueTemplate(cell.value, actions.isOpen(id), () => actions.open(id), longestText)}</div>
    ${
      cell.copyable
        ? html`<span class="tools"
            ><button
              class="icon-button"
              data-stop
              tabindex="-1"
              aria-label=${l10n.t('Copy {0}, report {1}', row.label, index + 1)}
              title=${l10n.t('Copy')}
              @click=${() => actions.copy(row, index)}
            >
              ${icon(actions.isCopied(id) ? 'check' : 'copy')}
            </button></span
          >`
        : ''
    }
  </div>`;
}

function wholeLine(columns: number, words: string): TemplateResult {
  return html`<tbody>
    <tr>
      <td colspan=${columns + 1} class="quiet none">${words}</td>
    </tr>
  </tbody>`;
}
