// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first.
import 'pdfjs-dist/legacy/build/pdf.mjs';
import { PDFLinkService } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';

/** Replaces pdf.js's own history, which would write into the browser's: that is the editor's here. */
export class NavigationHistory {
  /** The present position, as pdf.js's links express it. */
  present = '';
  readonly #viewer: { settle(): void; show(position: string): void };
  #before: string[] = [];
  #after: string[] = [];

  /** @param viewer brings `present` up to date, and goes to a position */
  constructor(viewer: { settle(): void; show(position: string): void }) {
    this.#viewer = viewer;
  }

  get canGoBack(): boolean {
    return this.#before.length > 0;
  }

  get canGoForward(): boolean {
    return this.#after.length > 0;
  }

  clear(): void {
    [this.present, this.#before, this.#after] = ['', [], []];
  }

  /** Called by pdf.js, too, before it follows a link. */
  pushCurrentPosition(): void {
    if (this.present === '' || this.#before.at(-1) === this.present) return;
    this.#before.push(this.present);
    this.#after = [];
  }

  /** Called by pdf.js with its destination; `present` follows by itself. */
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
    const position = from.pop();
    if (position === undefined) return;
    to.push(this.present);
    this.#viewer.show(position);
  }
}

/**
 * Links of a PDF. One that leads out of the PDF never becomes an address of the page: a click asks the editor, which
 * lets http and https through and asks the person.
 */
export class Links extends PDFLinkService {
  readonly #open: (address: string) => void;

  constructor(options: ConstructorParameters<typeof PDFLinkService>[0], open: (address: string) => void) {
    super(options);
    this.#open = open;
  }

  override addLinkAttributes(link: HTMLAnchorElement, url: string): void {
    link.href = '#';
    link.title = url;
    link.setAttribute('aria-label', l10n.t('Link to {0}', url));
    for (const type of ['click', 'auxclick', 'dragstart'])
      link.addEventListener(type, (event) => {
        event.preventDefault();
        event.stopPropagation();
        if (type === 'click') this.#open(url);
      });
  }

  override getDestinationHash(): string {
    return '#';
  }
}

/** Replaces pdf.js's translations: they write HTML, which the page's policy forbids. */
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
