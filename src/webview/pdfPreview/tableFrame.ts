import type { PDFPageView } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
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
    this.#element.className = 'table-frame';
    this.#element.tabIndex = 0;
    this.#element.setAttribute('role', 'group');
    this.#element.setAttribute('aria-roledescription', l10n.t('frame'));
    this.#element.setAttribute(
      'aria-label',
      l10n.t('Area of the table. Arrow keys move it, with Shift they size it, Enter takes it.'),
    );
    this.#element.addEventListener('keydown', (event) => this.#onKey(event));
    pages.addEventListener('pointerdown', (event) => this.#onPress(event), { capture: true });
  }

  get page(): number | undefined {
    return this.#framed && pageOf(this.#framed.view);
  }

  /** Shows the frame on a page, with the keyboard in it. */
  show(view: PDFPageView, box: Area): void {
    this.#pages.classList.add('is-framing');
    this.#framed = { view, upright: uprightPage(view), box };
    this.draw();
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

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!this.#framed || ctrlKey || metaKey || altKey) return;
    const across = key === 'ArrowRight' ? step : key === 'ArrowLeft' ? -step : 0;
    const down = key === 'ArrowDown' ? step : key === 'ArrowUp' ? -step : 0;
    if (key === 'Enter') this.#events.chosen(this.#framed);
    else if (across !== 0 || down !== 0) this.#move(this.#framed, across, down, shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move({ view, upright, box }: Framed, across: number, down: number, isSizing: boolean): void {
    const { left, top, right, bottom } = box;
    const x = isSizing ? 0 : Math.max(-left, Math.min(across, upright.width - right));
    const y = isSizing ? 0 : Math.max(-top, Math.min(down, upright.height - bottom));
    const next = isSizing
      ? {
          ...box,
          right: Math.max(left + smallest, Math.min(right + across, upright.width)),
          bottom: Math.max(top + smallest, Math.min(bottom + down, upright.height)),
        }
      : { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
    this.#framed = { view, upright, box: next };
    this.draw();
    this.#scrollTo();
    this.#events.moved(this.#framed);
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
    const boxTo = ({ clientX, clientY }: PointerEvent): Area => {
      const [[a, b], [c, d]] = [
        pointOnPage(upright, view, down.clientX, down.clientY),
        pointOnPage(upright, view, clientX, clientY),
      ];
      const within = (value: number, most: number) => Math.max(0, Math.min(value, most));
      return {
        left: within(Math.min(a, c), upright.width),
        top: within(Math.min(b, d), upright.height),
        right: within(Math.max(a, c), upright.width),
        bottom: within(Math.max(b, d), upright.height),
      };
    };
    const move = (event: PointerEvent) => {
      this.#framed = { view, upright, box: boxTo(event) };
      this.draw();
    };
    const end = (event: PointerEvent) => {
      document.removeEventListener('pointermove', move);
      document.removeEventListener('pointerup', end);
      document.removeEventListener('pointercancel', end);
      const framed = { view, upright, box: boxTo(event) };
      const { left, top, right, bottom } = framed.box;
      // A mere click chooses nothing.
      if (event.type === 'pointerup' && this.#framed && right - left >= smallest && bottom - top >= smallest)
        this.#events.chosen(framed);
    };
    document.addEventListener('pointermove', move);
    document.addEventListener('pointerup', end);
    document.addEventListener('pointercancel', end);
  }
}
