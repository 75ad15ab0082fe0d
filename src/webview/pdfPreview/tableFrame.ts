import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import { trackPointer } from '../common/widgets.ts';
import type { Area } from './tableGrid.ts';
import { layOver, pageOf, pointOnPage, type UprightPage, uprightPage } from './uprightPage.ts';

/** An area of a page that a person chose. */
export interface Framed {
  readonly view: PDFPageView;
  readonly upright: UprightPage;
  readonly box: Area;
}

interface FrameEvents {
  /** It moved, by keyboard. */
  moved(framed: Framed): void;
  chosen(framed: Framed): void;
}

/** Smallest side of an area, and how far the arrow keys move it, in points. */
const [smallest, step] = [10, 10];

/** Where the arrow keys lead: to the right, and down. */
const arrows: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowRight: [step, 0],
  ArrowLeft: [-step, 0],
  ArrowDown: [0, step],
  ArrowUp: [0, -step],
};

const bounded = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

/** The frame that a table is chosen with: drawn with the mouse on any page, or moved and sized with the arrow keys. */
export class TableFrame {
  readonly #pages: HTMLElement;
  readonly #viewOf: (page: number) => PDFPageView | undefined;
  readonly #events: FrameEvents;
  readonly #element = document.createElement('div');
  #framed: Framed | undefined;

  constructor(pages: HTMLElement, viewOf: (page: number) => PDFPageView | undefined, events: FrameEvents) {
    this.#pages = pages;
    this.#viewOf = viewOf;
    this.#events = events;
    const element = this.#element;
    element.className = 'table-frame';
    element.tabIndex = 0;
    element.role = 'group';
    element.ariaRoleDescription = l10n.t('frame');
    element.ariaLabel = l10n.t('Area of the table. Arrow keys move it, with Shift they size it, Enter takes it.');
    element.addEventListener('keydown', (event) => this.#onKey(event));
    pages.addEventListener('pointerdown', (event) => this.#onPress(event), { capture: true });
  }

  /** The page that it is on; undefined while it is not shown. */
  get page(): number | undefined {
    return this.#framed && pageOf(this.#framed.view);
  }

  /** Shows the frame on a page, with the keyboard in it. */
  show(view: PDFPageView, box: Area): void {
    this.#pages.classList.add('is-framing');
    this.#put({ view, upright: uprightPage(view), box });
    this.#element.focus({ preventScroll: true });
    this.#scrollTo();
  }

  hide(): void {
    this.#pages.classList.remove('is-framing');
    this.#framed = undefined;
    this.#element.remove();
  }

  /** Draws it again, where its page was drawn anew. */
  draw(): void {
    if (!this.#framed) return;
    const { view, upright, box } = this.#framed;
    const hadFocus = document.activeElement === this.#element || document.activeElement === document.body;
    if (this.#element.parentElement !== view.div) view.div.append(this.#element);
    layOver(this.#element, box, upright, view);
    if (hadFocus) this.#element.focus({ preventScroll: true });
  }

  #put(framed: Framed): void {
    this.#framed = framed;
    this.draw();
  }

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!this.#framed || ctrlKey || metaKey || altKey) return;
    const arrow = arrows[key];
    if (key === 'Enter') this.#events.chosen(this.#framed);
    else if (arrow) this.#move(this.#framed, arrow, shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move({ view, upright, box }: Framed, [across, down]: readonly [number, number], isSizing: boolean): void {
    const { left, top, right, bottom } = box;
    const x = bounded(across, -left, upright.width - right);
    const y = bounded(down, -top, upright.height - bottom);
    const next = isSizing
      ? {
          ...box,
          right: bounded(right + across, left + smallest, upright.width),
          bottom: bounded(bottom + down, top + smallest, upright.height),
        }
      : { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
    const framed = { view, upright, box: next };
    this.#put(framed);
    this.#scrollTo();
    this.#events.moved(framed);
  }

  /** Within the pages alone: the browser's own way would scroll the editor around them, too. */
  #scrollTo(): void {
    const [view, own] = [this.#pages.getBoundingClientRect(), this.#element.getBoundingClientRect()];
    const over = Math.max(0, own.bottom + 20 - view.bottom);
    this.#pages.scrollBy(0, own.top - over < view.top ? own.top - 20 - view.top : over);
  }

  #onPress(down: PointerEvent): void {
    const target = down.target instanceof Element ? down.target.closest<HTMLElement>('.page') : null;
    const view = target ? this.#viewOf(Number(target.dataset.pageNumber)) : undefined;
    if (!this.#framed || !view || down.button !== 0) return;
    // Nothing is selected meanwhile.
    down.preventDefault();
    down.stopPropagation();
    const upright = uprightPage(view);
    const placeOf = ({ clientX, clientY }: PointerEvent) => {
      const [x, y] = pointOnPage(upright, view, clientX, clientY);
      return [bounded(x, 0, upright.width), bounded(y, 0, upright.height)] as const;
    };
    const [a, b] = placeOf(down);
    const framedTo = (event: PointerEvent): Framed => {
      const [c, d] = placeOf(event);
      const box = { left: Math.min(a, c), top: Math.min(b, d), right: Math.max(a, c), bottom: Math.max(b, d) };
      return { view, upright, box };
    };
    const move = (event: PointerEvent) => {
      // A key may have ended the choice meanwhile.
      if (this.#framed) this.#put(framedTo(event));
    };
    trackPointer(document, move, (event) => {
      const framed = framedTo(event);
      const { left, top, right, bottom } = framed.box;
      // A mere click chooses nothing.
      const isLarge = right - left >= smallest && bottom - top >= smallest;
      if (event.type === 'pointerup' && this.#framed && isLarge) this.#events.chosen(framed);
    });
  }
}
