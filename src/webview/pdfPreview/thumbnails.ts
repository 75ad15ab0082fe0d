import type { Loaded } from './document.ts';

/** Width of a small picture, in CSS pixels. */
const width = 112;

/**
 * Small pictures of pages, drawn one after another while they are in view, and given back when they are not. A page's
 * element has its number as `data-page`, and one with the class `sheet` for the picture.
 */
export class Thumbnails {
  readonly #document: Loaded;
  readonly #turned: number;
  readonly #observer: IntersectionObserver;
  /** In view, and not drawn yet. */
  readonly #waiting = new Set<HTMLElement>();
  #isDrawing = false;
  #isDisposed = false;

  /**
   * @param list what scrolls; its pages are there by now
   * @param turned degrees that all pages are turned by, clockwise
   */
  constructor(list: HTMLElement, document: Loaded, turned: number) {
    this.#document = document;
    this.#turned = turned;
    this.#observer = new IntersectionObserver((entries) => this.#see(entries), { root: list, rootMargin: '200px 0px' });
    for (const page of list.querySelectorAll<HTMLElement>('[data-page]')) this.#observer.observe(page);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#observer.disconnect();
    this.#waiting.clear();
  }

  #see(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const page = target as HTMLElement;
      if (isIntersecting) this.#waiting.add(page);
      else {
        this.#waiting.delete(page);
        page.querySelector('.sheet')?.replaceChildren();
      }
    }
    void this.#drawWaiting();
  }

  async #drawWaiting(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    for (let [page] = this.#waiting; page; [page] = this.#waiting) {
      this.#waiting.delete(page);
      // A page that can't be drawn stays an empty sheet: the large one says why.
      await this.#draw(page).catch(() => undefined);
    }
    this.#isDrawing = false;
  }

  async #draw(element: HTMLElement): Promise<void> {
    const page = await this.#document.getPage(Number(element.dataset.page));
    const rotation = (page.rotate + this.#turned) % 360;
    const whole = page.getViewport({ scale: 1, rotation });
    const viewport = page.getViewport({ scale: (width * devicePixelRatio) / whole.width, rotation });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    await page.render({ canvas, viewport }).promise;
    const sheet = element.querySelector<HTMLElement>('.sheet');
    if (!sheet?.isConnected || this.#isDisposed) return;
    sheet.style.aspectRatio = `${canvas.width} / ${canvas.height}`;
    sheet.replaceChildren(canvas);
  }
}
