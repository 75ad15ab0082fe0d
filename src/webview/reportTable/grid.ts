import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { type Mark, markWords } from '../../protocol/format/facts.ts';
import {
  columnLook,
  type ShownColumn,
  type ShownRow,
  sized,
  startsOf,
  type TableOrder,
  type TableView,
  tableColumns,
} from '../../protocol/reportTable.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { placeOf, RowGrid } from '../common/rowGrid.ts';
import { dash, icon, keyWords, markTemplate, trackPointer } from '../common/widgets.ts';
import { type NearRows, shownCount } from './rows.ts';

/** Height of a row in px; the style sheet says the same. */
const rowHeight = 26;
/** px beyond the edges of the window in which columns are drawn too. */
const beside = 240;
/** Room at the right edge of the heads for what says how many columns are beyond it, in px. */
const moreWidth = 48;
/** How much wider or narrower a key makes a column, in px. */
const keyStep = 16;

interface TableGridEvents {
  openReport(row: ShownRow): void;
  sort(column: ShownColumn): void;
  /** Rows are selected by pointer or keyboard. */
  select(how: 'only' | 'toggle' | 'all' | 'none', from: number, to: number): void;
  copy(): void;
  /** A report becomes a favorite, or is one no longer; all that are selected where it is one of them. */
  star(row: ShownRow): void;
  /** The menu of what is selected is asked for on this row, which is to be selected first unless it is. */
  menu(event: MouseEvent, row: number): void;
  arrange(columns: ShownColumn[]): void;
  moved(rows: RowGrid): void;
}

/** The reports as a grid: rows and columns near the window alone are in the page. */
export class TableGrid {
  readonly rows: RowGrid;
  readonly #near: NearRows;
  readonly #events: TableGridEvents;
  #view: TableView | undefined;
  #columns: readonly ShownColumn[] = [];
  #starts: readonly number[] = [0];
  /** The columns that are drawn beside the first one, from one to before another. */
  #drawn: readonly [from: number, to: number] = [1, 12];
  /** How many columns end beyond the right edge. */
  #beyond = 0;
  /** The column whose head would be below what says so. */
  #covered = -1;
  /** What the first of two clicks met. */
  #clicked: ShownRow | undefined;
  #anchor = 0;
  #state = 0;

