import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type CellState, cellLooks, cellStateLabel, cellStates } from '../../protocol/coverage.ts';
import { icon } from './widgets.ts';

// Made once: a matrix shows hundreds of them at a time.
const marks = new Map(
  cellStates.map((state) => {
    const name = cellLooks[state].icon;
    return [state, html`<span class="mark ${state}" aria-hidden="true">${name === '' ? '' : icon(name)}</span>`];
  }),
);

/** The look of a state: told apart by shape first, by colour too. */
export function stateMark(state: CellState): TemplateResult | undefined {
  return marks.get(state);
}

/** What the line of a two-year report means, below a mark of its first year. */
export function splitLegend(mark: unknown): TemplateResult {
  return html`<li><span class="cell-mark">${mark}<span class="split-mark" aria-hidden="true"></span></span><span>${l10n.t('Two-year report, filed under its first year')}</span></li>`;
}

/** What the looks mean, and what else there is to know. */
export function legend(note = ''): TemplateResult {
  return html`<ul class="legend" aria-label=${l10n.t('Legend')}>
    ${cellStates.map((state) => html`<li>${stateMark(state)}<span>${cellStateLabel(state)}</span></li>`)}
    ${splitLegend(stateMark('available'))}
    ${note === '' ? '' : html`<li>${note}</li>`}
  </ul>`;
}
