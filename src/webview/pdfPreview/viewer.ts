// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first. The legacy build
// brings what the oldest editor's browser (Chromium 142) lacks.
import { AnnotationMode, getDocument, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import {
  EventBus,
  FindState,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import 'pdfjs-dist/legacy/web/pdf_viewer.css';
import type { PdfjsFile, Position, Zoom } from '../../protocol/pdfPreview.ts';

/** What is being looked for. */
export interface Search {
  readonly text: string;
  readonly matchCase: boolean;
}

/** What a search found so far; `current` is 0 while no match is shown. */
export interface Matches {
  readonly current: number;
  readonly total: number;
  readonly isSearching: boolean;
}

/** What the viewer tells, and asks for. */
export interface ViewerEvents {
  onPosition(position: Position): void;
  onMatches(matches: Matches): void;
  openLink(address: string): void;
  /** Gives a file of pdf.js: its worker, a character map, a standard font, a decoder. */
  readFile(file: PdfjsFile): Promise<Uint8Array<ArrayBuffer>>;
}

type Loaded = Awaited<ReturnType<typeof getDocument>['promise']>;

/** Finds as pdf.js does, but scrolls to a match within the preview only: pdf.js would scroll the editor around it too. */
class FindController extends PDFFindController {
  readonly #container: HTMLElement;

  constructor(container: HTMLElement, options: ConstructorParameters<typeof PDFFindController>[0]) {
    super(options);
    this.#container = container;
  }

  override scrollMatchIntoView(match: Parameters<PDFFindController['scrollMatchIntoView']>[0]): void {
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

/**
 * pdf.js's viewer, with all that a report does not need switched off: no scripts of the PDF run, no forms, no
 * attachments, nothing is fetched. Pages are drawn as they come into view.
 */
export class Viewer {
  readonly #events: ViewerEvents;
  readonly #bus = new EventBus();
  readonly #links: Links;
  readonly #viewer: PDFViewer;
  #worker: Promise<PDFWorker> | undefined;
  #document: Loaded | undefined;
  #wanted: Position | undefined;

  /** @param container an absolutely positioned element that scrolls, with one element in it */
  constructor(container: HTMLDivElement, events: ViewerEvents) {
    this.#events = events;
    const eventBus = this.#bus;
    this.#links = new Links({ eventBus }, (address) => events.openLink(address));
    this.#viewer = new PDFViewer({
      container,
      eventBus,
      linkService: this.#links,
      findController: new FindController(container, { eventBus, linkService: this.#links, delay: 150 }),
      annotationMode: AnnotationMode.ENABLE,
      enableAutoLinking: false,
      // The declared type is a whole translation library.
      l10n: noTranslations as unknown as NonNullable<ConstructorParameters<typeof PDFViewer>[0]['l10n']>,
    });
    this.#links.setViewer(this.#viewer);
    this.#listen();
  }

  get pages(): number {
    return this.#document?.numPages ?? 0;
  }

  get position(): Position {
    return { page: this.#viewer.currentPageNumber, zoom: zoomOf(this.#viewer.currentScaleValue) };
  }

  /** The present zoom as a factor. */
  get scale(): number {
    return this.#viewer.currentScale;
  }

  /** Starts the worker that reads PDFs, once; it may start while the file is on its way. Rejects when its script can't be had. */
  async start(): Promise<PDFWorker> {
    this.#worker ??= this.#events
      .readFile({ folder: 'build', name: 'pdf.worker.min.mjs' })
      .then((script) => PDFWorker.create({ port: startWorker(script) }));
    try {
      return await this.#worker;
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }

  /**
   * Shows a file, in the place of the one before, at a position in it. Rejects with a sentence for a person when it is not
   * a PDF, or one that asks for a password.
   */
  async open(bytes: Uint8Array, position: Position): Promise<void> {
    const worker = await this.start();
    let document: Loaded;
    try {
      document = await getDocument({
        data: bytes,
        worker,
        enableXfa: false,
        // Fonts that each PDF reader has to know are drawn with pdf.js's own: a machine's may be of other widths.
        useSystemFonts: false,
        useWorkerFetch: false,
        BinaryDataFactory: this.#dataFactory(),
      }).promise;
    } catch (error) {
      throw new Error(sentence(error));
    }
    linksAlone(document);
    const before = this.#document;
    this.#document = document;
    this.#wanted = position;
    this.#viewer.setDocument(document);
    this.#links.setDocument(document);
    await before?.loadingTask.destroy();
  }

  goTo(page: number): void {
    if (this.pages > 0) this.#viewer.currentPageNumber = Math.min(Math.max(1, page), this.pages);
  }

  zoom(zoom: Zoom): void {
    this.#viewer.currentScaleValue = String(zoom);
  }

  zoomBy(steps: number): void {
    this.#viewer.updateScale({ steps });
  }

  /** Looks for a text; `again` goes on to the next match, or back to the one before. */
  find({ text, matchCase }: Search, again?: 'next' | 'previous'): void {
    this.#bus.dispatch('find', {
      source: this,
      type: again === undefined ? '' : 'again',
      query: text,
      caseSensitive: matchCase,
      entireWord: false,
      highlightAll: true,
      findPrevious: again === 'previous',
      matchDiacritics: false,
    });
  }

  endFind(): void {
    this.#bus.dispatch('findbarclose', { source: this });
  }

  /** Where pdf.js gets what a PDF takes for granted: each file comes from the editor when it is first needed. */
  #dataFactory() {
    const { readFile } = this.#events;
    return class {
      async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
        const folder = folders.get(kind);
        if (folder === undefined) throw new Error(`There is no ${kind} here.`);
        return readFile({ folder, name: filename });
      }
    };
  }

  #listen(): void {
    const tell = () => {
      if (this.#document && !this.#wanted) this.#events.onPosition(this.position);
    };
    this.#bus.on('pagesinit', () => {
      const { page, zoom } = this.#wanted ?? { page: 1, zoom: 'page-width' };
      this.#wanted = undefined;
      for (let index = 0; index < this.pages; index += 1) {
        this.#viewer.getPageView(index).div.setAttribute('aria-label', l10n.t('Page {0}', index + 1));
      }
      this.zoom(zoom);
      this.goTo(page);
      tell();
    });
    this.#bus.on('pagechanging', tell);
    this.#bus.on('scalechanging', tell);
    const told = (isSearching: boolean, { current, total }: Omit<Matches, 'isSearching'>) =>
      this.#events.onMatches({ current, total, isSearching });
    this.#bus.on('updatefindmatchescount', (event: { matchesCount: Matches }) => told(false, event.matchesCount));
    this.#bus.on('updatefindcontrolstate', (event: { state: number; matchesCount: Matches }) =>
      told(event.state === FindState.PENDING, event.matchesCount),
    );
  }
}

