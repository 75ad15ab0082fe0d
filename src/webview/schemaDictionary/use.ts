import { html, svg, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { FieldUseView, UsedField } from '../../protocol/schemaDictionary.ts';
import { icon } from '../common/icon.ts';

/** Where the counting stands, in one line that is there from the start. */
export function useTemplate(use: FieldUseView, actions: { count(): void }): TemplateResult {
  return html`<p class="use" role="status">${lineTemplate(use, actions)}</p>`;
}

function lineTemplate(use: FieldUseView, { count }: { count(): void }): TemplateResult | string {
  switch (use.kind) {
    case 'none':
      return '';
    case 'offered':
      return html`${use.words}
        <button class="link" @click=${count}>${l10n.t('Count how their columns are filled')}</button>`;
    case 'counting':
      return html`<progress aria-label=${l10n.t('Counting')} max="1" value=${use.share}></progress> ${use.words}`;
    case 'counted':
      return html`${use.words} <button class="link" @click=${count}>${l10n.t('Count again')}</button>`;
    case 'failed':
      return html`<span class="warning">${icon('warning')}</span> ${l10n.t('The columns could not be counted.')} ${use.message}
        <button class="link" @click=${count}>${l10n.t('Try again')}</button>`;
  }
}

/** How often a column is filled: a share in words, and its picture. */
export function filledTemplate({ share, filled }: UsedField): TemplateResult {
  return html`<span>${filled}</span>
    <svg class="share" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<rect class="whole" width="100" height="1"></rect><rect class="part" width=${share * 100} height="1"></rect>`}
    </svg>`;
}

/** The values that occur in the library, most frequent first. */
export function occurringTemplate({ values, others }: UsedField): TemplateResult | '' {
  if (values.length === 0 && others === null) return '';
  return html`<ul class="occurring" aria-label=${l10n.t('In your library')}>
    ${values.map(({ value, count }) => html`<li><bdi>${value}</bdi> <span class="quiet">${count}</span></li>`)}
    ${others === null ? '' : html`<li class="quiet">${others}</li>`}
  </ul>`;
}
