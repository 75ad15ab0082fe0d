import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';

/** A column's name as a link to its place in the schema dictionary. In a table that the arrow keys lead through, `tabIndex` is -1. */
export function columnLabel(label: string, explain: () => void, tabIndex: 0 | -1 = 0): TemplateResult {
  return html`<button class="label-link" data-stop tabindex=${tabIndex} title=${l10n.t('Open in the schema dictionary')} @click=${explain}>
    <bdi>${label}</bdi>
  </button>`;
}
