import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { type NumberStyle, numberStyles, printedNumber } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import { icon } from '../common/widgets.ts';
import type { TableCell } from './tableGrid.ts';
import { tool } from './tools.ts';

/** What a person may do beside the lines themselves. */
export interface TablePanelActs {
  copy(mayPick: boolean): void;
  addLine(axis: 'columns' | 'rows'): void;
  removeLine(): void;
  goOn(): void;
  close(): void;
  setHeader(hasHeader: boolean): void;
  setNumbers(column: number, style: NumberStyle | null): void;
}

interface TablePanelState {
  /** The cells of each part. */
  readonly parts: readonly (readonly (readonly TableCell[])[])[];
  readonly isFraming: boolean;
  /** Why the last frame gave nothing. */
  readonly note: string | undefined;
  /** Why the table can't be copied as it is. */
  readonly problem: string | undefined;
  readonly canRemove: boolean;
  readonly canGoOn: boolean;
  readonly hasHeader: boolean;
  readonly numbers: readonly (NumberStyle | null)[];
}

/** Most rows that are shown at once: all are copied. */
const shownRows = 300;

/** What stands below the pages while a table is copied: what to do, and the cells as they will be. */
export function tablePanelTemplate(state: TablePanelState, acts: TablePanelActs): TemplateResult {
  return html`<section class="table-panel" aria-label=${l10n.t('Copy Table')}>
    <div class="table-tools" role="group" aria-label=${l10n.t('Copy Table')}>
      <h2>${l10n.t('Copy Table')}</h2>
      <span class="quiet table-summary">${
        state.isFraming
          ? l10n.t('Draw a frame around the table, or move this one with the arrow keys and press Enter.')
          : sizeWords(state.parts)
      }</span>
      ${state.parts.length > 0 ? toolsTemplate(state, acts) : ''}
      ${tool(l10n.t('Close'), 'close', acts.close, { key: 'Esc' })}
    </div>
    ${noticeTemplate(state)} ${state.parts.length > 0 ? cellsTemplate(state, acts) : ''}
  </section>`;
}

export function cellsToCheck(parts: TablePanelState['parts']): number {
  return parts.flat(2).filter(({ mark }) => mark !== null).length;
}

/** How large a table is, and how many of its cells have to be looked at. */
export function sizeWords(parts: TablePanelState['parts']): string {
  const marked = cellsToCheck(parts);
  const size = [
    counted(parts[0]?.[0]?.length ?? 0, l10n.later('1 column'), l10n.later('{0} columns')),
    counted(parts.flat().length, l10n.later('1 row'), l10n.later('{0} rows')),
  ];
  const check = marked === 0 ? [] : [counted(marked, l10n.later('1 cell to check'), l10n.later('{0} cells to check'))];
  return [...size, ...check].join(' · ');
}

function toolsTemplate(state: TablePanelState, acts: TablePanelActs): TemplateResult {
  const { isFraming, canRemove, canGoOn, hasHeader, problem } = state;
  const toggle = (event: Event) => acts.setHeader((event.currentTarget as HTMLInputElement).checked);
  return html`<span class="group">
      ${tool(l10n.t('Add Column Line'), 'split-horizontal', () => acts.addLine('columns'), { key: 'c', disabled: isFraming })}
      ${tool(l10n.t('Add Row Line'), 'split-vertical', () => acts.addLine('rows'), { key: 'r', disabled: isFraming })}
      ${tool(l10n.t('Remove Line'), 'trash', acts.removeLine, { key: 'Del', disabled: isFraming || !canRemove })}
    </span>
    <label class="table-header"
      ><input type="checkbox" .checked=${live(hasHeader)} @change=${toggle} /> ${l10n.t('First row names the columns')}</label
    >
    <span class="group">
      <button class="text-button" ?disabled=${isFraming || !canGoOn} @click=${acts.goOn}>
        ${icon('arrow-down')} ${l10n.t('Continue on Next Page')}
      </button>
      <button class="text-button copy-table main" ?disabled=${isFraming || problem !== undefined} @click=${() => acts.copy(false)}>
        ${icon('table')} ${l10n.t('Copy')}
      </button>
      ${tool(l10n.t('Copy As…'), 'chevron-down', () => acts.copy(true), { disabled: isFraming || problem !== undefined })}
    </span>`;
}

function noticeTemplate({ note, problem }: TablePanelState): TemplateResult | '' {
  const words = note ?? problem;
  return words === undefined ? '' : html`<p class="table-notice">${icon('warning')} ${words}</p>`;
}

function cellsTemplate({ parts, hasHeader, numbers }: TablePanelState, acts: TablePanelActs): TemplateResult {
  const rows = parts.flat();
  const left = rows.length - shownRows;
  return html`<div class="table-cells" role="region" tabindex="0" aria-label=${l10n.t('Cells of the table')}>
    <table>
      <thead>
        <tr>
          ${numbers.map((style, column) => html`<td>${styleBox(column, style, acts)}</td>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, shownRows).map((row, index) => {
          const isHead = hasHeader && index === 0;
          return html`<tr class=${isHead ? 'head' : ''}>
            ${row.map((cell, column) => cellTemplate(cell, isHead ? null : (numbers[column] ?? null), isHead))}
          </tr>`;
        })}
      </tbody>
    </table>
    ${left > 0 ? html`<p class="quiet">${l10n.t('{0} more rows are copied, too.', countText(left))}</p>` : ''}
  </div>`;
}

function styleBox(column: number, style: NumberStyle | null, acts: TablePanelActs): TemplateResult {
  const choose = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    acts.setNumbers(column, numberStyles.find((one) => one === value) ?? null);
  };
  return html`<select aria-label=${l10n.t('Column {0} holds', column + 1)} @change=${choose}>
    <option value="" ?selected=${style === null}>${l10n.t('Text')}</option>
    ${numberStyles.map((one) => html`<option value=${one} ?selected=${style === one}>${one}</option>`)}
  </select>`;
}

const markWords = {
  crossed: l10n.later('Text crosses a line'),
  apart: l10n.later('Words stand apart: a line may be missing'),
} as const;

function cellTemplate({ text, mark }: TableCell, style: NumberStyle | null, isHead: boolean): TemplateResult {
  const content = html`${mark === null ? '' : markTemplate(l10n.word(markWords[mark]))}<bdi>${text}</bdi>${
    style === null || text.trim() === '' ? '' : numberTemplate(text, style)
  }`;
  const name = mark === null ? '' : 'marked';
  return isHead ? html`<th scope="col" class=${name}>${content}</th>` : html`<td class=${name}>${content}</td>`;
}

function markTemplate(words: string): TemplateResult {
  return html`<span class="cell-mark" title=${words}>${icon('warning')}<span class="visually-hidden">${words}. </span></span>`;
}

function numberTemplate(text: string, style: NumberStyle): TemplateResult {
  const value = printedNumber(text, style);
  return value === null
    ? html`<span class="cell-number none">${icon('circle-slash')} ${l10n.t('no number')}</span>`
    : html`<span class="cell-number"> = ${String(value)}</span>`;
}
