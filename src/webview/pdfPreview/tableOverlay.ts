import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { boxOf, type TableLines } from './tableGrid.ts';
import { layOver, pointOnPage, type UprightPage } from './uprightPage.ts';

export type Axis = 'columns' | 'rows';

/** A line of a table: the first and the last of an axis are its edges. */
export interface GridLine {
  readonly axis: Axis;
  readonly index: number;
}

/** What a person does to the lines. */
export interface LineActs {
  move(place: GridLine, to: number, isOver: boolean): void;
  add(axis: Axis, at: number): void;
  remove(place: GridLine): void;
  focused(place: GridLine): void;
}

/** Nearest that two lines come to each other, in points. */
export const nearest = 2;

/** How far the arrow keys move a line, in points, without and with Shift. */
const [step, stride] = [1, 10];

/** The lines of a table over its page. Each can be dragged and has the keyboard; outside the edges a click adds one. */
export class TableOverlay {
  readonly element = document.createElement('div');
  readonly #acts: LineActs;
  readonly #upright: UprightPage;
  #grid: TableLines = { columns: [], rows: [] };
  #view: PDFPageView | undefined;

  constructor(upright: UprightPage, label: string, acts: LineActs) {
    this.#acts = acts;
    this.#upright = upright;
    this.element.className = 'table-lines';
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', label);
  }

  /** Draws lines over their page, which may have been drawn anew itself. */
  draw(view: PDFPageView, grid: TableLines): void {
    const focused = this.element.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
    const isKept = grid.columns.length === this.#grid.columns.length && grid.rows.length === this.#grid.rows.length;
    this.#grid = grid;
    this.#view = view;
    if (!isKept) this.#make();
    if (this.element.parentElement !== view.div) view.div.append(this.element);
    for (const line of this.element.querySelectorAll<HTMLElement>('.table-line')) this.#lay(line, view);
    for (const strip of this.element.querySelectorAll<HTMLElement>('.table-strip')) this.#layStrip(strip, view);
    if (focused && document.activeElement === document.body) this.focus(focused);
  }

  focus({ axis, index }: GridLine): void {
    const line = this.element.querySelector<HTMLElement>(`[data-axis="${axis}"][data-index="${index}"]`);
    line?.focus({ preventScroll: true });
  }

  #make(): void {
    const lines = (['columns', 'rows'] as const).flatMap((axis) =>
      this.#grid[axis].map((_, index) => this.#line({ axis, index })),
    );
    this.element.replaceChildren(this.#strip('columns'), this.#strip('rows'), ...lines);
  }