  constructor(near: NearRows, events: TableGridEvents, start: { readonly place: CellPosition; readonly top: number }) {
    this.#near = near;
    this.#events = events;
    this.rows = new RowGrid({
      label: l10n.t('Reports'),
      rowHeight,
      start,
      choose: (place, event) => this.#choose(place, event),
      moved: () => events.moved(this.rows),
      onKey: (event, active) => this.#onKey(event, active),
      led: (from, to, event) => this.#led(from, to, event.shiftKey),
      near: (first, last) => near.need(first, last),
      reveal: (column) => this.reveal(column),
    });
    const { element } = this.rows;
    element.ariaMultiSelectable = 'true';
    element.addEventListener('contextmenu', (event) => this.#onContextMenu(event));
    element.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    new ResizeObserver(() => this.#onScroll()).observe(element);
    element.addEventListener('pointerdown', (event) => this.#sizeByPointer(event));
    // The click at the end of a drag doesn't sort.
    element.addEventListener('click', (event) => hits(event, '.sizer') && event.stopPropagation(), { capture: true });
  }

  show(view: TableView, isSame: boolean): void {
    this.#view = view;
    if (!isSame) {
      this.#anchor = 0;
      this.rows.toTop();
    }
    this.#arrange(view.columns, false);
    this.redraw(view);
  }

  /** Rows came, or say something else. */
  redraw(view = this.#view): void {
    if (!view) return;
    this.#view = view;
    this.#state++;
    this.rows.show({
      rows: shownCount(view),
      columns: this.#columns.length,
      head: (stop) => this.#head(view.order, stop),
      row: (place, top) => this.#row(place, top),
    });
  }

  #arrange(columns: readonly ShownColumn[], draws = true): void {
    this.#columns = columns;
    this.#starts = startsOf(columns);
    this.rows.element.style.setProperty('--wide', `${this.#starts.at(-1)}px`);
    this.#drawn = this.#drawable();
    if (draws) this.redraw();
  }

  #onScroll(): void {
    const [from, to] = this.#drawable();
    const beyond = this.#countBeyond();
    const covered = this.#coveredBy(beyond);
    const isDrawn = from === this.#drawn[0] && to === this.#drawn[1];
    if (isDrawn && beyond === this.#beyond && covered === this.#covered) return;
    this.#drawn = [from, to];
    this.#beyond = beyond;
    this.#covered = covered;
    this.#state++;
    this.rows.draw();
  }

  #countBeyond(): number {
    const { scrollLeft, clientWidth } = this.rows.element;
    // The widest that rounding makes of an edge.
    return this.#starts.filter((end, at) => at > 0 && end > scrollLeft + clientWidth + 1).length;
  }

  #coveredBy(beyond: number): number {
    const { scrollLeft, clientWidth } = this.rows.element;
    const last = this.#columns.length - beyond - 1;
    return beyond > 0 && (this.#starts[last + 1] ?? 0) > scrollLeft + clientWidth - moreWidth ? last : -1;
  }

  #drawable(): [from: number, to: number] {
    const { scrollLeft, clientWidth } = this.rows.element;
    const starts = this.#starts;
    const end = scrollLeft + (clientWidth || 2000) + beside;
    const from = starts.findIndex((_, at) => (starts[at + 1] ?? 0) > scrollLeft - beside);
    const to = starts.findIndex((start) => start >= end);
    return [Math.max(1, from), Math.min(to === -1 ? starts.length : to, this.#columns.length)];
  }

  /** Scrolls sideways until a column stands clear of the first one, which stays at the start. */
  reveal(column: number): void {
    const { element } = this.rows;
    if (column === 0) {
      // It is always in sight; led to from another one, what stands beside it is too.
      if (this.rows.active.column !== 0) element.scrollLeft = 0;
      this.#onScroll();
      return;
    }
    const [start = 0, end = 0] = [this.#starts[column], this.#starts[column + 1]];
    const first = this.#columns[0]?.width ?? 0;
    if (start < element.scrollLeft + first) element.scrollLeft = start - first;
    else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth;
    this.#onScroll();
  }

  #choose({ row, column }: CellPosition, event: MouseEvent | KeyboardEvent): void {
    const head = this.#columns[column];
    if (row < 0) {
      if (head) this.#events.sort(head);
      return;
    }
    const shown = this.#near.at(row);
    if (event instanceof MouseEvent && hits(event, '.star')) {
      if (shown) this.#events.star(shown);
    } else if (event instanceof MouseEvent) this.#click(row, shown, event);
    else if (event.key === 'Enter') {
      if (shown) this.#events.openReport(shown);
    } else {
      this.#anchor = row;
      this.#events.select('toggle', row, row);
    }
  }

  #click(row: number, shown: ShownRow | undefined, event: MouseEvent): void {
    const isToggle = hits(event, '.tick') || event.ctrlKey || event.metaKey;
    if (event.detail > 1 && !isToggle && !event.shiftKey) {
      // The first click may have moved the rows, by what the tools show of a selection.
      if (this.#clicked) this.#events.openReport(this.#clicked);
      return;
    }
    this.#clicked = shown;
    if (event.shiftKey) {
      this.#events.select('only', this.#anchor, row);
      return;
    }
    this.#anchor = row;
    this.#events.select(isToggle ? 'toggle' : 'only', row, row);
  }

  /** A row that is not selected becomes so first. */
  #onContextMenu(event: MouseEvent): void {
    event.preventDefault();
    const { row = -1 } = placeOf(event.target) ?? {};
    const shown = this.#near.at(row);
    if (!shown) return;
    if (!shown.isSelected) this.#anchor = row;
    this.#events.menu(event, row);
  }

  #led(from: CellPosition, to: CellPosition, withShift: boolean): void {
    if (!withShift) this.#anchor = Math.max(0, to.row);
    else if (to.row !== from.row) this.#events.select('only', this.#anchor, Math.max(0, to.row));
  }

