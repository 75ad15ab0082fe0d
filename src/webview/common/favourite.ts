import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { FavouriteAct, FavouriteView } from '../../protocol/page.ts';
import { icon } from './widgets.ts';

export function starButton(favourite: FavouriteView, act: (act: FavouriteAct) => void): TemplateResult {
  const words = favourite ? l10n.t('Remove from Favourites') : l10n.t('Add to Favourites');
  return html`<button class="icon-button" aria-pressed=${favourite !== null} aria-label=${l10n.t('Favourite')} title=${words} @click=${() => act('toggle')}>
    ${icon(favourite ? 'star-full' : 'star-empty')}
  </button>`;
}

/** What a person said of a favourite, and the ways to change it. */
export function favouriteLine(favourite: FavouriteView, act: (act: FavouriteAct) => void): TemplateResult | '' {
  if (!favourite) return '';
  const { note, tags } = favourite;
  const link = (words: string, does: FavouriteAct) =>
    html`<button class="link" @click=${() => act(does)}>${words}</button>`;
  return html`<p class="favourite">
    ${note === '' ? '' : html`<bdi>${note}</bdi>`} ${tags.map((tag) => html`<bdi class="quiet">#${tag}</bdi> `)}
    ${link(note === '' ? l10n.t('Add Note…') : l10n.t('Edit Note…'), 'note')}
    ${link(tags.length === 0 ? l10n.t('Add Tags…') : l10n.t('Edit Tags…'), 'tags')}
  </p>`;
}
