import { render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type CellPosition, destinationOf } from './cellKeys.ts';

/** px that title, tools, legend and head take at least of a window. */
const aboveRows = 140;

/** Rows beyond each edge of the window that are in the page too. */
const spareRows = 4;

/** What a grid shows. Cells carry `data-column`, rows `data-index`, -1 for the head. */
interface GridContent {
  readonly rows: number;
  readonly columns: number;
  /** The head, whose cell of this column is the stop of the Tab key; -1 for none. */
  head(stop: number): unknown;
  /** The row at a place, which stands so many px below the body's top. */
  row(place: number, top: number): unknown;
  /** A cell's tooltip, made when the pointer comes; the cell's own words by default. */
  titleOf?(place: CellPosition): string | undefined;
}

interface GridOptions {
  readonly label: string;
  /** In px; the style sheet says the same. */
  readonly rowHeight: number;
  /** The cell that has the keyboard first, and how far the rows are scrolled. */
  readonly start: { readonly place: CellPosition; readonly top: number };
  /** A cell was clicked, or chosen with Enter or Space. */
  choose(place: CellPosition, event: MouseEvent | KeyboardEvent): void;
  /** Another cell has the keyboard, or the rows were scrolled. */
  moved(): void;
  /** A key that the grid itself leaves alone, or means something else here. True when it was for this. */
  readonly onKey?: (event: KeyboardEvent, active: CellPosition) => boolean;
  /** The keyboard goes to a cell by a key. */
  readonly led?: (from: CellPosition, to: CellPosition, event: KeyboardEvent) => void;
  /** These rows are near the window; told before they are drawn. */
  readonly near?: (first: number, last: number) => void;
  /** It became narrower than its columns. */
  readonly turnedSideways?: () => void;
}

/**
 * Rows and columns as a grid: one stop of the Tab key, cells by arrow keys, Home and End, with Ctrl to
 * the corners, Page Up and Page Down. Only the rows near the screen are in the page.
 */
export class RowGrid {
  readonly element = document.createElement('div');
  readonly #head = document.createElement('div');
  readonly #body = document.createElement('div');
  readonly #options: GridOptions;
  #content: GridContent | undefined;
  #active: CellPosition;
  /** The cell that Tab reaches. */
  #stop: HTMLElement | null = null;
  #wantedTop: number | undefined;
  #height = Math.max(0, window.innerHeight - aboveRows);
  #isSideways = false;

