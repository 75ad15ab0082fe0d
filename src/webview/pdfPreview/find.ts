// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first.
import 'pdfjs-dist/legacy/build/pdf.mjs';
import { PDFFindController } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';

/** What is being looked for. */
export interface Search {
  readonly text: string;
  readonly matchCase: boolean;
  /** What is found in place of the text, each by itself. */
  readonly terms?: readonly string[] | undefined;
}

/** What a search found so far; `current` is 0 while no match is shown. */
export interface Matches {
  readonly current: number;
  readonly total: number;
  readonly isSearching: boolean;
}

/** A match, with the words around it. */
export interface Hit {
  /** From 1. */
  readonly page: number;
  /** From 0 on its page. */
  readonly index: number;
  readonly before: string;
  readonly words: string;
  readonly after: string;
}

/** Most matches that are listed. */
export const maxHits = 2000;

/** Words around a match, in characters. */
const [wordsBefore, wordsAfter] = [40, 80];

/**
 * Finds as pdf.js does, and knows the words around each match. Scrolls to a match within the preview only: pdf.js would
 * scroll the editor around it too.
 */
export class FindController extends PDFFindController {
  readonly #container: HTMLElement;
  readonly #pages = new Map<number, readonly Hit[]>();
  /** The page that stays in view, from 1, also where nothing is found on it. */
  #stayOn: number | undefined;

  constructor(container: HTMLElement, options: ConstructorParameters<typeof PDFFindController>[0]) {
    const { linkService } = options;
    const page = {
      get: () => linkService.page,
      set: (next: number) => {
        if (!this.#strays) linkService.page = next;
      },
    };
    // pdf.js goes to the page of a match by this.
    super({ ...options, linkService: Object.create(linkService, { page }) });
    this.#container = container;
  }

  /** In the order of pages: all that was found so far, or as many as are listed. */
  get hits(): readonly Hit[] {
    return [...this.#pages.keys()].sort((a, b) => a - b).flatMap((page) => this.#pages.get(page) ?? []);
  }

  /** To be called before another search. A match on another page than `stayOn`, if that is given, is not gone to. */
  forget(stayOn?: number): void {
    this.#pages.clear();
    this.#stayOn = stayOn;
  }

  /** To be called before another match is gone to: all pages may be shown from now on. */
  release(): void {
    this.#stayOn = undefined;
  }

  /** Whether the match that was found lies elsewhere than on the page that stays in view. */
  get #strays(): boolean {
    return this.#stayOn !== undefined && this.selected?.pageIdx !== this.#stayOn - 1;
  }

  override match(...[query, content, pageIndex]: Parameters<PDFFindController['match']>) {
    const found = super.match(query, content, pageIndex);
    this.#pages.delete(pageIndex);
    const hits = (found ?? [])
      .slice(0, Math.max(0, maxHits - this.hits.length))
      .map(({ index: at, length }, index) => ({
        page: pageIndex + 1,
        index,
        before: content.slice(Math.max(0, at - wordsBefore), at),
        words: content.slice(at, at + length),
        after: content.slice(at + length, at + length + wordsAfter),
      }));
    if (hits.length > 0) this.#pages.set(pageIndex, hits);
    return found;
  }

  /** Makes a match the one that is shown, once pdf.js is asked for the next: it goes on from the one before. */
  goOnFrom({ page, index }: Hit): void {
    this.release();
    this._linkService.page = page;
    Object.assign(this._selected ?? {}, { pageIdx: page - 1, matchIdx: -1 });
    Object.assign(this._offset ?? {}, { pageIdx: page - 1, matchIdx: index - 1 });
    this._eventBus.dispatch('updatetextlayermatches', { source: this, pageIndex: -1 });
  }

  override scrollMatchIntoView(match: Parameters<PDFFindController['scrollMatchIntoView']>[0]): void {
    if (this.#strays) return;
    const { element } = match;
    // pdf.js calls nothing else of the element, and that only for the match to be shown.
    const shown = element && { scrollIntoView: () => scrollWithin(this.#container, element) };
    super.scrollMatchIntoView({ ...match, element: shown as HTMLElement });
  }
}

/** Brings an element to the top of what scrolls, below its scroll margin, and to the middle from side to side. */
function scrollWithin(container: HTMLElement, element: HTMLElement): void {
  const view = container.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const margin = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
  container.scrollBy(box.left + box.width / 2 - view.left - view.width / 2, box.top - view.top - margin);
}
