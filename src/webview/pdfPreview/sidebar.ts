import '@vscode-elements/elements/dist/vscode-tree/index.js';
import '@vscode-elements/elements/dist/vscode-tree-item/index.js';
import { html, render, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { ref } from 'lit/directives/ref.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { type SidebarTab, sidebarTabs } from '../../protocol/pdfPreview.ts';
import { rove } from '../common/roving.ts';
import { icon } from '../common/widgets.ts';
import type { Loaded } from './document.ts';
import type { Finder } from './find.ts';
import { showWithin } from './pageGeometry.ts';
import type { Acts } from './tools.ts';
import type { OutlineEntry, Viewer } from './viewer.ts';

/** What the sidebar shows beside what the viewer knows. */
interface SidebarState {
  readonly tab: SidebarTab;
  readonly page: number;
  readonly rotation: number;
  readonly outline: readonly OutlineEntry[];
  /** What is looked for; empty while nothing is. */
  readonly text: string;
}

const tabs = {
  outline: ['list-tree', l10n.later('Outline')],
  pages: ['files', l10n.later('Pages')],
  matches: ['search', l10n.later('Matches')],
} as const;

/** Most headings that are shown: a hostile PDF may have any number. */
const maxHeadings = 3000;

/** Most levels of them. */
const maxLevels = 50;

/** Most matches that are listed. */
const maxHits = 2000;

/** Words around a match, in characters. */
const [wordsBefore, wordsAfter] = [40, 80];

/** The outline, small pictures of the pages, and all matches of a search, one of them at a time. */
export class Sidebar {
  readonly #place: HTMLElement;
  readonly #viewer: Viewer;
  readonly #finder: Finder;
  readonly #acts: Acts;
  /** A pane without room for sidebar and pages, as in the style sheet. */
  readonly #narrow = matchMedia('(max-width: 620px)');
  /** The tab that lies over the pages of a narrow pane. */
  #over: SidebarTab | null = null;
  #list: HTMLElement | undefined;
  #thumbnails: AbortController | undefined;
  /** What the thumbnails were drawn from. */
  #drawnFrom: readonly unknown[] = [];
  #shownPage = 0;

  constructor(place: HTMLElement, viewer: Viewer, finder: Finder, acts: Acts) {
    this.#place = place;
    this.#viewer = viewer;
    this.#finder = finder;
    this.#acts = acts;
    this.#narrow.addEventListener('change', () => {
      this.#over = null;
      this.#release();
      acts.draw();
    });
  }

  /** The tab to be seen where this one is remembered: a narrow pane has none until it is asked for. */
  tab(kept: SidebarTab | null): SidebarTab | null {
    return this.#narrow.matches ? this.#over : kept;
  }

  get isOverPages(): boolean {
    return this.#narrow.matches && this.#over !== null;
  }

  /** Opens a tab, or closes the sidebar. What lies over the pages is not remembered. */
  show(tab: SidebarTab | null): void {
    if (tab === null) this.#release();
    this.#over = tab;
    if (this.#narrow.matches) this.#acts.draw();
    else this.#acts.keepTab(tab);
  }

  /** Draws a tab, or hides the sidebar. */
  draw(state: SidebarState | null): void {
    this.#place.hidden = state === null;
    render(state ? this.#template(state) : '', this.#place);
    if (state) this.#settle(state);
  }

  #template(state: SidebarState): TemplateResult {
    const [, name] = tabs[state.tab];
    return html`<div class="tabs" role="tablist" aria-label=${l10n.t('Sidebar')} ${ref(rove)}>
        <div role="presentation" data-row>${sidebarTabs.map((tab) => this.#tabTemplate(tab, state.tab))}</div>
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-label=${l10n.word(name)}>
        ${this.#content(state)}
      </div>`;
  }

  /** Draws thumbnails, and shows the present page among them. */
  #settle({ page, rotation }: SidebarState): void {
    const list = this.#list;
    const pdf = this.#viewer.document;
    const from = [list, pdf, rotation];
    if (from.some((part, index) => part !== this.#drawnFrom[index])) {
      this.#thumbnails?.abort();
      this.#thumbnails = list && pdf && drawThumbnails(list, pdf, rotation);
      [this.#drawnFrom, this.#shownPage] = [from, 0];
    }
    if (!list || this.#shownPage === page) return;
    this.#shownPage = page;
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const shown = list.querySelector<HTMLElement>(`[data-page="${page}"]`);
    shown?.setAttribute('aria-current', 'page');
    if (shown) showWithin(list, shown, 8);
  }

  /** What was chosen is to be seen. */
  #choose(go: () => void): void {
    if (this.isOverPages) this.show(null);
    go();
  }

  /** What gets hidden keeps no keyboard. */
  #release(): void {
    if (this.#place.contains(document.activeElement)) this.#acts.focusPages();
  }

  readonly #take = (list: Element | undefined): void => {
    rove(list);
    this.#list = list instanceof HTMLElement ? list : undefined;
  };

  #tabTemplate(tab: SidebarTab, present: SidebarTab): TemplateResult {
    const [iconName, name] = tabs[tab];
    const words = l10n.word(name);
    return html`<button
      class="icon-button"
      role="tab"
      aria-selected=${tab === present}
      aria-controls="tab-panel"
      aria-label=${words}
      title=${words}
      data-stop
      tabindex="-1"
      @click=${() => this.show(tab)}
    >
      ${icon(iconName)}
    </button>`;
  }

  #content(state: SidebarState): TemplateResult {
    switch (state.tab) {
      case 'outline':
        return html`${guard([state.outline], () => this.#outline(state.outline))}`;
      case 'pages':
        return html`${guard([this.#viewer.document], () => this.#pages())}`;
      case 'matches':
        return this.#matches(state);
    }
  }

  #outline(entries: readonly OutlineEntry[]): TemplateResult {
    if (entries.length === 0) return empty(l10n.t('This PDF has no outline.'));
    let left = maxHeadings;
    const item = (entry: OutlineEntry, level: number): TemplateResult | '' => {
      if (left-- <= 0) return '';
      const below = level < maxLevels ? entry.items : [];
      return html`<vscode-tree-item ?branch=${below.length > 0} .entry=${entry}
        ><bdi title=${entry.title}>${entry.title}</bdi>${below.map((one) => item(one, level + 1))}</vscode-tree-item
      >`;
    };
    // The declared type of the event is of another version of the tree.
    const onSelect = ({ detail }: CustomEvent<readonly { readonly entry?: OutlineEntry }[]>) => {
      const entry = detail[0]?.entry;
      if (!entry) return;
      const follow = () => this.#acts.follow(entry);
      // One with more below it is unfolded, too.
      if (entry.items.length > 0) follow();
      else this.#choose(follow);
    };
    return html`<vscode-tree aria-label=${l10n.t('Outline')} @vsc-tree-select=${onSelect}>${entries.map((entry) => item(entry, 1))}</vscode-tree>`;
  }

  /** A page as its label, or its number, names it. */
  #nameOf(page: number): string {
    return this.#viewer.label(page) ?? String(page);
  }

  #pages(): TemplateResult {
    const numbers = Array.from({ length: this.#viewer.pages }, (_, index) => index + 1);
    const go = ({ currentTarget }: Event) => {
      const page = Number((currentTarget as HTMLElement).dataset.page);
      this.#choose(() => this.#acts.jumpTo(page));
    };
    return html`<div class="thumbnails" role="group" aria-label=${l10n.t('Pages')} ${ref(this.#take)}>
      ${numbers.map((page) => {
        const name = this.#nameOf(page);
        return html`<button data-row data-stop tabindex="-1" data-page=${page} aria-label=${l10n.t('Page {0}', name)} @click=${go}>
          <span class="sheet"></span><bdi>${name}</bdi>
        </button>`;
      })}
    </div>`;
  }

  #matches({ text }: SidebarState): TemplateResult {
    const { hits, isSearching, selected } = this.#finder;
    if (text === '') return empty(l10n.t('All matches of a search are listed here.'));
    if (hits.length === 0) return empty(isSearching ? l10n.t('Searching…') : l10n.t('No results'));
    return html`<div class="hits" role="group" aria-label=${l10n.t('Matches')} ${ref(rove)}>
      ${hits.slice(0, maxHits).map((hit) => {
        const go = () => this.#choose(() => this.#acts.goToHit(hit));
        const { page, placed, start, end } = hit;
        const part = (from: number, to: number) => placed.text.slice(Math.max(0, from), to);
        return html`<button data-row data-stop tabindex="-1" aria-current=${hit === selected} @click=${go}>
          <bdi class="hit-words">${part(start - wordsBefore, start)}<mark>${part(start, end)}</mark>${part(end, end + wordsAfter)}</bdi
          ><span class="quiet">${l10n.t('Page {0}', this.#nameOf(page))}</span>
        </button>`;
      })}
      ${hits.length <= maxHits ? '' : empty(l10n.t('The first {0} matches are listed.', countText(maxHits)))}
    </div>`;
  }
}

function empty(words: string): TemplateResult {
  return html`<p class="quiet empty">${words}</p>`;
}

/** Width of a thumbnail, in CSS pixels. */
const thumbnailWidth = 112;

/**
 * Draws thumbnails of the pages in view one after another, and removes those that are not. A page's element has its
 * number as `data-page`, and one with the class `sheet` for the thumbnail.
 * @param list scrolls, and has the pages
 * @param turned degrees that all pages are turned by, clockwise
 * @returns what ends that
 */
function drawThumbnails(list: HTMLElement, pdf: Loaded, turned: number): AbortController {
  const end = new AbortController();
  const waiting = new Set<HTMLElement>();
  let isDrawing = false;
  const drawWaiting = async () => {
    if (isDrawing) return;
    isDrawing = true;
    for (let [element] = waiting; element && !end.signal.aborted; [element] = waiting) {
      waiting.delete(element);
      // A page that can't be drawn stays an empty sheet: the large one says why.
      const canvas = await thumbnail(pdf, Number(element.dataset.page), turned).catch(() => undefined);
      const sheet = element.querySelector<HTMLElement>('.sheet');
      if (!canvas || !sheet || end.signal.aborted) continue;
      sheet.style.aspectRatio = `${canvas.width} / ${canvas.height}`;
      sheet.replaceChildren(canvas);
    }
    isDrawing = false;
  };
  const onSeen = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) waiting.add(target as HTMLElement);
      else if (!waiting.delete(target as HTMLElement)) target.querySelector('.sheet')?.replaceChildren();
    }
    void drawWaiting();
  };
  const observer = new IntersectionObserver(onSeen, { root: list, rootMargin: '200px 0px' });
  for (const page of list.querySelectorAll('[data-page]')) observer.observe(page);
  end.signal.addEventListener('abort', () => observer.disconnect());
  return end;
}

async function thumbnail(pdf: Loaded, number: number, turned: number): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number);
  const rotation = (page.rotate + turned) % 360;
  const { width } = page.getViewport({ scale: 1, rotation });
  const viewport = page.getViewport({ scale: (thumbnailWidth * devicePixelRatio) / width, rotation });
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(viewport.width), Math.round(viewport.height)];
  await page.render({ canvas, viewport }).promise;
  return canvas;
}
