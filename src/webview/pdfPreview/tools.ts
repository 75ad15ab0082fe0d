import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { PdfAction, Position, ReadingHabits, SidebarTab } from '../../protocol/pdfPreview.ts';
import { iconMenu, type MenuItem } from '../common/menu.ts';
import { errorMessage } from '../common/page.ts';
import { icon, keyWords, tool } from '../common/widgets.ts';
import type { Finder, Hit, Search } from './find.ts';
import type { OutlineEntry, Viewer } from './viewer.ts';

/** What a person may do by a button, the menu, a list or a key. */
export interface Acts {
  jumpTo(page: number): void;
  openFind(): void;
  closeFind(): void;
  find(search: Search): void;
  findAgain(direction: 'next' | 'previous'): void;
  goToHit(hit: Hit): void;
  follow(entry: OutlineEntry): void;
  toggleSidebar(): void;
  /** Remembers the sidebar's tab, or none. */
  keepTab(tab: SidebarTab | null): void;
  focusPages(): void;
  listMatches(): void;
  toggleDark(): void;
  copyTable(): void;
  act(action: PdfAction): void;
  draw(): void;
}

interface ToolsState {
  readonly position: Position;
  readonly reading: ReadingHabits;
  readonly actions: readonly PdfAction[];
  readonly isFinding: boolean;
  /** False while there is nothing to work with. */
  readonly isShown: boolean;
  readonly isSidebarOpen: boolean;
}

/** A page as a person speaks of it: what the PDF calls it, and which one it is. */
export function pageDescription(viewer: Viewer, page: number): string {
  const label = viewer.label(page);
  const [at, all] = [countText(page), countText(viewer.pages)];
  return label === undefined ? l10n.t('Page {0} of {1}', at, all) : l10n.t('Page {0} ({1} of {2})', label, at, all);
}

/** The bar above the pages. */
export function toolsTemplate(viewer: Viewer, acts: Acts, state: ToolsState): TemplateResult {
  const { page } = state.position;
  const { isShown } = state;
  const disabled = !isShown;
  const percent = new Intl.NumberFormat(l10n.language(), { style: 'percent' }).format(isShown ? viewer.scale : 1);
  const sidebar = { disabled, pressed: state.isSidebarOpen, key: 's' };
  return html`<h1 class="visually-hidden">${l10n.t('PDF Preview')}</h1>
    <div class="pdf-tools" role="group" aria-label="PDF">
      <div class="group">${tool(l10n.t('Sidebar'), 'layout-sidebar-left', acts.toggleSidebar, sidebar)}</div>
      <div class="group">
        ${tool(l10n.t('Previous Page'), 'arrow-up', () => viewer.goTo(page - 1), { disabled: disabled || page <= 1 })}
        ${tool(l10n.t('Next Page'), 'arrow-down', () => viewer.goTo(page + 1), {
          disabled: disabled || page >= viewer.pages,
        })}
        ${pageBox(viewer, acts, page, isShown)}
        ${tool(l10n.t('Back'), 'arrow-left', () => viewer.history.back(), { disabled: disabled || !viewer.history.canGoBack, key: keyWords('alt', '←') })}
      </div>
      <div class="group">
        ${tool(l10n.t('Zoom Out'), 'zoom-out', () => viewer.zoomBy(-1), { disabled, key: '-' })}
        <button
          class="zoom-value"
          title=${l10n.t('Actual Size')}
          aria-label=${l10n.t('Zoom {0}, set to actual size', percent)}
          ?disabled=${disabled}
          @click=${() => viewer.zoom(1)}
        >
          ${percent}
        </button>
        ${tool(l10n.t('Zoom In'), 'zoom-in', () => viewer.zoomBy(1), { disabled, key: '+' })}
      </div>
      <div class="group">
        ${tool(l10n.t('Copy Table'), 'table', acts.copyTable, { disabled, key: 'c' })}
        ${tool(l10n.t('Find'), 'search', acts.openFind, { disabled, pressed: state.isFinding, key: keyWords('ctrl', 'F') })}
        ${isShown ? iconMenu(l10n.t('More Actions…'), 'ellipsis', menuItems(viewer, acts, state)) : ''}
      </div>
    </div>`;
}

function pageBox(viewer: Viewer, acts: Acts, page: number, isShown: boolean): TemplateResult {
  const label = isShown ? viewer.label(page) : undefined;
  const all = countText(viewer.pages);
  const words = (at: string) => (label === undefined ? l10n.t('of {0}', all) : l10n.t('({0} of {1})', at, all));
  const go = ({ currentTarget }: Event) => {
    const wanted = viewer.pageOf((currentTarget as HTMLInputElement).value);
    if (wanted !== undefined) acts.jumpTo(wanted);
    // The box shows the present page again where the typed one doesn't exist.
    acts.draw();
  };
  return html`<input
      class="page-box"
      type="text"
      inputmode=${label === undefined ? 'numeric' : 'text'}
      aria-label=${l10n.t('Page')}
      aria-describedby="pages"
      title=${l10n.t('Go to page')}
      size="4"
      maxlength="40"
      ?disabled=${!isShown}
      .value=${live(isShown ? (label ?? String(page)) : '')}
      @change=${go}
      @focus=${({ currentTarget }: Event) => (currentTarget as HTMLInputElement).select()}
    />
    <span class="of" ?hidden=${!isShown}
      ><span id="pages">${words(countText(page))}</span><span class="widest" aria-hidden="true">${words(all)}</span></span
    >`;
}

