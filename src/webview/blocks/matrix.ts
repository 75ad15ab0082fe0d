import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { allBlocks, type Block, type BlockOf, type MatrixCell } from '../../protocol/blocks.ts';
import {
  type CellPosition,
  chosenCells,
  clamp,
  isSelected,
  movedSelection,
  type Selection,
} from '../common/cellKeys.ts';
import { announce } from '../common/widgets.ts';
import { type BlocksPage, piecesTemplate, run } from './pieces.ts';

type Matrix = BlockOf<'matrix'>;

/**
 * A second scroll bar for sections both wider and longer than the window, whose own would be out of sight below: it
 * stays at the window's lower edge. Each follows the other; the keyboard needs neither.
 */
export class SideBar {
  readonly element = document.createElement('div');
  readonly #extent = document.createElement('div');
  readonly #observer = new ResizeObserver(() => this.#measure());
  #scroller: HTMLElement | undefined;

  constructor() {
    const { element } = this;
    element.className = 'side-bar';
    element.ariaHidden = 'true';
    element.tabIndex = -1;
    element.append(this.#extent);
    element.addEventListener('scroll', () => this.#scroller?.scrollTo({ left: element.scrollLeft }), { passive: true });
  }

  /** What it scrolls from now on; its first child is as wide as all of it. */
  follow(scroller: HTMLElement): void {
    if (scroller === this.#scroller) return;
    this.#observer.disconnect();
    this.#scroller = scroller;
    scroller.addEventListener('scroll', () => this.element.scrollTo({ left: scroller.scrollLeft }), { passive: true });
    this.#observer.observe(scroller);
    if (scroller.firstElementChild) this.#observer.observe(scroller.firstElementChild);
    this.#measure();
  }

  #measure(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.element.hidden = scroller.scrollWidth <= scroller.clientWidth;
    this.#extent.style.width = `${scroller.scrollWidth}px`;
    this.element.scrollTo({ left: scroller.scrollLeft });
  }
}

/** Where the chosen range began; null while there is none. It ends at the cell that has the keyboard. */
let anchor: CellPosition | null = null;

function selectionOf({ state: { row, column } }: BlocksPage): Selection {
  return { active: { row, column }, anchor };
}

function matrixOf(blocks: readonly Block[]): Matrix | undefined {
  return allBlocks(blocks).find((block) => block.kind === 'matrix');
}

/** The names of the chosen cells, or of all; undefined without a range. */
export function chosenInMatrix(page: BlocksPage): { readonly cells: string[]; readonly isRange: boolean } | undefined {
  const matrix = matrixOf(page.view?.blocks ?? []);
  return matrix && { cells: chosenCells(matrix.rows, selectionOf(page)), isRange: anchor !== null };
}

/** The keyboard begins at the newest column; a cell that is not there any more gives way to the nearest. */
export function settleMatrix(page: BlocksPage, blocks: readonly Block[], isFirst: boolean): void {
  const matrix = matrixOf(blocks);
  if (!matrix) return;
  if (isFirst) anchor = null;
  const { row, column } = isFirst && !page.isBack ? { row: 0, column: matrix.start } : page.state;
  page.keep({ row: clamp(row, matrix.rows.length - 1), column: clamp(column, matrix.columns.length - 1) });
}

/** Columns by rows: arrow keys move, Shift chooses a range, Enter opens. */
export function matrixTemplate(page: BlocksPage, matrix: Matrix): TemplateResult {
  const { name, rowsName, columns, rows } = matrix;
  return html`<div
    class="table matrix"
    role="grid"
    aria-label=${name}
    aria-multiselectable="true"
    @keydown=${(event: KeyboardEvent) => onKey(page, matrix, event)}
  >
    <div class="row head" role="row">
      <div class="cell label" role="columnheader"><span class="visually-hidden">${rowsName}</span></div>
      ${columns.map((column) => html`<div class="cell" role="columnheader">${column}</div>`)}
    </div>
    ${rows.map(
      ({ label, code, cells }, row) => html`<div class="row" role="row">
        <div class="cell label" role="rowheader" title=${label}>
          <span class="quiet code">${code}</span><span class="words">${label}</span>
        </div>
        ${cells.map((cell, column) => cellTemplate(page, matrix, cell, { row, column }))}
      </div>`,
    )}
  </div>`;
}

function cellTemplate(page: BlocksPage, matrix: Matrix, cell: MatrixCell, place: CellPosition): TemplateResult {
  const { row, column } = place;
  const selection = selectionOf(page);
  const { active } = selection;
  const isChosen = isSelected(selection, row, column);
  const words = `${matrix.rows[row]?.label}, ${cell.words}`;
  const onClick = ({ shiftKey }: MouseEvent) => {
    select(page, matrix, { active: place, anchor: shiftKey ? (anchor ?? active) : null });
    if (!shiftKey) open(page, cell);
  };
  return html`<div
    class="cell ${isChosen ? 'chosen' : ''}"
    role="gridcell"
    data-place="${row} ${column}"
    tabindex=${active.row === row && active.column === column ? 0 : -1}
    aria-selected=${isChosen}
    aria-label=${words}
    title=${words}
    @click=${onClick}
  >
    <span class="cell-mark">${piecesTemplate(page, cell.pieces)}</span>
  </div>`;
}

function onKey(page: BlocksPage, matrix: Matrix, event: KeyboardEvent): void {
  if (event.altKey) return;
  const selection = selectionOf(page);
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    const { row, column } = selection.active;
    const cell = matrix.rows[row]?.cells[column];
    if (cell) open(page, cell);
    return;
  }
  const size = { rows: matrix.rows.length, columns: matrix.columns.length };
  const next = movedSelection(selection, event, size);
  if (!next) return;
  event.preventDefault();
  // The editor would take Ctrl+A for all text of the page.
  event.stopPropagation();
  select(page, matrix, next);
}

function select(page: BlocksPage, { rows }: Matrix, next: Selection): void {
  const wasRange = anchor !== null;
  anchor = next.anchor;
  const { row, column } = next.active;
  page.set({ row, column });
  const cell = page.root.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`);
  cell?.focus({ preventScroll: true });
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (anchor) announce(l10n.t('Selected cells: {0}', countText(chosenCells(rows, next).length)));
  else if (wasRange) announce(l10n.t('Selection cleared'));
}

function open(page: BlocksPage, { opens }: MatrixCell): void {
  if (opens === null) announce(l10n.t('No report here'));
  else void run(page, { act: 'openCell', at: opens });
}
