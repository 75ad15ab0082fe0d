// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first.
import 'pdfjs-dist/legacy/build/pdf.mjs';
import { PDFLinkService } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';

/**
 * Where a person has been in a PDF. In place of pdf.js's own, which writes into the browser's history: that is the
 * editor's here.
 */
export class Visited {
  /** Where the person is, as pdf.js's links say it. */
  present = '';
  readonly #viewer: { settle(): void; show(place: string): void };
  #before: string[] = [];
  #after: string[] = [];

  /** @param viewer brings `present` up to date, and goes to a place */
  constructor(viewer: { settle(): void; show(place: string): void }) {
    this.#viewer = viewer;
  }

  get canGoBack(): boolean {
    return this.#before.length > 0;
  }

  get canGoForward(): boolean {
    return this.#after.length > 0;
  }

  clear(): void {
    this.present = '';
    this.#before = [];
    this.#after = [];
  }

  /** Called by pdf.js, too, before it follows a link. */
  pushCurrentPosition(): void {
    if (this.present === '' || this.#before.at(-1) === this.present) return;
    this.#before.push(this.present);
    this.#after = [];
  }

  /** pdf.js tells where it goes; `present` follows by itself. */
  push(): void {}
  pushPage(): void {}

  back(): void {
    this.#go(this.#before, this.#after);
  }

  forward(): void {
    this.#go(this.#after, this.#before);
  }

  #go(from: string[], to: string[]): void {
    this.#viewer.settle();
    const place = from.pop();
    if (place === undefined) return;
    to.push(this.present);
    this.#viewer.show(place);
  }
}

/**
 * Links of a PDF. Those within it work as ever; one that leads out of it never becomes an address of the page: a click
 * tells the editor, which lets http and https through and asks the person.
 */
export class Links extends PDFLinkService {
  readonly #open: (address: string) => void;

  constructor(options: ConstructorParameters<typeof PDFLinkService>[0], open: (address: string) => void) {
    super(options);
    this.#open = open;
  }

  override addLinkAttributes(link: HTMLAnchorElement, url: string): void {
    const stop = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    link.href = '#';
    link.title = url;
    link.setAttribute('aria-label', l10n.t('Link to {0}', url));
    link.addEventListener('click', (event) => {
      stop(event);
      this.#open(url);
    });
    link.addEventListener('auxclick', stop);
    link.addEventListener('dragstart', stop);
  }

  override getDestinationHash(): string {
    return '#';
  }
}

/**
 * Stands where pdf.js would put its translations: they write HTML, which the page's policy forbids, and most of them
 * belong to tools that are not here.
 */
export const noTranslations = {
  getLanguage: () => 'en',
  getDirection: () => 'ltr',
  get: async (id: string) => id,
  async translate(): Promise<void> {},
  async translateOnce(): Promise<void> {},
  pause() {},
  resume() {},
  async destroy(): Promise<void> {},
};
