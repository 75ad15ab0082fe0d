// pdf.js's viewer takes the rest of pdf.js from a global, which this import sets; it has to come first.
import { AnnotationMode, PDFWorker, TouchManager } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { EventBus, type PDFPageView, PDFViewer, SpreadMode } from 'pdfjs-dist/legacy/web/pdf_viewer.mjs';
import { l10n } from '../../base/l10n.ts';
import 'pdfjs-dist/legacy/web/pdf_viewer.css';
import type { Box } from '../../base/placedText.ts';
import type { OpenedPdf, Position, Zoom } from '../../protocol/pdfPreview.ts';
import { type Editor, keepLinksOnly, type Loaded, load, type PdfEvents, sentence } from './document.ts';
import { Links, NavigationHistory, noTranslations } from './links.ts';
import { boxOnScreen, layMarks, pageOf } from './pageGeometry.ts';

interface ViewerEvents {
  onPosition(position: Position): void;
  /** A page was drawn, maybe again: what others laid over it is gone. */
  onPageDrawn(page: number): void;
  openLink(address: string): void;
}

/** What is marked on a page. */
interface MarkedRegion {
  readonly page: number;
  readonly rectangles: readonly Box[];
}

/** A heading of a PDF's outline. */
export type OutlineEntry = Awaited<ReturnType<Loaded['getOutline']>>[number];

/**
 * pdf.js's viewer, with all that a report does not need switched off: no scripts of the PDF run, no forms, no
 * attachments, nothing is fetched. Pages are drawn as they come into view.
 */
export class Viewer {
  /** The PDF that is shown. */
  document: Loaded | undefined;
  readonly #container: HTMLElement;
  readonly #editor: Editor;
  readonly #events: ViewerEvents;
  readonly #bus = new EventBus();
  readonly #links: Links;
  readonly history: NavigationHistory;
  readonly #viewer: PDFViewer;
  #worker: PDFWorker | undefined;
  #task: ReturnType<typeof load> | undefined;
  #wanted: Position | undefined;
  #labels: readonly string[] | null = null;
  #drawn = Promise.withResolvers<void>();
  #regions: readonly MarkedRegion[] = [];
  /** Scrolled to when its page is drawn. */
  #awaited: { readonly page: number; readonly box: Box } | undefined;