  #onKey(event: KeyboardEvent, { row, column }: CellPosition): boolean {
    const { key, shiftKey, altKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    if (altKey) return false;
    if (ctrl && !shiftKey && key.toLowerCase() === 'a') this.#events.select('all', 0, 0);
    else if (ctrl && !shiftKey && key.toLowerCase() === 'c' && row >= 0) this.#events.copy();
    else if (ctrl && !shiftKey && key.toLowerCase() === 'd' && row >= 0) {
      const shown = this.#near.at(row);
      if (shown) this.#events.star(shown);
    } else if (key === 'Escape' && (this.#view?.selection.count ?? 0) > 0) this.#events.select('none', 0, 0);
    else if (row < 0 && shiftKey && !ctrl && (key === 'ArrowLeft' || key === 'ArrowRight'))
      this.#sizeByKey(column, key === 'ArrowLeft' ? -keyStep : keyStep);
    else return false;
    return true;
  }

  /** Changes a column's width by its right edge. The new width is kept when the pointer is released. */
  #sizeByPointer(event: PointerEvent): void {
    const sizer = event.target;
    if (!(sizer instanceof HTMLElement) || !sizer.matches('.sizer') || event.button !== 0) return;
    const { column = 0 } = placeOf(sizer) ?? {};
    const before = this.#columns;
    const width = (before[column]?.width ?? 0) - event.clientX;
    sizer.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => this.#arrange(sized(before, column, width + clientX));
    trackPointer(sizer, move, ({ type }) => {
      if (type === 'pointercancel') this.#arrange(before);
      else if (this.#columns !== before) this.#events.arrange([...this.#columns]);
    });
  }

  #sizeByKey(column: number, step: number): void {
    const next = sized(this.#columns, column, (this.#columns[column]?.width ?? 0) + step);
    this.#arrange(next);
    this.#events.arrange(next);
  }

  /** The places of columns that are drawn: the first, those near the window, and the one that has the keyboard. */
  #places(): number[] {
    const [from, to] = this.#drawn;
    const { column } = this.rows.active;
    const near = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    const active = column > 0 && column < this.#columns.length ? [column] : [];
    return [...new Set([0, ...near, ...active])].sort((a, b) => a - b);
  }

  /** Cells stand where they would if all those before them were there. */
  #cellStyle(place: number, before: number | undefined): string {
    const gap = before === undefined ? 0 : (this.#starts[place] ?? 0) - (this.#starts[before + 1] ?? 0);
    return `width: ${this.#columns[place]?.width ?? 0}px; margin-inline-start: ${gap}px`;
  }

  #head(order: TableOrder, stop: number): TemplateResult {
    const places = this.#places();
    return html`<div class="row head" role="row" aria-rowindex="1" data-index="-1">
      ${byPlace(places, (place, at) => this.#headCell(place, this.#cellStyle(place, places[at - 1]), order, stop))}
      ${this.#beyond > 0 ? this.#moreTemplate(this.#beyond) : ''}
    </div>`;
  }

