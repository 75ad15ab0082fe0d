import '../common/jitless.ts';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type CoverageFormat,
  type CoverageLook,
  type CoverageScope,
  type CoverageView,
  cellState,
  coverageProtocol,
  type FamilyChoice,
  familyChoices,
  familyLabel,
  isTail,
  yearLabel,
} from '../../protocol/coverage.ts';
import { type CoverageRows, coverageRows, coverageSentence, gapsRule } from '../../protocol/coverageRows.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { PanelPage } from '../common/page.ts';
import { RowGrid } from '../common/rowGrid.ts';
import { announce, button, chip, filterBox } from '../common/widgets.ts';
import { columnsOf, type GridColumn, headTemplate, legend, rowHeight, rowTemplate } from './cells.ts';

let shown: CoverageRows | undefined;
let columns: readonly GridColumn[] = [];

const page: PanelPage<typeof coverageProtocol> = new PanelPage(coverageProtocol, {
  template: pageTemplate,
  taking(view) {
    const { look } = page.state;
    const isThere = look.gapYear === null || view.years.includes(look.gapYear);
    page.keep({ look: isThere ? look : { ...look, gapYear: null } });
    arrange(view);
  },
  taken: showRows,
});

const { row, column, top } = page.state;
const grid = new RowGrid({
  label: l10n.t('Companies by fiscal year'),
  rowHeight,
  start: { place: { row, column }, top },
  choose,
  moved: () => page.keep({ row: Math.max(0, grid.active.row), column: grid.active.column, top: grid.top }),
  turnedSideways: showNewest,
});

/** The newest years show where not all fit. */
function showNewest(): void {
  const newest = columns.findLastIndex((column) => column.kind === 'year' && column.year !== 0);
  const cell = grid.cell({ row: -1, column: newest });
  const { element } = grid;
  if (cell) element.scrollLeft = Math.max(0, cell.offsetLeft + cell.offsetWidth - element.clientWidth);
}

function change(part: Partial<CoverageLook>): void {
  page.keep({ look: { ...page.state.look, ...part } });
  if (page.view) arrange(page.view);
  page.draw();
  showRows();
}

function arrange(view: CoverageView): void {
  shown = coverageRows(view, page.state.look);
  columns = columnsOf(view);
}

/** Shows the rows in their grid, which draws itself. */
function showRows(): void {
  const { view, state } = page;
  const { look } = state;
  if (!view || !shown) return;
  const dated = view.years.filter((year) => year !== 0).length;
  grid.element.style.setProperty('--years', String(Math.max(1, dated)));
  grid.element.classList.toggle('has-undated', dated < view.years.length);
  const context = { view, shown, columns, gapYear: look.gapYear };
  const { rows } = shown;
  grid.show({
    rows: rows.length,
    columns: columns.length,
    head: (stop) => headTemplate(context.columns, look, stop),
    row: (place, top) => rowTemplate(place, top, context),
    titleOf({ row, column }) {
      const at = rows[row];
      const isName = context.columns[column]?.kind === 'name' && at !== undefined;
      return isName ? `${view.names[at]}\n${view.keys[at]}` : undefined;
    },
  });
}

function choose({ row, column }: CellPosition): void {
  const [chosen, at] = [columns[column], shown?.rows[row]];
  if (!chosen) return;
  if (row < 0) chooseHead(chosen);
  else if (at === undefined || !shown) return;
  else if (chosen.kind !== 'year') void page.call('openCompany', { row: at });
  else {
    const cell = shown.reader.cell(at, chosen.at);
    const year = isTail(cell) ? chosen.year - 1 : chosen.year;
    if (!isTail(cell) && cellState(cell) === 'none') announce(l10n.t('No report here'));
    else void page.call('openCell', { row: at, year, family: page.state.look.family });
  }
}

/** A name sorts, the other way when chosen again; figures start with the highest. A year looks for its gaps. */
function chooseHead(chosen: GridColumn): void {
  const { look } = page.state;
  if (chosen.kind === 'year') change({ gapYear: look.gapYear === chosen.year ? null : chosen.year });
  if (!('sort' in chosen)) return;
  const { sort, label } = chosen;
  const isFigure = sort === 'reports' || sort === 'gaps';
  const descending = look.sort === sort ? !look.descending : isFigure;
  change({ sort, descending });
  announce(descending ? l10n.t('Sorted by {0}, descending', label) : l10n.t('Sorted by {0}, ascending', label));
}

function pageTemplate(view: CoverageView): TemplateResult {
  const { look } = page.state;
  const count = shown?.rows.length ?? 0;
  const copyAs = (format: CoverageFormat, words: string) =>
    button(page.isCopied(format) ? 'check' : 'copy', words, () =>
      page.copyBy(format, l10n.t('Copied'), 'copyAs', { look, format }),
    );
  return html`<header>
      <h1>${l10n.t('Coverage')}</h1>
      <p class="quiet" role="status">${coverageSentence(view, look, count, view.keys.length)}</p>
    </header>
    <div class="toolbar">
      ${view.filterWords === null ? '' : scopeChips(view)}
      ${familySelect(look)} ${gapSelect(view, look)}
      ${filterBox(l10n.t('Filter companies'), look.filter, (filter) => change({ filter }), l10n.t('Name, key or country'))}
      <span class="toolbar-end">
        ${copyAs('csv', l10n.t('Copy as CSV'))}
        ${copyAs('markdown', l10n.t('Copy as Markdown'))}
        ${button('save', l10n.t('Save…'), () => page.call('save', { look }))}
        ${button('list-flat', l10n.t('View as Text'), () => page.call('viewAsText', { look }))}
      </span>
    </div>
    ${legend(gapsRule())} ${grid.element}
    ${count === 0 ? html`<p class="quiet nothing">${emptyWords(view, look)}</p>` : ''}`;
}

function emptyWords(view: CoverageView, look: CoverageLook): string {
  if (view.keys.length === 0) return l10n.t('No companies yet. They appear here while the library loads.');
  if (look.filter !== '') return l10n.t('No company matches. Clear the filter to see more.');
  return l10n.t('Every company has a report of this kind for this year.');
}

function scopeChips({ scope, filterWords }: CoverageView): TemplateResult {
  const scopeChip = (each: CoverageScope, name: string, label: string) =>
    chip(scope === each, name, html`<bdi title=${label}>${label}</bdi>`, () => page.call('setScope', { scope: each }));
  return html`<div class="chips" role="group" aria-label=${l10n.t('Companies')}>
    ${scopeChip('watchlist', 'organization', l10n.t('All companies'))} ${scopeChip('filter', 'filter', filterWords ?? '')}
  </div>`;
}

function familySelect({ family }: CoverageLook): TemplateResult {
  const options = familyChoices.map((choice) => ({ value: choice, label: familyLabel(choice) }));
  return select(l10n.t('Reports'), options, family, (value) => change({ family: value as FamilyChoice }));
}

function gapSelect({ years }: CoverageView, { gapYear }: CoverageLook): TemplateResult {
  const options = years.toReversed().map((year) => ({ value: String(year), label: yearLabel(year) }));
  const all = [{ value: '', label: l10n.t('Any year') }, ...options];
  const chosen = gapYear === null ? '' : String(gapYear);
  return select(l10n.t('Missing in'), all, chosen, (value) => change({ gapYear: value === '' ? null : Number(value) }));
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

page.open();