  /** @param container an absolutely positioned element that scrolls, with one element in it */
  constructor(container: HTMLDivElement, editor: Editor, events: ViewerEvents) {
    this.#container = container;
    this.#editor = editor;
    this.#events = events;
    const eventBus = this.#bus;
    this.#links = new Links({ eventBus }, (address) => events.openLink(address));
    this.history = new NavigationHistory({
      // pdf.js reports the position with the next frame; a key may be faster.
      settle: () => this.#viewer.update(),
      show: (position) => this.#links.setHash(position),
    });
    this.#links.setHistory(this.history);
    this.#viewer = new PDFViewer({
      container,
      eventBus,
      linkService: this.#links,
      annotationMode: AnnotationMode.ENABLE,
      enableAutoLinking: false,
      // The declared type is a whole translation library.
      l10n: noTranslations as unknown as NonNullable<ConstructorParameters<typeof PDFViewer>[0]['l10n']>,
    });
    this.#links.setViewer(this.#viewer);
    this.#listen();
    this.#zoomByHand(container);
    this.#fitAgain(container);
  }

  get pages(): number {
    return this.document?.numPages ?? 0;
  }

  /** The present position, or the one to come once the file's pages are laid out. */
  get position(): Position {
    if (this.#wanted) return this.#wanted;
    const { pagesRotation, spreadMode } = this.#viewer;
    return {
      page: this.#viewer.currentPageNumber,
      zoom: zoomOf(this.#viewer.currentScaleValue),
      ...(pagesRotation !== 0 && { rotation: pagesRotation as NonNullable<Position['rotation']> }),
      ...(spreadMode !== SpreadMode.NONE && { spread: true }),
    };
  }

  /** The present zoom as a factor. */
  get scale(): number {
    return this.#viewer.currentScale;
  }

  /** What the PDF calls a page; undefined where that is its number. */
  label(page: number): string | undefined {
    return this.#labels?.[page - 1] || undefined;
  }

  /** A page by what a person calls it: its label, else its number; undefined when it is none. */
  pageOf(text: string): number | undefined {
    const labeled = this.#labels?.indexOf(text.trim()) ?? -1;
    const page = labeled >= 0 ? labeled + 1 : Number.parseInt(text, 10);
    return Number.isNaN(page) ? undefined : page;
  }

  /** How a page lies on the screen; undefined before it does. */
  pageView(page: number): PDFPageView | undefined {
    return this.#viewer.getPageView(page - 1);
  }

  /** Marks rectangles of pages, replaces earlier marks, and scrolls to the first. */
  showRegions(regions: readonly MarkedRegion[]): void {
    const pages = new Set([...this.#regions, ...regions].map(({ page }) => page));
    this.#regions = regions;
    for (const page of pages) this.#markRegions(page);
    const [first] = regions;
    const [box] = first?.rectangles ?? [];
    if (first && box) this.scrollTo(first.page, box);
  }

  get hasRegion(): boolean {
    return this.#regions.length > 0;
  }

  #markRegions(page: number): void {
    const view = this.pageView(page);
    const rectangles = this.#regions.filter((region) => region.page === page).flatMap((region) => region.rectangles);
    const marks = rectangles.map((box) => ({ box, className: 'region-mark' }));
    if (view) layMarks(view, 'region-marks', marks);
  }

  /** Scrolls within the preview only: near the top, and to the middle from side to side. */
  scrollTo(page: number, box: Box): void {
    const view = this.pageView(page);
    // Once it is drawn, its size is known for certain.
    this.#awaited = view?.div.hasAttribute('data-loaded') ? undefined : { page, box };
    if (this.#wanted) this.goTo(page);
    if (!view) return;
    const [around, own] = [this.#container.getBoundingClientRect(), boxOnScreen(view, box)];
    this.#container.scrollBy(own.x + own.width / 2 - around.x - around.width / 2, own.y - around.y - 80);
  }

  /**
   * Replaces the file that is shown.
   * @param position where to start, asked once the file is about to be shown
   * @throws Error with words for a person when it can't be shown; an opening that another one overtakes shows nothing
   */
  async open(file: OpenedPdf, events: PdfEvents, position: () => Position): Promise<void> {
    if (!globalThis.pdfWorker) throw new Error(sentence(null));
    this.#worker ??= PDFWorker.create({ port: globalThis.pdfWorker });
    const before = this.document?.loadingTask;
    if (this.#task !== before) void this.#task?.destroy();
    const task = load(this.#editor, file, this.#worker, events);
    this.#task = task;
    let document: Loaded;
    let labels: readonly string[] | null;
    try {
      document = await task.promise;
      keepLinksOnly(document);
      [labels] = await Promise.all([document.getPageLabels().catch(() => null), document.getPage(1)]);
    } catch (error) {
      throw new Error(sentence(error));
    }
    // It may be overtaken at each wait.
    if (this.#task !== task) return;
    this.#labels = labels?.some((label, index) => label !== String(index + 1)) ? labels : null;
    this.#wanted = position();
    this.document = document;
    [this.#regions, this.#awaited] = [[], undefined];
    this.history.clear();
    this.#drawn.resolve();
    this.#drawn = Promise.withResolvers();
    this.#viewer.setDocument(document);
    this.#links.setDocument(document);
    await before?.destroy();
  }

  /** Resolves once a page of the file is drawn, or can't be. */
  async whenDrawn(): Promise<void> {
    await this.#drawn.promise;
  }

  /** The headings of the PDF; none where it has none, or none that can be read. */
  async outline(): Promise<readonly OutlineEntry[]> {
    const entries: readonly OutlineEntry[] | null = (await this.document?.getOutline().catch(() => null)) ?? null;
    return entries ?? [];
  }

  /** Follows a heading: to its place, or out of the PDF. */
  async follow({ dest, url }: OutlineEntry): Promise<void> {
    if (url) this.#events.openLink(url);
    else if (dest) await this.#links.goToDestination(dest);
  }

  /** Scrolls to a page; in a file whose pages are not laid out yet, once they are. */
  goTo(page: number): void {
    if (this.#wanted) this.#wanted = { ...this.#wanted, page };
    else if (this.pages > 0) this.#viewer.currentPageNumber = Math.min(Math.max(1, page), this.pages);
  }

  /** Goes to a page from afar: Back leads to where the person was. */
  jumpTo(page: number): void {
    this.history.pushCurrentPosition();
    this.goTo(page);
  }

  zoom(zoom: Zoom): void {
    this.#viewer.currentScaleValue = String(zoom);
  }

  zoomBy(steps: number): void {
    this.#viewer.updateScale({ steps });
  }

  /** Turns all pages, clockwise. They have other heights then, and still the same one is shown. */
  rotate(): void {
    const { currentPageNumber } = this.#viewer;
    this.#viewer.pagesRotation += 90;
    this.#viewer.currentPageNumber = currentPageNumber;
  }

  /** Lays two pages side by side, the first one alone, as in a book; or one below another. */
  spread(isSpread: boolean): void {
    this.#viewer.spreadMode = isSpread ? SpreadMode.EVEN : SpreadMode.NONE;
  }

  #listen(): void {
    const reportPosition = () => {
      if (this.document && !this.#wanted) this.#events.onPosition(this.position);
    };
    this.#bus.on('pagesinit', () => {
      const { page, zoom, rotation = 0, spread = false } = this.#wanted ?? { page: 1, zoom: 'page-width' };
      this.#wanted = undefined;
      this.#viewer.setPageLabels(this.#labels as string[] | null);
      for (let index = 0; index < this.pages; index += 1) {
        this.#viewer.getPageView(index).div.setAttribute('aria-label', l10n.t('Page {0}', index + 1));
      }
      this.#viewer.pagesRotation = rotation;
      this.spread(spread);
      this.zoom(zoom);
      this.goTo(page);
      reportPosition();
    });
    for (const event of ['pagechanging', 'scalechanging', 'rotationchanging', 'spreadmodechanged'])
      this.#bus.on(event, reportPosition);
    this.#bus.on('updateviewarea', ({ location }: { location: { pdfOpenParams: string } }) => {
      this.history.present = location.pdfOpenParams.slice(1);
    });
    this.#bus.on('pagerendered', ({ source, error }: { source: PDFPageView; error: unknown }) => {
      this.#drawn.resolve();
      markDamaged(source.div, error !== null && error !== undefined);
      const page = pageOf(source);
      this.#markRegions(page);
      if (this.#awaited?.page === page) this.scrollTo(page, this.#awaited.box);
      this.#events.onPageDrawn(page);
    });
    this.#bus.on('annotationlayerrendered', ({ source }: { source: { div: HTMLElement } }) => {
      for (const link of source.div.querySelectorAll('.annotationLayer a:not([aria-label])'))
        link.setAttribute('aria-label', l10n.t('Link within this PDF'));
    });
  }

  /** What fits the window fits it when it, or the sidebar, has another width, too. */
  #fitAgain(container: HTMLElement): void {
    let fitted = '';
    new ResizeObserver(() => {
      // Scroll bars come and go with the zoom, and are no other size.
      const { offsetWidth, offsetHeight } = container;
      const size = `${offsetWidth} ${offsetHeight}`;
      if (size === fitted || offsetWidth === 0 || !this.document || this.#wanted) return;
      fitted = size;
      const { zoom } = this.position;
      if (typeof zoom === 'string') this.zoom(zoom);
    }).observe(container);
  }

  /** Zooms at the mouse with Ctrl and the wheel, which a touchpad's two fingers give too, and by touch. */
  #zoomByHand(container: HTMLElement): void {
    let owed = 1;
    const scaleBy = (factor: number, origin: number[]) => {
      // pdf.js rounds to a hundredth, which would swallow small steps.
      owed *= factor;
      if (Math.abs(owed - 1) < 0.02) return;
      this.#viewer.updateScale({ drawingDelay: 300, scaleFactor: owed, origin });
      owed = 1;
    };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const step = Math.max(-50, Math.min(50, event.deltaY));
      scaleBy(Math.exp(-step / 250), [event.clientX, event.clientY]);
    };
    container.addEventListener('wheel', onWheel, { passive: false });
    new TouchManager({
      container,
      onPinching: (origin: number[], before: number, now: number) => scaleBy(now / before, origin),
      signal: new AbortController().signal,
    });
  }
}

/** Shows or removes a note that a page is damaged. */
function markDamaged(page: HTMLElement, isDamaged: boolean): void {
  page.querySelector(':scope > .damaged')?.remove();
  if (!isDamaged) return;
  const note = document.createElement('p');
  note.className = 'damaged';
  note.textContent = l10n.t('This page is damaged and can’t be shown.');
  page.append(note);
}

function zoomOf(value: string): Zoom {
  if (value === 'page-width' || value === 'page-fit') return value;
  const factor = Number(value);
  return factor > 0 ? Math.max(0.1, Math.min(10, factor)) : 'page-width';
}
