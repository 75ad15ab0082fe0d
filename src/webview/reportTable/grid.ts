import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { type Mark, markWords } from '../../protocol/format/facts.ts';
import {
  columnLook,
  type ShownColumn,
  type ShownRow,
  sized,
  type TableOrder,
  type TableView,
} from '../../protocol/reportTable.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { placeOf, RowGrid } from '../common/rowGrid.ts';
import { dash, icon, keyWords, markTemplate, trackPointer } from '../common/widgets.ts';
import { type NearRows, shownCount } from './rows.ts';

/** Height of a row in px; the style sheet says the same. */
const rowHeight = 26;
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

/** The reports as a grid: only rows near the window are in the page. */
export class TableGrid {
  readonly rows: RowGrid;
  readonly #near: NearRows;
  readonly #events: TableGridEvents;
  #view: TableView | undefined;
  #columns: readonly ShownColumn[] = [];
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
    this.rows.element.style.setProperty('--wide', `${this.#end(columns.length - 1)}px`);
    if (draws) this.redraw();
  }

  /** How far from the start a column ends, in px. */
  #end(column: number): number {
    return this.#columns.slice(0, column + 1).reduce((sum, { width }) => sum + width, 0);
  }

  /** Counts the columns that end beyond the right edge, and finds the one whose head is below what says so. */
  #onScroll(): void {
    const { scrollLeft, clientWidth } = this.rows.element;
    const edge = scrollLeft + clientWidth;
    // The widest that rounding makes of an edge.
    const beyond = this.#columns.filter((_, at) => this.#end(at) > edge + 1).length;
    const last = this.#columns.length - beyond - 1;
    const covered = beyond > 0 && this.#end(last) > edge - moreWidth ? last : -1;
    if (beyond === this.#beyond && covered === this.#covered) return;
    this.#beyond = beyond;
    this.#covered = covered;
    this.rows.draw();
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

  #head(order: TableOrder, stop: number): TemplateResult {
    return html`<div class="row head" role="row" aria-rowindex="1" data-index="-1">
      ${this.#columns.map((column, place) => this.#headCell(column, place, order, stop))}
      ${this.#beyond > 0 ? this.#moreTemplate(this.#beyond) : ''}
    </div>`;
  }

  /** Says at the right edge that there is more. The keyboard gets there by its arrow keys. */
  #moreTemplate(count: number): TemplateResult {
    const words = l10n.t('More columns: {0}', countText(count));
    const scroll = () => this.rows.element.scrollBy({ left: this.rows.element.clientWidth / 2 });
    return html`<span class="more-columns" aria-hidden="true" title=${words} @click=${scroll}>+${countText(count)}${icon('chevron-right')}</span>`;
  }

  #headCell(
    { id, width }: ShownColumn,
    place: number,
    { column, descending }: TableOrder,
    stop: number,
  ): TemplateResult {
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
      .style=${`width: ${width}px`}
    ><span>${label}</span>${isSorted ? icon(descending ? 'arrow-down' : 'arrow-up') : ''}<i class="sizer" aria-hidden="true"></i></div>`;
  }

  #row(place: number, top: number): unknown {
    const row = this.#near.at(place);
    return guard([row, place, top, this.#state], () => {
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
        ${this.#columns.map((column, at) => cell(row, column, at))}
      </div>`;
    });
  }

  /** All that a row says, for a screen reader. */
  #words({ cells, isHere, isStarred }: ShownRow): string {
    const said = this.#columns
      .flatMap(({ id }) => {
        const value = cells[id] ?? null;
        if (value === null) return [];
        const { label, kind } = columnLook(id);
        if (id === 'has_file' && isHere) return [l10n.t('Downloaded')];
        return [l10n.t('{0}: {1}', label, kind === 'mark' ? markWords(value as Mark) : value)];
      })
      .join(', ');
    return isStarred ? l10n.t('{0}, {1}', said, l10n.t('Favorite')) : said;
  }
}

function cell(row: ShownRow | undefined, { id, width }: ShownColumn, place: number): TemplateResult {
  const { kind } = columnLook(id);
  // A column that was just added has its values a moment later.
  const value = row?.cells[id];
  const content = row && value !== undefined ? cellTemplate(kind, id === 'has_file' && row.isHere, value) : '';
  const isFirst = place === 0;
  return html`<div class="cell ${isFirst ? 'name' : ''} ${kind}-cell" role=${isFirst ? 'rowheader' : 'gridcell'} tabindex="-1" data-column=${place} aria-colindex=${place + 1} .style=${`width: ${width}px`}>${
    isFirst ? html`<span class="tick" aria-hidden="true">${icon('check')}</span>` : ''
  }${content}${isFirst && row ? starTemplate(row) : ''}</div>`;
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
