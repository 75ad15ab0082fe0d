import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type CoverageFormat,
  type CoverageLook,
  type CoverageScope,
  type CoverageView,
  type FamilyChoice,
  familyChoices,
  familyLabel,
  yearLabel,
} from '../../protocol/coverage.ts';
import { type CoverageRows, coverageSentence } from '../../protocol/coverageRows.ts';
import { legend } from '../common/coverageMark.ts';
import { filterBox, icon, problemTemplate } from '../common/widgets.ts';

/** Everything the page shows above and in place of the grid. */
export interface PageState {
  readonly view: CoverageView | undefined;
  readonly shown: CoverageRows | undefined;
  /** How many companies there are, while only the first of them are in the view. */
  readonly total: number | undefined;
  readonly problem: string | undefined;
  readonly look: CoverageLook;
  /** The grid, which draws itself. */
  readonly grid: HTMLElement;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions {
  change(look: Partial<CoverageLook>): void;
  setScope(scope: CoverageScope): void;
  retry(): void;
  copyAs(format: CoverageFormat): void;
  save(): void;
  viewAsText(): void;
  isCopied(format: CoverageFormat): boolean;
}

/** The matrix with its tools, or what stands in its place while it is read or after that failed. */
export function pageTemplate({ view, shown, total, problem, look, grid, actions }: PageState): TemplateResult {
  if (!view || !shown) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  const count = shown.rows.length;
  return html`<header>
      <h1>${l10n.t('Coverage')}</h1>
      <p class="quiet" role="status">${coverageSentence(view, look, total ?? count, total ?? view.keys.length)}</p>
    </header>
    <div class="toolbar">
      ${view.filterWords === null ? '' : scopeChips(view, actions)}
      ${familySelect(look, actions)} ${gapSelect(view, look, actions)}
      ${filterBox({ label: l10n.t('Filter companies'), value: look.filter, onChange: (filter) => actions.change({ filter }) })}
      <span class="toolbar-end">
        ${copyButton('csv', l10n.t('Copy as CSV'), actions)} ${copyButton('markdown', l10n.t('Copy as Markdown'), actions)}
        <vscode-button secondary @click=${actions.save}>${icon('save', 'content-before')}${l10n.t('Save…')}</vscode-button>
        <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>
      </span>
    </div>
    ${legend()} ${grid}
    ${count === 0 ? html`<p class="quiet nothing">${emptyWords(view, look)}</p>` : ''}`;
}

function emptyWords(view: CoverageView, look: CoverageLook): string {
  if (view.keys.length === 0)
    return l10n.t('No company is here yet. While the library is being loaded, companies appear as they arrive.');
  if (look.filter !== '') return l10n.t('No company matches. Empty the filter to see more.');
  return l10n.t('No gap: every company has a report of this kind for this year.');
}

function scopeChips({ scope, filterWords }: CoverageView, actions: PageActions): TemplateResult {
  const chip = (each: CoverageScope, name: string, label: string) =>
    html`<button class="chip" aria-pressed=${scope === each} title=${label} @click=${() => actions.setScope(each)}>
      ${icon(name)}<bdi>${label}</bdi>
    </button>`;
  return html`<div class="chips" role="group" aria-label=${l10n.t('Companies')}>
    ${chip('watchlist', 'organization', l10n.t('All companies'))} ${chip('filter', 'filter', filterWords ?? '')}
  </div>`;
}

function familySelect({ family }: CoverageLook, actions: PageActions): TemplateResult {
  const onChange = (event: Event) =>
    actions.change({ family: (event.currentTarget as HTMLSelectElement).value as FamilyChoice });
  return html`<label class="choice"
    ><span>${l10n.t('Reports')}</span>
    <select @change=${onChange}>
      ${familyChoices.map((choice) => html`<option value=${choice} .selected=${choice === family}>${familyLabel(choice)}</option>`)}
    </select></label
  >`;
}

function gapSelect({ years }: CoverageView, { gapYear }: CoverageLook, actions: PageActions): TemplateResult {
  const onChange = (event: Event) => {
    const { value } = event.currentTarget as HTMLSelectElement;
    actions.change({ gapYear: value === '' ? null : Number(value) });
  };
  return html`<label class="choice"
    ><span>${l10n.t('Gaps in')}</span>
    <select @change=${onChange}>
      <option value="" .selected=${gapYear === null}>${l10n.t('Any or none')}</option>
      ${years
        .toReversed()
        .map((year) => html`<option value=${year} .selected=${year === gapYear}>${yearLabel(year)}</option>`)}
    </select></label
  >`;
}

function copyButton(format: CoverageFormat, words: string, actions: PageActions): TemplateResult {
  const done = actions.isCopied(format);
  return html`<vscode-button secondary @click=${() => actions.copyAs(format)}
    >${icon(done ? 'check' : 'copy', 'content-before')}${words}</vscode-button
  >`;
}

/** Stands where the matrix will be; shows only when it takes a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Reading the coverage')}>
  <div class="bone title"></div>
  <div class="bone tools-bone"></div>
  ${Array.from({ length: 14 }, () => html`<div class="bone row-bone"></div>`)}
</div>`;
