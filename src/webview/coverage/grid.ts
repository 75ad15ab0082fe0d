import { html, render } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { CoverageLook, CoverageView } from '../../protocol/coverage.ts';
import type { CoverageRows } from '../../protocol/coverageRows.ts';
import { type Column, columnsOf } from './columns.ts';
import { headTemplate } from './head.ts';
import { rowTemplate } from './row.ts';

/** Height of a row in px; the style sheet says the same. */
const rowHeight = 26;
/** So many rows beyond each edge of the window are in the page too. */
const spareRows = 10;

/** A cell: its place among the rows shown, -1 for the head, and its column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface GridEvents {
  /** A cell was clicked, or chosen with Enter or Space. */
  choose(place: Place, column: Column): void;
  /** Another cell has the keyboard, or the rows were scrolled. */
  moved(): void;
}

/**
 * The matrix as a grid: one stop of the Tab key, cells by arrow keys, Home and End, with Ctrl to the corners, Page Up
 * and Page Down. Only the rows near the screen are in the page.
 */
export class Grid {
  readonly element = document.createElement('div');
  readonly #events: GridEvents;
  #view: CoverageView | undefined;
  #shown: CoverageRows | undefined;
  #look: CoverageLook | undefined;
  #columns: readonly Column[] = [];
  #active: Place;
  #wantedTop: number | undefined;
  #first = 0;
  #last = 0;

