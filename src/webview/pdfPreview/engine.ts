import { l10n } from '../../base/l10n.ts';
import './newer.ts';
// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first.
import { AnnotationMode, getDocument, PDFWorker } from 'pdfjs-dist';
import { EventBus, PDFFindController, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs';
import type { Place, Zoom } from '../../protocol/pdfPreview.ts';
import { CharMaps, unpackNamed } from './charMaps.ts';
import { noTranslations } from './l10n.ts';
import { startWorker } from './launch.ts';
import { Links } from './links.ts';

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

/** What the engine tells, and asks for. */
export interface EngineEvents {
  onPlace(place: Place): void;
  onMatches(matches: Matches): void;
  openLink(address: string): void;
  /** Gives the script of the worker. */
  readWorker(): Promise<string>;
  /** Gives the packed character maps. */
  readCharMaps(): Promise<Uint8Array>;
  /** Told once a file when a picture in it is of a kind that can't be shown here. */
  onMissingPicture(): void;
}

type Loaded = Awaited<ReturnType<typeof getDocument>['promise']>;

/**
 * pdf.js and its viewer, with all that a report does not need switched off: no scripts of the PDF run, no forms, no
 * attachments, nothing is fetched. Pages are drawn as they come into view.
 */
export class Engine {
  readonly #events: EngineEvents;
  readonly #bus = new EventBus();
  readonly #links: Links;
  readonly #find: PDFFindController;
  readonly #viewer: PDFViewer;
  #worker: PDFWorker | undefined;
  #document: Loaded | undefined;
  #wanted: Place | undefined;
  #charMaps: Promise<CharMaps> | undefined;

  /** @param container an absolutely positioned element that scrolls, with one element in it */
  constructor(container: HTMLDivElement, events: EngineEvents) {
    this.#events = events;
    const eventBus = this.#bus;
    this.#links = new Links({ eventBus }, (address) => events.openLink(address));
    this.#find = new PDFFindController({ eventBus, linkService: this.#links, delay: 150 });
    this.#viewer = new PDFViewer({
      container,
      eventBus,
      linkService: this.#links,
      findController: this.#find,
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

  get place(): Place {
    return { page: this.#viewer.currentPageNumber, zoom: zoomOf(this.#viewer.currentScaleValue) };
  }

  /** The present zoom as a factor. */
  get scale(): number {
    return this.#viewer.currentScale;
  }

  /**
   * Shows a file, in the place of the one before, at a place in it. Rejects with a sentence for a person when it is not
   * a PDF, or one that asks for a password.
   */
  async open(bytes: Uint8Array, place: Place): Promise<void> {
    this.#worker ??= PDFWorker.create({ port: startWorker(await this.#events.readWorker()) });
    const worker = this.#worker;
    let document: Loaded;
    try {
      document = await getDocument({
        data: bytes,
        worker,
        enableXfa: false,
        // It gets none, but only with this it tells when a picture needs a decoder.
        useWasm: true,
        useWorkerFetch: false,
        BinaryDataFactory: this.#dataFactory(),
      }).promise;
    } catch (error) {
      throw new Error(sentence(error));
    }
    linksAlone(document);
    const before = this.#document;
    this.#document = document;
    this.#wanted = place;
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

  /** Where pdf.js gets what a PDF takes for granted: character maps are here, decoders and fonts are not. */
  #dataFactory() {
    const charMap = async (name: string) => {
      this.#charMaps ??= this.#events.readCharMaps().then((packed) => new CharMaps(unpackNamed(packed)));
      return (await this.#charMaps).get(name.replace(/\.bcmap$/, ''));
    };
    const events = this.#events;
    let isTold = false;
    return class {
      async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
        if (kind === 'cMapUrl') return charMap(filename);
        if (kind === 'wasmUrl' && !isTold && missingDecoder.test(filename)) {
          isTold = true;
          events.onMissingPicture();
        }
        throw new Error(`There is no ${filename} here.`);
      }
    };
  }

  #listen(): void {
    const tell = () => {
      if (this.#document && !this.#wanted) this.#events.onPlace(this.place);
    };
    this.#bus.on('pagesinit', () => {
      const { page, zoom } = this.#wanted ?? { page: 1, zoom: 'page-width' };
      this.#wanted = undefined;
      for (let index = 0; index < this.pages; index += 1) {
        this.#viewer.getPageView(index).div.setAttribute('aria-label', `Page ${index + 1}`);
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
      told(event.state === pending, event.matchesCount),
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

/** What decodes JPEG 2000: more than is left in the package. The one of JBIG2 and fax images is in the worker. */
const missingDecoder = /^openjpeg/;

/** pdf.js's `FindState.PENDING`. */
const pending = 3;

function zoomOf(value: string): Zoom {
  if (value === 'page-width' || value === 'page-fit') return value;
  const factor = Number(value);
  return factor >= 0.1 && factor <= 10 ? factor : 'page-width';
}

function sentence(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') {
    return l10n.t('This PDF asks for a password, which this preview can’t take. Open it in another PDF viewer.');
  }
  if (name === 'InvalidPDFException') {
    return l10n.t(
      'This file can’t be read as a PDF: it is damaged, or it is something else. Verify Downloaded PDFs tells whether it changed since it was downloaded.',
    );
  }
  return l10n.t('This PDF could not be opened. Try again, or open it in another PDF viewer.');
}