  #line(place: GridLine): HTMLElement {
    const line = document.createElement('div');
    line.className = 'table-line';
    line.tabIndex = 0;
    line.dataset.axis = place.axis;
    line.dataset.index = String(place.index);
    line.setAttribute('role', 'separator');
    line.setAttribute('aria-label', this.#nameOf(place));
    const isEdge = place.index === 0 || place.index === this.#grid[place.axis].length - 1;
    line.classList.toggle('edge', isEdge);
    line.addEventListener('focus', () => this.#acts.focused(place));
    line.addEventListener('keydown', (event) => this.#onKey(event, place));
    line.addEventListener('dblclick', () => this.#acts.remove(place));
    line.addEventListener('pointerdown', (event) => this.#drag(event, line, place));
    return line;
  }

  #nameOf({ axis, index }: GridLine): string {
    const last = this.#grid[axis].length - 1;
    if (axis === 'columns') {
      if (index === 0) return l10n.t('Left edge');
      return index === last ? l10n.t('Right edge') : l10n.t('Line between columns {0} and {1}', index, index + 1);
    }
    if (index === 0) return l10n.t('Upper edge');
    return index === last ? l10n.t('Lower edge') : l10n.t('Line between rows {0} and {1}', index, index + 1);
  }

  #lay(line: HTMLElement, view: PDFPageView): void {
    const { axis, index } = placeOf(line) ?? { axis: 'columns', index: 0 };
    const [lines, box] = [this.#grid[axis], boxOf(this.#grid)];
    const at = lines[index] ?? 0;
    const own = axis === 'columns' ? { ...box, left: at, right: at } : { ...box, top: at, bottom: at };
    layOver(line, own, this.#upright, view);
    // A page that was turned since shows its columns one above another.
    const isVertical = Number.parseFloat(line.style.width) < Number.parseFloat(line.style.height);
    line.classList.toggle('vertical', isVertical);
    line.setAttribute('aria-orientation', isVertical ? 'vertical' : 'horizontal');
    line.setAttribute('aria-valuemin', String(Math.round(lines[index - 1] ?? 0)));
    line.setAttribute('aria-valuemax', String(Math.round(lines[index + 1] ?? this.#sideOf(axis))));
    line.setAttribute('aria-valuenow', String(Math.round(at)));
  }

  #sideOf(axis: Axis): number {
    return axis === 'columns' ? this.#upright.width : this.#upright.height;
  }

  /** Above and beside the table, where a click adds a line. By keyboard the lines themselves do. */
  #strip(axis: Axis): HTMLElement {
    const strip = document.createElement('div');
    strip.className = 'table-strip';
    strip.dataset.axis = axis;
    strip.title = axis === 'columns' ? l10n.t('Add Column Line') : l10n.t('Add Row Line');
    strip.addEventListener('click', (event) => {
      const [x, y] = this.#pointAt(event);
      this.#acts.add(axis, axis === 'columns' ? x : y);
    });
    return strip;
  }

  #layStrip(strip: HTMLElement, view: PDFPageView): void {
    const box = boxOf(this.#grid);
    const isAbove = strip.dataset.axis === 'columns';
    const own = isAbove
      ? { ...box, top: box.top - 12, bottom: box.top - 3 }
      : { ...box, left: box.left - 12, right: box.left - 3 };
    layOver(strip, own, this.#upright, view);
  }

  #pointAt({ clientX, clientY }: MouseEvent): readonly [number, number] {
    return this.#view ? pointOnPage(this.#upright, this.#view, clientX, clientY) : [0, 0];
  }

  #drag(down: PointerEvent, line: HTMLElement, place: GridLine): void {
    if (down.button !== 0) return;
    down.preventDefault();
    down.stopPropagation();
    line.focus({ preventScroll: true });
    line.setPointerCapture(down.pointerId);
    let [isMoved, last] = [false, 0];
    const to = (event: PointerEvent) => this.#pointAt(event)[place.axis === 'columns' ? 0 : 1];
    const move = (event: PointerEvent) => {
      isMoved ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 2;
      last = to(event);
      if (isMoved) this.#acts.move(place, last, false);
    };
    const end = () => {
      for (const name of ['pointerup', 'pointercancel']) line.removeEventListener(name, end);
      line.removeEventListener('pointermove', move);
      if (isMoved) this.#acts.move(place, last, true);
    };
    line.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) line.addEventListener(name, end);
  }

  #onKey(event: KeyboardEvent, place: GridLine): void {
    const { key, shiftKey } = event;
    const lines = this.#grid[place.axis];
    const at = lines[place.index] ?? 0;
    const isColumn = place.axis === 'columns';
    const direction =
      key === (isColumn ? 'ArrowRight' : 'ArrowDown') ? 1 : key === (isColumn ? 'ArrowLeft' : 'ArrowUp') ? -1 : 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction !== 0) this.#acts.move(place, at + direction * (shiftKey ? stride : step), true);
    else if (key === 'Delete' || key === 'Backspace') this.#acts.remove(place);
    else if (!key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function placeOf(element: Element | null): GridLine | undefined {
  const { axis, index } = element instanceof HTMLElement ? element.dataset : {};
  return axis === 'columns' || axis === 'rows' ? { axis, index: Number(index) } : undefined;
}
