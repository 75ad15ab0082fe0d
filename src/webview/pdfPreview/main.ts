import '../common/jitless.ts';
import { html, render, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { firstPosition, longestAddress, type Position, pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';
import { act, messageOf, openPageChannel, pageRoot } from '../common/page.ts';
import { announce, icon, problemTemplate } from '../common/widgets.ts';
import { type Matches, type Search, Viewer } from './viewer.ts';

const nothingFound: Matches = { current: 0, total: 0, isSearching: false };

let position: Position = firstPosition;
/** Undefined while the find box is closed. */
let search: Search | undefined;
let lastSearch: Search = { text: '', matchCase: false };
let matches = nothingFound;
let reading = 0;

const root = pageRoot();
const tools = append(root, 'tools-place');
const stage = append(root, 'stage');
const problem = append(stage, 'problem-place');
const container = append(stage, 'pages');
container.tabIndex = 0;
container.setAttribute('role', 'group');
container.setAttribute('aria-label', l10n.t('Pages'));
append(container, 'pdfViewer');

const channel = openPageChannel(pdfPreviewProtocol, {
  calls: {},
  events: { changed: () => void read() },
});

const viewer = new Viewer(container, {
  onPosition(next) {
    if (next.page !== position.page) announce(l10n.t('Page {0} of {1}', next.page, viewer.pages));
    position = next;
    draw();
    channel.send('position', position);
  },
  onMatches(next) {
    matches = next;
    draw();
  },
  readFile: async (file) => (await channel.call('pdfjs', file)).bytes,
  openLink: (address) => void act(channel.call('openLink', { address: address.slice(0, longestAddress) })),
});

function goTo(page: number): void {
  viewer.goTo(page);
  // What was typed may have been no page at all.
  draw();
}

function openFind(): void {
  search ??= lastSearch;
  draw();
  const box = tools.querySelector<HTMLInputElement>('.find-box');
  box?.focus();
  box?.select();
  if (search.text !== '') viewer.find(search);
}

function closeFind(): void {
  if (search === undefined) return;
  lastSearch = search;
  search = undefined;
  matches = nothingFound;
  viewer.endFind();
  draw();
  container.focus({ preventScroll: true });
}

function find(next: Search): void {
  search = next;
  if (next.text === '') matches = nothingFound;
  viewer.find(next);
  draw();
}

function findAgain(direction: 'next' | 'previous'): void {
  if (search === undefined) openFind();
  else viewer.find(search, direction);
}

// What is handled here does not reach the editor.
document.addEventListener('keydown', (event) => {
  const run = findKey(event) ?? pageKey(event);
  if (run === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  run();
});

/** Ctrl+F (Cmd+F) and F3 find, Escape ends that. */
function findKey(event: KeyboardEvent): (() => void) | undefined {
  const { key, shiftKey, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !altKey && !shiftKey && key.toLowerCase() === 'f') return openFind;
  if (isCommand || altKey) return undefined;
  if (key === 'F3') return () => findAgain(shiftKey ? 'previous' : 'next');
  return key === 'Escape' ? closeFind : undefined;
}

/** + - 0 zoom, W and P fit, the arrows to the sides and Home and End turn pages. */
function pageKey(event: KeyboardEvent): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return undefined;
  switch (event.key) {
    case '+':
    case '=':
      return () => viewer.zoomBy(1);
    case '-':
      return () => viewer.zoomBy(-1);
    case '0':
      return () => viewer.zoom(1);
    case 'w':
      return () => viewer.zoom('page-width');
    case 'p':
      return () => viewer.zoom('page-fit');
    case 'ArrowRight':
      return () => goTo(position.page + 1);
    case 'ArrowLeft':
      return () => goTo(position.page - 1);
    case 'Home':
      return () => goTo(1);
    case 'End':
      return () => goTo(viewer.pages);
    default:
      return undefined;
  }
}

/** Reads the file, again when it changed or did not work; the last reading counts. */
async function read(): Promise<void> {
  const turn = ++reading;
  try {
    const [file] = await Promise.all([channel.call('read', null), viewer.start()]);
    if (turn !== reading) return;
    await viewer.open(file.bytes, file.position);
    if (turn !== reading) return;
    showProblem(undefined);
    if (search !== undefined && search.text !== '') viewer.find(search);
  } catch (error) {
    if (turn === reading) showProblem(messageOf(error));
  }
  draw();
}

function showProblem(message: string | undefined): void {
  container.hidden = message !== undefined;
  render(message === undefined ? '' : problemTemplate(message, () => void read()), problem);
}

function draw(): void {
  render(toolsTemplate(container.hidden ? 0 : viewer.pages), tools);
}

/** The bar above the pages. */
function toolsTemplate(pages: number): TemplateResult {
  const { page, zoom } = position;
  const none = pages === 0;
  const percent = new Intl.NumberFormat(l10n.language(), { style: 'percent' }).format(none ? 1 : viewer.scale);
  return html`<h1 class="visually-hidden">${l10n.t('PDF Preview')}</h1>
  <div class="pdf-tools" role="toolbar" aria-label="PDF">
    <div class="group">
      ${tool(l10n.t('Previous Page'), 'arrow-up', () => goTo(page - 1), { disabled: none || page <= 1 })}
      ${tool(l10n.t('Next Page'), 'arrow-down', () => goTo(page + 1), { disabled: none || page >= pages })}
      <input
        class="page-box"
        type="text"
        inputmode="numeric"
        aria-label=${l10n.t('Page')}
        title=${l10n.t('Go to page')}
        size="4"
        ?disabled=${none}
        .value=${live(none ? '' : String(page))}
        @change=${(event: Event) => goTo(pageOf(event, page))}
        @focus=${(event: Event) => (event.currentTarget as HTMLInputElement).select()}
      />
      <span class="of" id="pages">${l10n.t('of {0}', countText(pages))}</span>
    </div>
    <div class="group">
      ${tool(l10n.t('Zoom Out'), 'zoom-out', () => viewer.zoomBy(-1), { disabled: none })}
      <button
        class="zoom-value"
        title=${l10n.t('Actual Size')}
        aria-label=${l10n.t('Zoom {0}, set to actual size', percent)}
        ?disabled=${none}
        @click=${() => viewer.zoom(1)}
      >
        ${percent}
      </button>
      ${tool(l10n.t('Zoom In'), 'zoom-in', () => viewer.zoomBy(1), { disabled: none })}
      ${tool(l10n.t('Fit Width'), 'arrow-both', () => viewer.zoom('page-width'), {
        disabled: none,
        pressed: zoom === 'page-width',
      })}
      ${tool(l10n.t('Fit Page'), 'screen-full', () => viewer.zoom('page-fit'), {
        disabled: none,
        pressed: zoom === 'page-fit',
      })}
    </div>
    <div class="group">
      ${tool(l10n.t('Find'), 'search', openFind, { disabled: none, pressed: search !== undefined })}
    </div>
  </div>
  ${search === undefined ? '' : findTemplate(search)}`;
}

function findTemplate(shown: Search): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    findAgain(event.shiftKey ? 'previous' : 'next');
  };
  const none = matches.total === 0;
  return html`<div class="find" role="search">
    <input
      class="find-box"
      type="text"
      aria-label=${l10n.t('Find in this PDF')}
      placeholder=${l10n.t('Find')}
      maxlength="200"
      .value=${live(shown.text)}
      @input=${(event: Event) => find({ ...shown, text: (event.currentTarget as HTMLInputElement).value })}
      @keydown=${onKey}
    />
    ${tool(l10n.t('Match Case'), 'case-sensitive', () => find({ ...shown, matchCase: !shown.matchCase }), {
      pressed: shown.matchCase,
    })}
    <span class="matches ${shown.text !== '' && none && !matches.isSearching ? 'none' : ''}" role="status"
      >${matchWords(shown.text)}</span
    >
    ${tool(l10n.t('Previous Match'), 'arrow-up', () => findAgain('previous'), { disabled: none })}
    ${tool(l10n.t('Next Match'), 'arrow-down', () => findAgain('next'), { disabled: none })}
    ${tool(l10n.t('Close'), 'close', closeFind)}
  </div>`;
}

function matchWords(text: string): string {
  const { current, total, isSearching } = matches;
  if (text === '') return '';
  if (total > 0) return l10n.t('{0} of {1}', countText(Math.max(1, current)), countText(total));
  return isSearching ? l10n.t('Searching…') : l10n.t('No results');
}

function tool(
  label: string,
  name: string,
  run: () => void,
  { disabled = false, pressed }: { readonly disabled?: boolean; readonly pressed?: boolean } = {},
): TemplateResult {
  return html`<button
    class="icon-button"
    title=${label}
    aria-label=${label}
    aria-pressed=${pressed === undefined ? 'undefined' : String(pressed)}
    ?disabled=${disabled}
    @click=${run}
  >
    ${icon(name)}
  </button>`;
}

/** The page that was typed; the present one when it is no number. */
function pageOf(event: Event, present: number): number {
  const typed = Number.parseInt((event.currentTarget as HTMLInputElement).value, 10);
  return Number.isNaN(typed) ? present : typed;
}

function append(parent: HTMLElement, className: string): HTMLDivElement {
  const element = document.createElement('div');
  element.className = className;
  parent.append(element);
  return element;
}

draw();
void read();
