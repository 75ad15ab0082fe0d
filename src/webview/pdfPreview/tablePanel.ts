import { html, type TemplateResult } from 'lit';
import { columnNumbers, type NumberStyle, numberStyles } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import { icon, tool } from '../common/widgets.ts';
import type { Axis, TableCell } from './tableGrid.ts';

interface TablePanelState {
  /** Row by row; empty until a table is framed. */
  readonly cells: readonly (readonly TableCell[])[];
  /** Why the table can't be copied, or the frame gave nothing. */
  readonly note: string | undefined;
  /** How numbers are printed; null when all cells stay texts. */
  readonly style: NumberStyle | null;
  setStyle(style: NumberStyle | null): void;
  addLine(axis: Axis): void;
  /** Undefined while no line is chosen, or it is an edge. */
  readonly removeLine: (() => void) | undefined;
  /** Undefined while the table can't be copied. */
  readonly copy: ((mayPick: boolean) => void) | undefined;
  close(): void;
}

/** Maximum number of rows that are shown: all are copied. */
const shownRows = 300;

/** Shown below the pages while a table is copied: what to do, and the cells as they will be. */
export function tablePanelTemplate(state: TablePanelState): TemplateResult {
  const { cells, note } = state;
  const isFramed = cells.length > 0;
  return html`<section class="table-panel" aria-label=${l10n.t('Copy Table')}>
    <div class="table-tools" role="group" aria-label=${l10n.t('Copy Table')}>
      <h2>${l10n.t('Copy Table')}</h2>
      <span class="quiet table-summary">${
        isFramed
          ? sizeWords(cells)
          : l10n.t('Draw a frame around the table, or move this one with the arrow keys and press Enter.')
      }</span>
      ${isFramed ? toolsTemplate(state) : ''}
      ${tool(l10n.t('Close'), 'close', state.close, { key: 'Esc' })}
    </div>
    ${note === undefined ? '' : html`<p class="table-notice">${icon('warning')} ${note}</p>`}
    ${isFramed ? cellsTemplate(state) : ''}
  </section>`;
}

export function cellsToCheck(cells: TablePanelState['cells']): number {
  return cells.flat().filter(({ mark }) => mark !== null).length;
}

/** How large a table is, and how many of its cells have to be checked. */
export function sizeWords(cells: TablePanelState['cells']): string {
  const marked = cellsToCheck(cells);
  const size = [
    counted(cells[0]?.length ?? 0, l10n.later('1 column'), l10n.later('{0} columns')),
    counted(cells.length, l10n.later('1 row'), l10n.later('{0} rows')),
  ];
  const check = marked === 0 ? [] : [l10n.t('Cells to check: {0}', countText(marked))];
  return [...size, ...check].join(' · ');
}

function toolsTemplate({ style, setStyle, addLine, removeLine, copy }: TablePanelState): TemplateResult {
  const choose = ({ currentTarget }: Event) => {
    const { value } = currentTarget as HTMLSelectElement;
    setStyle(numberStyles.find((one) => one === value) ?? null);
  };
  return html`<span class="group">
      ${tool(l10n.t('Add Column Line'), 'split-horizontal', () => addLine('columns'), { key: 'c' })}
      ${tool(l10n.t('Add Row Line'), 'split-vertical', () => addLine('rows'), { key: 'r' })}
      ${tool(l10n.t('Remove Line'), 'trash', () => removeLine?.(), { key: 'Del', disabled: !removeLine })}
    </span>
    <label class="table-style"
      >${l10n.t('Numbers')}
      <select @change=${choose}>
        <option value="" ?selected=${style === null}>${l10n.t('Keep as text')}</option>
        ${numberStyles.map((one) => html`<option value=${one} ?selected=${style === one}>${one}</option>`)}
      </select></label
    >
    <span class="group">
      <button class="copy-table" ?disabled=${!copy} @click=${() => copy?.(false)}>
        ${icon('table')} ${l10n.t('Copy')}
      </button>
      ${tool(l10n.t('Copy As…'), 'chevron-down', () => copy?.(true), { disabled: !copy })}
    </span>`;
}

function cellsTemplate({ cells, style }: TablePanelState): TemplateResult {
  const [head = [], ...body] = cells;
  const numbers = head.map((_, column) => {
    const texts = body.map((row) => row[column]?.text ?? '');
    return columnNumbers(texts, style);
  });
  const left = body.length - shownRows;
  return html`<div class="table-cells" role="region" tabindex="0" aria-label=${l10n.t('Cells of the table')}>
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col" class=${markedClass(cell)}>${printedTemplate(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.slice(0, shownRows).map(
          (row, index) => html`<tr>
            ${row.map((cell, column) => {
              const value = cell.text.trim() === '' ? undefined : numbers[column]?.[index];
              return html`<td class=${markedClass(cell)}>${printedTemplate(cell)}${numberTemplate(value)}</td>`;
            })}
          </tr>`,
        )}
      </tbody>
    </table>
    ${left > 0 ? html`<p class="quiet">${l10n.t('{0} more rows will be copied.', countText(left))}</p>` : ''}
  </div>`;
}

const markWords = {
  crossed: l10n.later('Text crosses a line'),
  apart: l10n.later('Wide gap between words: a line may be missing'),
} as const;

const markedClass = ({ mark }: TableCell) => (mark === null ? '' : 'marked');

function printedTemplate({ text, mark }: TableCell): TemplateResult {
  if (mark === null) return html`<bdi>${text}</bdi>`;
  const words = l10n.word(markWords[mark]);
  return html`<span class="cell-mark" title=${words}>${icon('warning')}<span class="visually-hidden">${words}. </span></span
    ><bdi>${text}</bdi>`;
}

/** @param value undefined in a column of texts, and for an empty cell */
function numberTemplate(value: number | null | undefined): TemplateResult | '' {
  if (value === undefined) return '';
  return value === null
    ? html`<span class="cell-number none">${icon('circle-slash')} ${l10n.t('no number')}</span>`
    : html`<span class="cell-number"> = ${String(value)}</span>`;
}
