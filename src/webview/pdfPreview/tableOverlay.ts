import { html, render, type TemplateResult } from 'lit';
import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { trackPointer } from '../common/widgets.ts';
import { boxOf, type TableLines } from './tableGrid.ts';
import { layOver, pointOnPage, type UprightPage } from './uprightPage.ts';

const axes = ['columns', 'rows'] as const;
export type Axis = (typeof axes)[number];

/** A line of a table: the first and the last of an axis are its edges. */
export interface GridLine {
  readonly axis: Axis;
  readonly index: number;
}

/** What a person does to the lines. */
interface LineActs {
  move(place: GridLine, to: number, isOver: boolean): void;
  add(axis: Axis, at: number): void;
  remove(place: GridLine): void;
  focused(place: GridLine): void;
}

/** Nearest that two lines come to each other, in points. */
export const nearest = 2;

/** How far the arrow keys move a line, in points, without and with Shift. */
const [step, stride] = [1, 10];

/** The keys that move a line back and on. */
const arrows = { columns: ['ArrowLeft', 'ArrowRight'], rows: ['ArrowUp', 'ArrowDown'] } as const;

/** The lines of a table over its page. Each can be dragged and has the keyboard; outside the edges a click adds one. */
export class TableOverlay {
  readonly element = document.createElement('div');
  readonly #acts: LineActs;
  readonly #upright: UprightPage;

  constructor(upright: UprightPage, acts: LineActs) {
    this.#acts = acts;
    this.#upright = upright;
    this.element.className = 'table-lines';
    this.element.role = 'group';
    this.element.ariaLabel = l10n.t('Lines of the table');
  }

  /** Draws lines over their page, which may have been drawn anew itself. */
  draw(view: PDFPageView, grid: TableLines): void {
    const focused = this.element.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
    const lines = axes.flatMap((axis) => grid[axis].map((_, index) => this.#line({ axis, index }, grid, view)));
    render(html`${axes.map((axis) => this.#strip(axis, view))}${lines}`, this.element);
    if (this.element.parentElement !== view.div) view.div.append(this.element);
    const box = boxOf(grid);
    for (const element of this.element.querySelectorAll<HTMLElement>('.table-line')) {
      const { axis, index } = placeOf(element) ?? { axis: 'columns', index: 0 };
      const at = grid[axis][index] ?? 0;
      const own = axis === 'columns' ? { ...box, left: at, right: at } : { ...box, top: at, bottom: at };
      layOver(element, own, this.#upright, view);
      // A page that was turned since shows its columns one above another.
      const isVertical = Number.parseFloat(element.style.width) < Number.parseFloat(element.style.height);
      element.classList.toggle('vertical', isVertical);
      element.ariaOrientation = isVertical ? 'vertical' : 'horizontal';
    }
    const [above, beside] = this.element.querySelectorAll<HTMLElement>('.table-strip');
    if (above) layOver(above, { ...box, top: box.top - 12, bottom: box.top - 3 }, this.#upright, view);
    if (beside) layOver(beside, { ...box, left: box.left - 12, right: box.left - 3 }, this.#upright, view);
    // The elements may stand for other lines now, where there are more or fewer; on another page the keyboard was lost.
    const { activeElement } = document;
    if (focused && (activeElement === document.body || this.element.contains(activeElement))) this.focus(focused);
  }

  focus({ axis, index }: GridLine): void {
    const line = this.element.querySelector<HTMLElement>(`[data-axis="${axis}"][data-index="${index}"]`);
    line?.focus({ preventScroll: true });
  }

  #line(place: GridLine, grid: TableLines, view: PDFPageView): TemplateResult {
    const { axis, index } = place;
    const lines = grid[axis];
    const last = lines.length - 1;
    const side = axis === 'columns' ? this.#upright.width : this.#upright.height;
    return html`<div
      class=${index === 0 || index === last ? 'table-line edge' : 'table-line'}
      tabindex="0"
      data-axis=${axis}
      data-index=${index}
      role="separator"
      aria-label=${nameOf(place, last)}
      aria-valuemin=${Math.round(lines[index - 1] ?? 0)}
      aria-valuemax=${Math.round(lines[index + 1] ?? side)}
      aria-valuenow=${Math.round(lines[index] ?? 0)}
      @focus=${() => this.#acts.focused(place)}
      @keydown=${(event: KeyboardEvent) => this.#onKey(event, place, lines[index] ?? 0)}
      @dblclick=${() => this.#acts.remove(place)}
      @pointerdown=${(event: PointerEvent) => this.#drag(event, place, view)}
    ></div>`;
  }

  /** Above and beside the table, where a click adds a line. By keyboard the lines themselves do. */
  #strip(axis: Axis, view: PDFPageView): TemplateResult {
    const title = axis === 'columns' ? l10n.t('Add Column Line') : l10n.t('Add Row Line');
    const add = (event: MouseEvent) => this.#acts.add(axis, this.#placeAt(event, axis, view));
    return html`<div class="table-strip" data-axis=${axis} title=${title} @click=${add}></div>`;
  }

  #placeAt({ clientX, clientY }: MouseEvent, axis: Axis, view: PDFPageView): number {
    return pointOnPage(this.#upright, view, clientX, clientY)[axis === 'columns' ? 0 : 1];
  }

  #drag(down: PointerEvent, place: GridLine, view: PDFPageView): void {
    const line = down.currentTarget as HTMLElement;
    if (down.button !== 0) return;
    down.preventDefault();
    down.stopPropagation();
    line.focus({ preventScroll: true });
    line.setPointerCapture(down.pointerId);
    let [isMoved, last] = [false, 0];
    const move = (event: PointerEvent) => {
      isMoved ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 2;
      last = this.#placeAt(event, place.axis, view);
      if (isMoved) this.#acts.move(place, last, false);
    };
    trackPointer(line, move, () => isMoved && this.#acts.move(place, last, true));
  }

  #onKey(event: KeyboardEvent, place: GridLine, at: number): void {
    const { key, shiftKey } = event;
    const [back, on] = arrows[place.axis];
    const way = shiftKey ? stride : step;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === on) this.#acts.move(place, at + way, true);
    else if (key === back) this.#acts.move(place, at - way, true);
    else if (key === 'Delete' || key === 'Backspace') this.#acts.remove(place);
    else if (!key.startsWith('Arrow')) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function nameOf({ axis, index }: GridLine, last: number): string {
  const isColumn = axis === 'columns';
  if (index === 0) return isColumn ? l10n.t('Left edge') : l10n.t('Upper edge');
  if (index === last) return isColumn ? l10n.t('Right edge') : l10n.t('Lower edge');
  return isColumn
    ? l10n.t('Line between columns {0} and {1}', index, index + 1)
    : l10n.t('Line between rows {0} and {1}', index, index + 1);
}

function placeOf(element: Element | null): GridLine | undefined {
  const { axis, index } = element instanceof HTMLElement ? element.dataset : {};
  return axis === 'columns' || axis === 'rows' ? { axis, index: Number(index) } : undefined;
}
