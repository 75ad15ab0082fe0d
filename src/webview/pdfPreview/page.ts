import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { Position, Zoom } from '../../protocol/pdfPreview.ts';
import { icon } from '../common/widgets.ts';
import type { Matches, Search } from './viewer.ts';

/** Everything the tools show. */
export interface ToolsState {
  readonly position: Position;
  readonly pages: number;
  /** The present zoom as a factor. */
  readonly scale: number;
  /** Undefined while the find box is closed. */
  readonly search: Search | undefined;
  readonly matches: Matches;
  readonly actions: ToolActions;
}

/** What a person can do. */
export interface ToolActions {
  goTo(page: number): void;
  zoom(zoom: Zoom): void;
  zoomBy(steps: number): void;
  openFind(): void;
  closeFind(): void;
  find(search: Search): void;
  findAgain(direction: 'next' | 'previous'): void;
}

/** The bar above the pages. */
export function toolsTemplate(state: ToolsState): TemplateResult {
  const { position, pages, scale, actions } = state;
  const { page, zoom } = position;
  const none = pages === 0;
  return html`<h1 class="visually-hidden">${l10n.t('PDF Preview')}</h1>
  <div class="pdf-tools" role="toolbar" aria-label="PDF">
    <div class="group">
      ${tool(l10n.t('Previous Page'), 'arrow-up', () => actions.goTo(page - 1), { disabled: none || page <= 1 })}
      ${tool(l10n.t('Next Page'), 'arrow-down', () => actions.goTo(page + 1), { disabled: none || page >= pages })}
      <input
        class="page-box"
        type="text"
        inputmode="numeric"
        aria-label=${l10n.t('Page')}
        title=${l10n.t('Go to page')}
        size="4"
        ?disabled=${none}
        .value=${live(none ? '' : String(page))}
        @change=${(event: Event) => actions.goTo(pageOf(event, page))}
        @focus=${(event: Event) => (event.currentTarget as HTMLInputElement).select()}
      />
      <span class="of" id="pages">${l10n.t('of {0}', countText(pages))}</span>
    </div>
    <div class="group">
      ${tool(l10n.t('Zoom Out'), 'zoom-out', () => actions.zoomBy(-1), { disabled: none })}
      <button
        class="zoom-value"
        title=${l10n.t('Actual Size')}
        aria-label=${l10n.t('Zoom {0} %, set to actual size', Math.round(scale * 100))}
        ?disabled=${none}
        @click=${() => actions.zoom(1)}
      >
        ${Math.round(scale * 100)} %
      </button>
      ${tool(l10n.t('Zoom In'), 'zoom-in', () => actions.zoomBy(1), { disabled: none })}
      ${tool(l10n.t('Fit Width'), 'arrow-both', () => actions.zoom('page-width'), {
        disabled: none,
        pressed: zoom === 'page-width',
      })}
      ${tool(l10n.t('Fit Page'), 'screen-full', () => actions.zoom('page-fit'), {
        disabled: none,
        pressed: zoom === 'page-fit',
      })}
    </div>
    <div class="group">
      ${tool(l10n.t('Find'), 'search', () => actions.openFind(), { disabled: none, pressed: state.search !== undefined })}
    </div>
  </div>
  ${state.search === undefined ? '' : findTemplate(state.search, state.matches, actions)}`;
}

function findTemplate(search: Search, matches: Matches, actions: ToolActions): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    actions.findAgain(event.shiftKey ? 'previous' : 'next');
  };
  const none = matches.total === 0;
  return html`<div class="find" role="search">
    <input
      class="find-box"
      type="text"
      aria-label=${l10n.t('Find in this PDF')}
      placeholder=${l10n.t('Find')}
      maxlength="200"
      .value=${live(search.text)}
      @input=${(event: Event) => actions.find({ ...search, text: (event.currentTarget as HTMLInputElement).value })}
      @keydown=${onKey}
    />
    ${tool(l10n.t('Match Case'), 'case-sensitive', () => actions.find({ ...search, matchCase: !search.matchCase }), {
      pressed: search.matchCase,
    })}
    <span class="matches ${search.text !== '' && none && !matches.isSearching ? 'none' : ''}" role="status"
      >${matchWords(search, matches)}</span
    >
    ${tool(l10n.t('Previous Match'), 'arrow-up', () => actions.findAgain('previous'), { disabled: none })}
    ${tool(l10n.t('Next Match'), 'arrow-down', () => actions.findAgain('next'), { disabled: none })}
    ${tool(l10n.t('Close'), 'close', () => actions.closeFind())}
  </div>`;
}

function matchWords({ text }: Search, { current, total, isSearching }: Matches): string {
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
