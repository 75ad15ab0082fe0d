/**
 * A second scroll bar for a table both wider and longer than the window, whose own would be out of sight below: it
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
  follow(scroller: HTMLElement | null): void {
    if (!scroller || scroller === this.#scroller) return;
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