  /** Says at the right edge that there is more. The keyboard gets there by its arrow keys. */
  #moreTemplate(count: number): TemplateResult {
    const words = l10n.t('More columns: {0}', countText(count));
    const scroll = () => this.rows.element.scrollBy({ left: this.rows.element.clientWidth / 2 });
    return html`<span class="more-columns" aria-hidden="true" title=${words} @click=${scroll}>+${countText(count)}${icon('chevron-right')}</span>`;
  }

  #headCell(place: number, style: string, { column, descending }: TableOrder, stop: number): TemplateResult {
    const { id } = this.#columns[place] ?? { id: 'title' as const };
    const { label, kind } = columnLook(id);
    const isSorted = column === id;
    const sort = isSorted ? (descending ? 'descending' : 'ascending') : 'none';
    return html`<div
      class="cell ${place === 0 ? 'name' : ''} ${kind}-cell ${this.#covered === place ? 'beside-more' : ''}"
      role="columnheader"
      tabindex=${place === stop ? 0 : -1}
      data-column=${place}
      aria-colindex=${place + 1}
      aria-sort=${sort}
      aria-description=${l10n.t('Shift+Left Arrow and Shift+Right Arrow change the width.')}
      title=${l10n.t('Sort by {0}', label)}
      .style=${style}
    ><span>${label}</span>${isSorted ? icon(descending ? 'arrow-down' : 'arrow-up') : ''}<i class="sizer" aria-hidden="true"></i></div>`;
  }

  #row(place: number, top: number): unknown {
    const row = this.#near.at(place);
    return guard([row, place, top, this.#state], () => {
      const places = this.#places();
      const isSelected = row?.isSelected ?? false;
      return html`<div
        class="row ${isSelected ? 'selected' : ''}"
        role="row"
        aria-rowindex=${place + 2}
        aria-selected=${isSelected}
        aria-label=${row ? this.#words(row) : nothing}
        aria-busy=${row ? nothing : 'true'}
        data-index=${place}
        .style=${`top: ${top}px`}
      >
        ${byPlace(places, (column, at) => this.#cell(row, column, this.#cellStyle(column, places[at - 1])))}
      </div>`;
    });
  }

  #cell(row: ShownRow | undefined, place: number, style: string): TemplateResult {
    const { id } = this.#columns[place] ?? { id: 'title' as const };
    const { kind } = columnLook(id);
    const value = row?.cells[tableColumns.indexOf(id)] ?? null;
    const content = row ? cellTemplate(kind, id === 'has_file' && row.isHere, value) : '';
    const isFirst = place === 0;
    return html`<div class="cell ${isFirst ? 'name' : ''} ${kind}-cell" role=${isFirst ? 'rowheader' : 'gridcell'} tabindex="-1" data-column=${place} aria-colindex=${place + 1} .style=${style}>${
      isFirst ? html`<span class="tick" aria-hidden="true">${icon('check')}</span>` : ''
    }${content}${isFirst && row ? starTemplate(row) : ''}</div>`;
  }

  /** All that a row says, for a screen reader. */
  #words({ cells, isHere, isStarred }: ShownRow): string {
    const said = this.#columns
      .flatMap(({ id }) => {
        const value = cells[tableColumns.indexOf(id)] ?? null;
        if (value === null) return [];
        const { label, kind } = columnLook(id);
        if (id === 'has_file' && isHere) return [l10n.t('Downloaded')];
        return [l10n.t('{0}: {1}', label, kind === 'mark' ? markWords(value as Mark) : value)];
      })
      .join(', ');
    return isStarred ? l10n.t('{0}, {1}', said, l10n.t('Favorite')) : said;
  }
}

/** Each column keeps its element while others come and go beside it, and with it the keyboard. */
function byPlace(places: readonly number[], cell: (place: number, at: number) => TemplateResult): unknown {
  return repeat(places, (place) => place, cell);
}

function hits({ target }: MouseEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** A favorite's star; for others an empty one where the pointer or keyboard is. */
function starTemplate({ isStarred }: ShownRow): TemplateResult {
  const does = isStarred ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites');
  const title = `${does} (${keyWords('ctrl', 'D')})`;
  return html`<span class="star ${isStarred ? 'starred' : ''}" aria-hidden="true" title=${title}>${icon(isStarred ? 'star-full' : 'star-empty')}</span>`;
}

function cellTemplate(kind: 'text' | 'number' | 'mark', isHere: boolean, value: string | null): TemplateResult {
  if (isHere)
    return html`<span class="answer here">${icon('circle-large-filled')}<span>${l10n.t('Downloaded')}</span></span>`;
  if (value === null) return dash(l10n.t('No value'));
  if (kind === 'mark') return markTemplate({ mark: value as Mark, words: markWords(value as Mark) });
  return html`<bdi>${value}</bdi>`;
}