/** Of what lies on a page links alone can be used; notes, forms and attached files are drawn with it and do nothing. */
function linksAlone(document: Loaded): void {
  const getPage = document.getPage.bind(document);
  document.getPage = async (number) => {
    const page = await getPage(number);
    if (Object.hasOwn(page, 'getAnnotations')) return page;
    const getAnnotations = page.getAnnotations.bind(page);
    page.getAnnotations = async (options) =>
      (await getAnnotations(options)).filter(({ subtype }: { readonly subtype?: unknown }) => subtype === 'Link');
    return page;
  };
}

/** pdf.js's names for what it asks for, and our folders of them. */
const folders = new Map<string, PdfjsFile['folder']>([
  ['cMapUrl', 'cmaps'],
  ['standardFontDataUrl', 'standard_fonts'],
  ['wasmUrl', 'wasm'],
]);

/**
 * Links of a PDF. Those within it work as ever; one that leads out of it never becomes an address of the page: a click
 * tells the editor, which lets http and https through and asks the person.
 */
class Links extends PDFLinkService {
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
const noTranslations = {
  getLanguage: () => 'en',
  getDirection: () => 'ltr',
  get: async (id: string) => id,
  async translate(): Promise<void> {},
  async translateOnce(): Promise<void> {},
  pause() {},
  resume() {},
  async destroy(): Promise<void> {},
};

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Starts a worker from our own script: as a blob, because a worker's script has to be of the page's origin. */
function startWorker(script: Uint8Array<ArrayBuffer>): Worker {
  const blob = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('reportLibraryPdf', { createScriptURL: (url) => url });
  try {
    return new Worker(policy?.createScriptURL(blob) ?? blob, { type: 'module' });
  } finally {
    // The worker has its script by then, or has asked for it.
    setTimeout(() => URL.revokeObjectURL(blob), 60_000);
  }
}

function zoomOf(value: string): Zoom {
  if (value === 'page-width' || value === 'page-fit') return value;
  const factor = Number(value);
  return factor >= 0.1 && factor <= 10 ? factor : 'page-width';
}

function sentence(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') {
    return l10n.t('This PDF needs a password, which this preview doesn’t support. Open it in another PDF viewer.');
  }
  if (name === 'InvalidPDFException') {
    return l10n.t(
      'This file can’t be read as a PDF: it is damaged, or it is something else. Verify Downloaded PDFs tells whether it changed since it was downloaded.',
    );
  }
  return l10n.t('This PDF could not be opened. Try again, or open it in another PDF viewer.');
}