  constructor(options: GridOptions) {
    this.#options = options;
    this.#active = options.start.place;
    this.#wantedTop = options.start.top;
    const { element } = this;
    element.className = 'grid';
    element.role = 'grid';
    element.tabIndex = -1;
    element.ariaLabel = options.label;
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
    element.addEventListener('scrollend', () => options.moved());
    const observer = new ResizeObserver(() => this.#onSize());
    observer.observe(element);
    observer.observe(this.#body);
  }

  get active(): CellPosition {
    return this.#active;
  }

  /** How far the rows are scrolled, in px. */
  get top(): number {
    return this.#wantedTop ?? Math.round(this.element.scrollTop);
  }

  show(content: GridContent): void {
    const isNew = this.#content === undefined;
    const hadKeyboard = this.element.contains(document.activeElement);
    this.#content = content;
    this.#active = this.#clamp(this.#active);
    const { element } = this;
    element.ariaRowCount = String(content.rows + 1);
    element.ariaColCount = String(content.columns);
    this.#body.style.height = `${content.rows * this.#options.rowHeight}px`;
    this.#drawHead();
    // Where the rows were before a reload.
    const isAtTop = isNew && !this.#wantedTop;
    if (isNew && this.#wantedTop) element.scrollTop = this.#wantedTop;
    this.#wantedTop = undefined;
    // Asked where it is, the browser would lay out the page twice before it shows anything.
    this.#follow(isAtTop ? 0 : element.scrollTop);
    if (hadKeyboard && !this.#body.contains(document.activeElement) && !this.#head.contains(document.activeElement))
      this.focus();
  }

  draw(): void {
    this.#drawHead();
    this.#follow();
  }

  toTop(): void {
    this.element.scrollTop = 0;
    this.#active = this.#clamp({ ...this.#active, row: Math.min(this.#active.row, 0) });
  }

  #revealRow(row: number): void {
    if (row < 0) return;
    const { rowHeight } = this.#options;
    const { element } = this;
    // The head, as high as a row, stays above the rows.
    const top = row * rowHeight;
    const bottom = top + 2 * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
  }

  #drawHead(): void {
    const { row, column } = this.#active;
    if (this.#content) render(this.#content.head(row === -1 ? column : -1), this.#head);
  }

  /** Has the rows in the page that are near the window now, and the one that has the keyboard. */
  #follow(top = this.element.scrollTop): void {
    const content = this.#content;
    if (!content) return;
    const { rowHeight, near } = this.#options;
    const count = content.rows;
    const room = Math.ceil(this.#height / rowHeight) + 1 + 2 * spareRows;
    const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - spareRows, count - room));
    const length = Math.min(room, count - first);
    if (length > 0) near?.(first, first + length - 1);
    const places = Array.from({ length }, (_, at) => first + at);
    const { row } = this.#active;
    const isAway = row >= 0 && row < count && (row < first || row >= first + room);
    if (isAway && this.#body.contains(document.activeElement)) places.splice(row < first ? 0 : places.length, 0, row);
    const rows = repeat(
      places,
      (place) => place,
      (place) => content.row(place, place * rowHeight),
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
    if (isSideways && !this.#isSideways) this.#options.turnedSideways?.();
    this.#isSideways = isSideways;
    this.#follow();
  }

  /** Gives a cell its tooltip when the pointer comes. */
  #describe(target: EventTarget | null): void {
    const place = placeOf(target);
    const cell = place && place.row >= 0 ? this.cell(place) : null;
    if (!place || !cell || cell.title !== '') return;
    cell.title = this.#content?.titleOf?.(place) ?? cell.ariaLabel ?? cell.textContent ?? '';
  }

  #onClick(event: MouseEvent): void {
    const place = placeOf(event.target);
    if (!place) return;
    this.#move(place);
    this.#options.choose(place, event);
  }

  #onFocus({ target }: FocusEvent): void {
    if (target === this.element) {
      this.focus();
      return;
    }
    const place = placeOf(target);
    if (place && (place.row !== this.#active.row || place.column !== this.#active.column)) this.#move(place);
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#options.onKey?.(event, this.#active)) {
      event.preventDefault();
      // The editor would take it for a key of its own, such as Select All.
      event.stopPropagation();
      return;
    }
    if (event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#options.choose(this.#active, event);
      return;
    }
    const to = destinationOf(event, this.#active, {
      rows: this.#content?.rows ?? 0,
      columns: this.#content?.columns ?? 0,
      page: Math.max(1, Math.floor(this.#height / this.#options.rowHeight) - 2),
    });
    if (!to) return;
    event.preventDefault();
    const from = this.#active;
    this.focus(this.#clamp(to));
    this.#options.led?.(from, this.#active, event);
  }

  #clamp({ row, column }: CellPosition): CellPosition {
    const { rows = 0, columns = 0 } = this.#content ?? {};
    return {
      row: Math.min(Math.max(row, -1), rows - 1),
      column: Math.min(Math.max(column, 0), Math.max(0, columns - 1)),
    };
  }

  #move(place: CellPosition): void {
    const wasHead = this.#active.row === -1;
    this.#active = place;
    if (wasHead || place.row === -1) this.#drawHead();
    this.#settleStop();
    this.#options.moved();
  }

  /** Gives the keyboard to a cell, by default to the one that had it last. */
  focus(place = this.#active): void {
    this.#revealRow(place.row);
    // Moving to a name by key also shows the columns beside it.
    if (place.column === 0 && this.#active.column !== 0) this.element.scrollLeft = 0;
    this.#active = place;
    this.#follow();
    this.#move(place);
    const cell = this.cell(place);
    cell?.focus({ preventScroll: true });
    this.reveal(place);
  }

  cell({ row, column }: CellPosition): HTMLElement | null {
    if (row < 0) return this.#head.querySelector(`[data-column="${column}"]`);
    return this.#body.querySelector(`[data-index="${row}"] > [data-column="${column}"]`);
  }

  /** Moves the grid sideways until a cell stands clear of the names, which stay at the start. */
  reveal(place: CellPosition): void {
    const cell = this.cell(place);
    if (!cell || cell.classList.contains('name')) return;
    const names = this.element.querySelector('.head .name')?.getBoundingClientRect();
    const [own, box] = [cell.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const start = Math.max(names?.right ?? 0, box.left);
    const end = box.left + this.element.clientWidth;
    if (own.left < start) this.element.scrollLeft -= start - own.left;
    else if (own.right > end) this.element.scrollLeft += own.right - end;
  }

  /** While the active cell's row is not in the page, the grid itself is what Tab reaches. */
  #settleStop(): void {
    const stop = this.cell(this.#active);
    if (stop !== this.#stop) {
      if (this.#stop) this.#stop.tabIndex = -1;
      this.#stop = stop;
    }
    if (stop && stop.tabIndex !== 0) stop.tabIndex = 0;
    const own = stop === null ? 0 : -1;
    if (this.element.tabIndex !== own || !this.element.hasAttribute('tabindex')) this.element.tabIndex = own;
  }
}

/** The cell that something in it happened to. */
export function placeOf(target: EventTarget | null): CellPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-index]');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset.index), column: Number(cell.dataset.column) };
}
