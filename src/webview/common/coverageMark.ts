import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type CellState, cellStateLabel, cellStates } from '../../protocol/coverageCell.ts';
import { icon } from './icon.ts';

/** The look of a state: told apart by shape first, by colour too. */
export function stateMark(state: CellState): TemplateResult {
  if (state === 'none') return none;
  if (state === 'changed') return changed;
  return state === 'withdrawn' ? withdrawn : plain[state];
}

// Made once: a matrix shows hundreds of them at a time.
const none = html`<span class="mark none" aria-hidden="true"></span>`;
const changed = html`<span class="mark changed">${icon('arrow-circle-up')}</span>`;
const withdrawn = html`<span class="mark withdrawn">${icon('circle-slash')}</span>`;
const plain = {
  metadata: html`<span class="mark metadata" aria-hidden="true"></span>`,
  available: html`<span class="mark available" aria-hidden="true"></span>`,
  downloaded: html`<span class="mark downloaded" aria-hidden="true"></span>`,
};

/** What the looks mean. */
export function legend(): TemplateResult {
  return html`<ul class="legend" aria-label=${l10n.t('Legend')}>
    ${cellStates.map((state) => html`<li>${stateMark(state)}<span>${cellStateLabel(state)}</span></li>`)}
    <li><span class="cell-mark"><span class="mark available" aria-hidden="true"></span><span class="split-mark" aria-hidden="true"></span></span><span>${l10n.t('Two-year record, filed under its first year')}</span></li>
  </ul>`;
}