function menuItems(viewer: Viewer, acts: Acts, { position, reading, actions }: ToolsState): readonly MenuItem[] {
  const ofFile = {
    showReport: { icon: 'book', words: l10n.t('Show Report') },
    copyLink: { icon: 'link', words: l10n.t('Copy Link to Page') },
    split: { icon: 'split-horizontal', words: l10n.t('Split Editor') },
    openOutside: { icon: 'link-external', words: l10n.t('Open in System Viewer') },
  } as const;
  const isSpread = position.spread ?? false;
  const choice = (words: string, key: string, isOn: boolean, act: () => void): MenuItem => {
    return { icon: 'blank', words, isOn, key, act };
  };
  const fitting = (words: string, key: string, zoom: 'page-width' | 'page-fit') =>
    choice(words, key, position.zoom === zoom, () => viewer.zoom(zoom));
  return [
    fitting(l10n.t('Fit Width'), 'w', 'page-width'),
    fitting(l10n.t('Fit Page'), 'p', 'page-fit'),
    choice(l10n.t('Two Pages'), 't', isSpread, () => viewer.spread(!isSpread)),
    choice(l10n.t('Dark Pages'), 'd', reading.darkPages, acts.toggleDark),
    { icon: 'refresh', words: l10n.t('Rotate'), key: 'r', act: () => viewer.rotate() },
    ...actions.map((action) => ({ ...ofFile[action], act: () => acts.act(action) })),
  ];
}

/** The find box. It lies above the pages, so that nothing moves. */
export function findTemplate(acts: Acts, search: Search, finder: Finder): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    acts.findAgain(event.shiftKey ? 'previous' : 'next');
  };
  const none = finder.hits.length === 0;
  const isMissing = search.text !== '' && none && !finder.isSearching;
  return html`<div class="find" role="search">
    <input
      class="find-box"
      type="text"
      aria-label=${l10n.t('Find in this PDF')}
      placeholder=${l10n.t('Find')}
      maxlength="200"
      .value=${live(search.text)}
      @input=${(event: Event) => acts.find({ text: (event.currentTarget as HTMLInputElement).value, matchCase: search.matchCase })}
      @keydown=${onKey}
    />
    ${tool(l10n.t('Match Case'), 'case-sensitive', () => acts.find({ ...search, matchCase: !search.matchCase }), {
      pressed: search.matchCase,
    })}
    <span class="matches ${isMissing ? 'none' : ''}" role="status" aria-busy=${finder.isSearching}
      >${matchWords(search.text, finder)}</span>
    ${tool(l10n.t('Previous Match'), 'arrow-up', () => acts.findAgain('previous'), { disabled: none })}
    ${tool(l10n.t('Next Match'), 'arrow-down', () => acts.findAgain('next'), { disabled: none })}
    ${tool(l10n.t('List All Matches'), 'list-flat', acts.listMatches, { disabled: none })}
    ${tool(l10n.t('Close'), 'close', acts.closeFind)}
    ${unreadTemplate(finder)}
  </div>`;
}

/** What a search left out, once it is over. */
function unreadTemplate({ unread, isSearching }: Finder): TemplateResult | '' {
  if (unread.pages === 0 || isSearching) return '';
  const pages = counted(unread.pages, l10n.later('1 page'), l10n.later('{0} pages'));
  return html`<p class="find-note" role="status">${l10n.t('Not searched: {0}.', pages)} ${errorMessage(unread.reason)}</p>`;
}

function matchWords(text: string, { current, hits, isSearching }: Finder): string {
  const total = hits.length;
  if (text === '') return '';
  if (total > 0) return l10n.t('{0} of {1}', countText(Math.max(1, current)), countText(total));
  return isSearching ? l10n.t('Searching…') : l10n.t('No results');
}

/** Asks for the password of a PDF. */
export function passwordTemplate(isWrong: boolean, use: (password: string) => void): TemplateResult {
  const box = () => document.querySelector<HTMLInputElement>('.password-box');
  const submit = () => use(box()?.value ?? '');
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') submit();
  };
  return html`<div class="password">
    <p>${icon('lock')} ${l10n.t('This PDF is protected by a password.')}</p>
    <input
      class="password-box"
      type="password"
      autocomplete="off"
      maxlength="1000"
      aria-label=${l10n.t('Password')}
      aria-describedby="password-note"
      @keydown=${onKey}
    />
    <vscode-button @click=${submit}>${l10n.t('Open')}</vscode-button>
    <p class="quiet" id="password-note" role="status">${
      isWrong ? l10n.t('The password is wrong. Try again.') : l10n.t('It is kept until the window closes.')
    }</p>
  </div>`;
}
