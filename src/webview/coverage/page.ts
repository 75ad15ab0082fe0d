import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type CoverageFormat,
  type CoverageLook,
  type CoverageScope,
  type CoverageState,
  type CoverageView,
  type coverageProtocol,
  type FamilyChoice,
  familyChoices,
  familyLabel,
  yearLabel,
} from '../../protocol/coverage.ts';
import { type CoverageRows, coverageSentence } from '../../protocol/coverageRows.ts';
import { legend } from '../common/coverageMark.ts';
import type { PanelPage } from '../common/page.ts';
import { absentTemplate, button, chip, filterBox } from '../common/widgets.ts';

export type CoveragePage = PanelPage<typeof coverageProtocol, CoverageView, CoverageState>;

type Change = (look: Partial<CoverageLook>) => void;

/**
 * The matrix with its tools, or what stands in its place while it is read or after that failed. `total` is how many
 * companies there are, while only the first of them are in the view; the grid draws itself.
 */
export function pageTemplate(
  page: CoveragePage,
  shown: CoverageRows | undefined,
  total: number | undefined,
  grid: HTMLElement,
  change: Change,
): TemplateResult {
  const { view, problem, retry } = page;
  const { look } = page.state;
  if (!view || !shown) return absentTemplate(problem, retry, l10n.t('Reading the coverage'));
  const count = shown.rows.length;
  const copyAs = (format: CoverageFormat, words: string, done: string) =>
    button(page.isCopied(format) ? 'check' : 'copy', words, () =>
      page.copyBy(format, done, 'copyAs', { look, format }),
    );
  return html`<header>
      <h1>${l10n.t('Coverage')}</h1>
      <p class="quiet" role="status">${coverageSentence(view, look, total ?? count, total ?? view.keys.length)}</p>
    </header>
    <div class="toolbar">
      ${view.filterWords === null ? '' : scopeChips(page, view)}
      ${familySelect(look, change)} ${gapSelect(view, look, change)}
      ${filterBox(l10n.t('Filter companies'), look.filter, (filter) => change({ filter }))}
      <span class="toolbar-end">
        ${copyAs('csv', l10n.t('Copy as CSV'), l10n.t('Copied as CSV'))}
        ${copyAs('markdown', l10n.t('Copy as Markdown'), l10n.t('Copied as Markdown'))}
        ${button('save', l10n.t('Save…'), () => page.call('save', { look }))}
        ${button('list-flat', l10n.t('View as Text'), () => page.call('viewAsText', { look }))}
      </span>
    </div>
    ${legend()} ${grid}
    ${count === 0 ? html`<p class="quiet nothing">${emptyWords(view, look)}</p>` : ''}`;
}

function emptyWords(view: CoverageView, look: CoverageLook): string {
  if (view.keys.length === 0) return l10n.t('No companies yet. They appear here while the library loads.');
  if (look.filter !== '') return l10n.t('No company matches. Clear the filter to see more.');
  return l10n.t('No gap: every company has a report of this kind for this year.');
}

function scopeChips(page: CoveragePage, { scope, filterWords }: CoverageView): TemplateResult {
  const scopeChip = (each: CoverageScope, name: string, label: string) =>
    chip(scope === each, name, html`<bdi title=${label}>${label}</bdi>`, () => page.call('setScope', { scope: each }));
  return html`<div class="chips" role="group" aria-label=${l10n.t('Companies')}>
    ${scopeChip('watchlist', 'organization', l10n.t('All companies'))} ${scopeChip('filter', 'filter', filterWords ?? '')}
  </div>`;
}

function familySelect({ family }: CoverageLook, change: Change): TemplateResult {
  const options = familyChoices.map((choice) => ({ value: choice, label: familyLabel(choice) }));
  return select(l10n.t('Reports'), options, family, (value) => change({ family: value as FamilyChoice }));
}

function gapSelect({ years }: CoverageView, { gapYear }: CoverageLook, change: Change): TemplateResult {
  const options = years.toReversed().map((year) => ({ value: String(year), label: yearLabel(year) }));
  const all = [{ value: '', label: l10n.t('Any or none') }, ...options];
  const chosen = gapYear === null ? '' : String(gapYear);
  return select(l10n.t('Gaps in'), all, chosen, (value) => change({ gapYear: value === '' ? null : Number(value) }));
}

function select(
  label: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
  onChange: (value: string) => void,
): TemplateResult {
  return html`<label class="choice"
    ><span>${label}</span>
    <select @change=${({ currentTarget }: Event) => onChange((currentTarget as HTMLSelectElement).value)}>
      ${options.map((option) => html`<option value=${option.value} .selected=${option.value === chosen}>${option.label}</option>`)}
    </select></label
  >`;
}