  constructor(events: GridEvents, start: { readonly place: Place; readonly top: number }) {
    this.#events = events;
    this.#active = start.place;
    this.#wantedTop = start.top;
    const { element } = this;
    element.className = 'grid';
    element.setAttribute('role', 'grid');
    element.setAttribute('aria-label', l10n.t('Companies by fiscal year'));
    element.addEventListener('keydown', (event) => this.#onKey(event));
    element.addEventListener('click', (event) => this.#onClick(event));
    element.addEventListener('focusin', (event) => this.#onFocus(event));
    element.addEventListener('scroll', () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#follow()).observe(element);
    element.addEventListener('scrollend', () => events.moved());
  }

  get active(): Place {
    return this.#active;
  }

  get top(): number {
    return this.#wantedTop ?? Math.round(this.element.scrollTop);
  }

  /** The company's row in the view at a place. */
  rowAt(place: Place): number | undefined {
    return this.#shown?.rows[place.row];
  }

  show(view: CoverageView, shown: CoverageRows, look: CoverageLook): void {
    const isNew = this.#view === undefined;
    this.#view = view;
    this.#shown = shown;
    this.#look = look;
    this.#columns = columnsOf(view);
    this.#active = this.#clamp(this.#active);
    this.draw();
    if (isNew) this.#settleScroll();
    this.#settleStop();
  }

  draw(): void {
    const { element } = this;
    const [view, shown, look] = [this.#view, this.#shown, this.#look];
    if (!view || !shown || !look) return;
    const columns = this.#columns;
    const years = columns.filter(({ kind }) => kind === 'year').length;
    const undated = view.years.includes(0) ? 1 : 0;
    element.style.setProperty('--years', String(Math.max(1, years - undated)));
    element.classList.toggle('has-undated', undated > 0);
    element.setAttribute('aria-rowcount', String(shown.rows.length + 1));
    element.setAttribute('aria-colcount', String(columns.length));
    const { first, last } = this.#range();
    const context = { view, shown, columns, gapYear: look.gapYear, active: this.#active };
    render(
      html`<div role="rowgroup" class="head-group">
          ${headTemplate(columns, look, this.#active.row === -1 ? this.#active.column : -1)}
        </div>
        <div role="rowgroup" class="body">
          <div class="window" role="presentation">
            ${repeat(
              shown.rows.slice(first, last),
              (row) => row,
              (row, index) => {
                const place = first + index;
                const column = this.#active.row === place ? this.#active.column : -1;
                // A row that stays as it was costs nothing.
                return guard([place, column, shown], () => rowTemplate(row, place, context));
              },
            )}
          </div>
        </div>`,
      element,
    );
    const body = element.querySelector<HTMLElement>('.body');
    const part = element.querySelector<HTMLElement>('.window');
    if (!body || !part) return;
    // Every row is as high as the next, so where each stands is known without measuring it.
    body.style.height = `${shown.rows.length * rowHeight}px`;
    part.style.transform = `translateY(${first * rowHeight}px)`;
    this.#first = first;
    this.#last = last;
  }

  /** The rows near the window: from the first, and up to but without the last. */
  #range(): { readonly first: number; readonly last: number } {
    const { scrollTop, clientHeight } = this.element;
    const rows = this.#shown?.rows.length ?? 0;
    const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight), rows) - spareRows);
    return { first, last: Math.min(rows, Math.ceil((scrollTop + clientHeight) / rowHeight) + spareRows) };
  }

  /** Draws the rows that came near the window, a few at a time rather than each by itself. */
  #follow(): void {
    const { first, last } = this.#range();
    const isFar = Math.abs(first - this.#first) >= spareRows / 2 || Math.abs(last - this.#last) >= spareRows / 2;
    const isAtEnd = first === 0 || last === this.#shown?.rows.length;
    if (isFar || (isAtEnd && (first !== this.#first || last !== this.#last))) this.draw();
    this.#settleStop();
  }

  /** Where the rows were before a reload; the newest years show where not all fit. */
  #settleScroll(): void {
    const top = this.#wantedTop ?? 0;
    const newest = this.#columns.findLastIndex((column) => column.kind === 'year' && column.year !== 0);
    const { element } = this;
    element.scrollTop = top;
    const cell = this.#cell({ row: -1, column: newest });
    if (cell) element.scrollLeft = Math.max(0, cell.offsetLeft + cell.offsetWidth - element.clientWidth);
    this.#wantedTop = undefined;
    this.#follow();
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
    if (event.altKey || !placeOf(event.target)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(this.#active);
      return;
    }
    const to = this.#destination(event);
    if (!to) return;
    event.preventDefault();
    this.#focus(this.#clamp(to));
  }

  #destination({ key, ctrlKey, metaKey }: KeyboardEvent): Place | undefined {
    const { row, column } = this.#active;
    const far = ctrlKey || metaKey;
    const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 2);
    const last = (this.#shown?.rows.length ?? 0) - 1;
    switch (key) {
      case 'ArrowDown':
        return { row: far ? last : row + 1, column };
      case 'ArrowUp':
        return { row: far ? -1 : row - 1, column };
      case 'ArrowRight':
        return { row, column: far ? this.#columns.length - 1 : column + 1 };
      case 'ArrowLeft':
        return { row, column: far ? 0 : column - 1 };
      case 'Home':
        return { row: far ? -1 : row, column: 0 };
      case 'End':
        return { row: far ? last : row, column: this.#columns.length - 1 };
      case 'PageDown':
        return { row: row + page, column };
      case 'PageUp':
        return { row: Math.max(row - page, Math.min(row, 0)), column };
      default:
        return undefined;
    }
  }

  #clamp({ row, column }: Place): Place {
    const last = (this.#shown?.rows.length ?? 0) - 1;
    return {
      row: Math.min(Math.max(row, -1), last),
      column: Math.min(Math.max(column, 0), Math.max(0, this.#columns.length - 1)),
    };
  }

  #choose(place: Place): void {
    const column = this.#columns[place.column];
    if (column) this.#events.choose(place, column);
  }

  #move(place: Place): void {
    this.#active = place;
    this.draw();
    this.#settleStop();
    this.#events.moved();
  }

  /** Scrolls to a cell and gives it the keyboard. */
  #focus(place: Place): void {
    this.#scrollTo(place.row);
    this.#move(place);
    const cell = this.#cell(place);
    cell?.focus({ preventScroll: true });
    if (cell) this.#reveal(cell);
  }

  #cell({ row, column }: Place): HTMLElement | null {
    return this.element.querySelector(`[data-index="${row}"] > [data-column="${column}"]`);
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
    const isThere = this.#cell(this.#active) !== null;
    this.element.tabIndex = isThere ? -1 : 0;
  }
}

function placeOf(target: EventTarget | null): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-index]');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset.index), column: Number(cell.dataset.column) };
}
