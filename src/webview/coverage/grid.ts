import { render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { CoverageLook, CoverageView } from '../../protocol/coverage.ts';
import type { CoverageRows } from '../../protocol/coverageRows.ts';
import { type CellPosition, destinationOf } from '../common/cellKeys.ts';
import { columnsOf, type GridColumn, headTemplate, type RowContext, rowHeight, rowTemplate } from './cells.ts';

/** px that title, tools, legend and head take at least of a window. */
const aboveRows = 140;

/** So many rows beyond each edge of the window are in the page too. */
const spareRows = 4;

interface GridEvents {
  /** A cell was clicked, or chosen with Enter or Space. */
  choose(place: CellPosition, column: GridColumn): void;
  /** Another cell has the keyboard, or the rows were scrolled. */
  moved(): void;
}

/**
 * The matrix as a grid: one stop of the Tab key, cells by arrow keys, Home and End, with Ctrl to the corners, Page Up
 * and Page Down. Only the rows near the screen are in the page.
 */
export class Grid {
  readonly element = document.createElement('div');
  readonly #head = document.createElement('div');
  readonly #body = document.createElement('div');
  readonly #events: GridEvents;
  #view: CoverageView | undefined;
  #shown: CoverageRows | undefined;
  #look: CoverageLook | undefined;
  #columns: readonly GridColumn[] = [];
  #active: CellPosition;
  /** The cell that Tab reaches. */
  #stop: HTMLElement | null = null;
  #wantedTop: number | undefined;
  #context: RowContext | undefined;
  #height = Math.max(0, window.innerHeight - aboveRows);
  #isSideways = false;

  constructor(events: GridEvents, start: { readonly place: CellPosition; readonly top: number }) {
    this.#events = events;
    this.#active = start.place;
    this.#wantedTop = start.top;
    const { element } = this;
    element.className = 'grid';
    element.role = 'grid';
    element.tabIndex = -1;
    element.ariaLabel = l10n.t('Companies by fiscal year');
    this.#head.className = 'head-group';
    this.#head.role = 'rowgroup';
    this.#body.className = 'body';
    this.#body.role = 'rowgroup';
    element.append(this.#head, this.#body);
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('click', (event) => this.#onClick(event));
    element.addEventListener('focusin', (event) => this.#onFocus(event));
    element.addEventListener('pointerover', ({ target }) => this.#describe(target));
    element.addEventListener('scroll', () => this.#follow(), { passive: true });
    element.addEventListener('scrollend', () => events.moved());
    const observer = new ResizeObserver(() => this.#onSize());
    observer.observe(element);
    observer.observe(this.#body);
  }

  get active(): CellPosition {
    return this.#active;
  }

  get top(): number {
    return this.#wantedTop ?? Math.round(this.element.scrollTop);
  }

  /** The company's row in the view at a place. */
  rowAt(place: CellPosition): number | undefined {
    return this.#shown?.rows[place.row];
  }

  /** `total` is how many rows there will be, where these are only the first. */
  show(view: CoverageView, shown: CoverageRows, look: CoverageLook, total = shown.rows.length): void {
    const isNew = this.#view === undefined;
    const hadKeyboard = this.element.contains(document.activeElement);
    this.#view = view;
    this.#shown = shown;
    this.#look = look;
    this.#columns = columnsOf(view);
    this.#active = this.#clamp(this.#active);
    const { element } = this;
    const columns = this.#columns;
    const dated = view.years.filter((year) => year !== 0).length;
    element.style.setProperty('--years', String(Math.max(1, dated)));
    element.classList.toggle('has-undated', dated < view.years.length);
    element.ariaRowCount = String(total + 1);
    element.ariaColCount = String(columns.length);
    this.#context = { view, shown, columns, gapYear: look.gapYear };
    this.#body.style.height = `${total * rowHeight}px`;
    this.#drawHead();
    // Where the rows were before a reload.
    const isAtTop = isNew && !this.#wantedTop;
    if (isNew && this.#wantedTop) element.scrollTop = this.#wantedTop;
    this.#wantedTop = undefined;
    // Asked where it is, the browser would lay out the page twice before it shows anything.
    this.#follow(isAtTop ? 0 : element.scrollTop);
    if (hadKeyboard && !this.#body.contains(document.activeElement) && !this.#head.contains(document.activeElement))
      this.#focus(this.#active);
  }

  #drawHead(): void {
    const { row, column } = this.#active;
    if (this.#look) render(headTemplate(this.#columns, this.#look, row === -1 ? column : -1), this.#head);
  }

  /** Has the rows in the page that are near the window now, and the one that has the keyboard. */
  #follow(top = this.element.scrollTop): void {
    const context = this.#context;
    if (!context) return;
    const count = context.shown.rows.length;
    const room = Math.ceil(this.#height / rowHeight) + 1 + 2 * spareRows;
    const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - spareRows, count - room));
    const places = Array.from({ length: Math.min(room, count - first) }, (_, at) => first + at);
    const { row } = this.#active;
    const isAway = row >= 0 && row < count && (row < first || row >= first + room);
    if (isAway && this.#body.contains(document.activeElement)) places.splice(row < first ? 0 : places.length, 0, row);
    const rows = repeat(
      places,
      (place) => place,
      (place) => rowTemplate(place, context),
    );
    render(rows, this.#body);
    this.#settleStop();
  }

  /** Runs after the layout and before the paint. */
  #onSize(): void {
    const { element } = this;
    // Told of before there is anything to show, when it is not in the page.
    if (!element.isConnected) return;
    this.#height = element.clientHeight;
    const isSideways = element.scrollWidth > element.clientWidth;
    // Names that stay in sight are a layer each for the browser: only where there is something to scroll sideways.
    element.classList.toggle('sideways', isSideways);
    if (isSideways && !this.#isSideways) this.#showNewest();
    this.#isSideways = isSideways;
    this.#follow();
  }

  /** The newest years show where not all fit. */
  #showNewest(): void {
    const newest = this.#columns.findLastIndex((column) => column.kind === 'year' && column.year !== 0);
    const cell = this.#cell({ row: -1, column: newest });
    if (cell) this.element.scrollLeft = Math.max(0, cell.offsetLeft + cell.offsetWidth - this.element.clientWidth);
  }

  /** Gives a cell its tooltip when the pointer comes. */
  #describe(target: EventTarget | null): void {
    const place = placeOf(target);
    const cell = place && place.row >= 0 ? this.#cell(place) : null;
    if (!place || !cell || cell.title !== '') return;
    const row = this.rowAt(place);
    const isName = this.#columns[place.column]?.kind === 'name';
    if (isName && row !== undefined) cell.title = `${this.#view?.names[row]}\n${this.#view?.keys[row]}`;
    else cell.title = cell.ariaLabel ?? cell.textContent ?? '';
  }

  #onClick({ target }: MouseEvent): void {
    const place = placeOf(target);
    if (!place) return;
    this.#move(place);
    this.#choose(place);
  }

  #onFocus({ target }: FocusEvent): void {
    if (target === this.element) {
      this.#focus(this.#active);
      return;
    }
    const place = placeOf(target);
    if (place && (place.row !== this.#active.row || place.column !== this.#active.column)) this.#move(place);
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(this.#active);
      return;
    }
    const to = destinationOf(event, this.#active, {
      rows: this.#shown?.rows.length ?? 0,
      columns: this.#columns.length,
      page: Math.max(1, Math.floor(this.#height / rowHeight) - 2),
    });
    if (!to) return;
    event.preventDefault();
    this.#focus(this.#clamp(to));
  }

  #clamp({ row, column }: CellPosition): CellPosition {
    const last = (this.#shown?.rows.length ?? 0) - 1;
    return {
      row: Math.min(Math.max(row, -1), last),
      column: Math.min(Math.max(column, 0), Math.max(0, this.#columns.length - 1)),
    };
  }

  #choose(place: CellPosition): void {
    const column = this.#columns[place.column];
    if (column) this.#events.choose(place, column);
  }

  #move(place: CellPosition): void {
    const wasHead = this.#active.row === -1;
    this.#active = place;
    if (wasHead || place.row === -1) this.#drawHead();
    this.#settleStop();
    this.#events.moved();
  }

  /** Scrolls to a cell and gives it the keyboard. */
  #focus(place: CellPosition): void {
    this.#scrollTo(place.row);
    this.#follow();
    this.#move(place);
    const cell = this.#cell(place);
    cell?.focus({ preventScroll: true });
    if (cell && this.#isSideways) this.#reveal(cell);
  }

  #cell({ row, column }: CellPosition): HTMLElement | null {
    if (row < 0) return this.#head.querySelector(`[data-column="${column}"]`);
    return this.#body.querySelector(`[data-index="${row}"] > [data-column="${column}"]`);
  }

  #scrollTo(row: number): void {
    if (row < 0) return;
    const { element } = this;
    // The head, as high as a row, stays above the rows.
    const top = row * rowHeight;
    const bottom = top + 2 * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }

  /** Moves the grid sideways until a cell stands clear of the names, which stay at the start. */
  #reveal(cell: HTMLElement): void {
    if (cell.classList.contains('name')) return;
    const names = this.element.querySelector('.head .name')?.getBoundingClientRect();
    const [own, box] = [cell.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const start = names?.right ?? box.left;
    const end = box.left + this.element.clientWidth;
    if (own.left < start) this.element.scrollLeft -= start - own.left;
    else if (own.right > end) this.element.scrollLeft += own.right - end;
  }

  /** While the active cell's row is not in the page, the grid itself is what Tab reaches. */
  #settleStop(): void {
    const stop = this.#cell(this.#active);
    if (stop !== this.#stop) {
      if (this.#stop) this.#stop.tabIndex = -1;
      this.#stop = stop;
    }
    if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
    const own = stop === null ? 0 : -1;
    if (this.element.tabIndex !== own || !this.element.hasAttribute('tabindex')) this.element.tabIndex = own;
  }
}

function placeOf(target: EventTarget | null): CellPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-index]');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset.index), column: Number(cell.dataset.column) };
}
