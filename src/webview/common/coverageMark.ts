import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type CellState, cellStateLabel, cellStates } from '../../protocol/coverage.ts';
import { icon } from './widgets.ts';

/** The look of a state: told apart by shape first, by colour too. */
export function stateMark(state: CellState): TemplateResult {
  return marks[state];
}

// Made once: a matrix shows hundreds of them at a time. The same icons are named in the cells of the coverage panel.
const marks: Readonly<Record<CellState, TemplateResult>> = {
  none: html`<span class="mark none" aria-hidden="true"></span>`,
  metadata: html`<span class="mark metadata">${icon('issue-draft')}</span>`,
  available: html`<span class="mark available">${icon('circle-large')}</span>`,
  partly: html`<span class="mark partly">${icon('color-mode')}</span>`,
  downloaded: html`<span class="mark downloaded">${icon('circle-large-filled')}</span>`,
  changed: html`<span class="mark changed">${icon('arrow-circle-up')}</span>`,
  withdrawn: html`<span class="mark withdrawn">${icon('circle-slash')}</span>`,
};

/** What the looks mean, and what else there is to know. */
export function legend(note = ''): TemplateResult {
  return html`<ul class="legend" aria-label=${l10n.t('Legend')}>
    ${cellStates.map((state) => html`<li>${stateMark(state)}<span>${cellStateLabel(state)}</span></li>`)}
    <li><span class="cell-mark">${stateMark('available')}<span class="split-mark" aria-hidden="true"></span></span><span>${l10n.t('Two-year report, filed under its first year')}</span></li>
    ${note === '' ? '' : html`<li>${note}</li>`}
  </ul>`;
}
