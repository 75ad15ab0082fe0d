import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import type { ComparedColumn, ComparedGroup, ComparedRow, CompareView } from '../../protocol/compare.ts';
import { valueText } from '../../protocol/metadata.ts';
import { roveOnFocus, roveOnKey, settleStop } from '../common/roving.ts';
import { filterBox, icon, problemTemplate, valueTemplate } from '../common/widgets.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: CompareView | undefined;
  readonly problem: string | undefined;
  readonly filter: string;
  /** Whether rows in which all say the same are shown too. */
  readonly showSame: boolean;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions extends TableActions {
  setFilter(filter: string): void;
  retry(): void;
  diffAsJson(): void;
  viewAsText(): void;
  chooseReports(): void;
}

/** The comparison, or what stands in its place while it is read or after that failed. */
export function pageTemplate(state: PageState): TemplateResult {
  const { view, problem, filter, showSame, actions } = state;
  if (!view) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  const different = filterGroups(view.different, filter);
  const same = filterGroups(view.same, filter);
  const shown = countRows(different) + countRows(same);
  const all = countRows(view.different) + countRows(view.same);
  return html`<header>
      <h1 dir="auto">${view.title}</h1>
      <p class="quiet">${view.note}</p>
      ${view.notices.map((notice) => html`<p class="notice">${icon('warning')}<span>${notice}</span></p>`)}
    </header>
    <div class="toolbar">
      ${filterBox({ label: l10n.t('Filter fields'), value: filter, onChange: actions.setFilter })}
      <span class="quiet" role="status"
        >${filter === '' ? l10n.t('{0} of {1} fields differ', countRows(view.different), all) : l10n.t('{0} of {1} fields', shown, all)}</span
      >
      <span class="toolbar-end">
        <vscode-button secondary @click=${actions.chooseReports}>${icon('checklist', 'content-before')}${l10n.t('Choose Reports…')}</vscode-button>
        <vscode-button secondary @click=${actions.diffAsJson}>${icon('diff', 'content-before')}${l10n.t('Compare as JSON')}</vscode-button>
        <vscode-button secondary @click=${actions.viewAsText}>${icon('list-flat', 'content-before')}${l10n.t('View as Text')}</vscode-button>
      </span>
    </div>
    ${tableTemplate({ columns: view.columns, different, same, isFiltered: filter !== '', showSame }, actions)}`;
}

function filterGroups(groups: readonly ComparedGroup[], filter: string): ComparedGroup[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return [...groups];
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => rowMatches(row, wanted)) }))
    .filter(({ rows }) => rows.length > 0);
}

function rowMatches({ label, name, cells }: ComparedRow, wanted: string): boolean {
  const texts = [label, name ?? '', ...cells.map(({ value }) => valueText(value))];
  return texts.some((text) => text.toLocaleLowerCase().includes(wanted));
}

/** How many rows the groups have. */
function countRows(groups: readonly ComparedGroup[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Stands where the comparison will be; shows only when that takes a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Reading the reports')}>
  <div class="bone title"></div>
  <div class="bone toolbar-bone"></div>
  ${Array.from({ length: 16 }, () => html`<div class="bone row-bone"></div>`)}
</div>`;

/** Longer text is cut until asked for, in characters: a column is narrow. */
const longestText = 160;

/** What a person can do in the table. */
interface TableActions {
  setShowSame(show: boolean): void;
  openReport(column: number): void;
  explain(row: ComparedRow): void;
  copy(row: ComparedRow, column: number): void;
  open(cell: string): void;
  isOpen(cell: string): boolean;
  isCopied(cell: string): boolean;
}

/** What the table shows. */
interface TableState {
  readonly columns: readonly ComparedColumn[];
  readonly different: readonly ComparedGroup[];
  readonly same: readonly ComparedGroup[];
  readonly isFiltered: boolean;
  readonly showSame: boolean;
}

/** Reports as columns, fields as rows; head and first column stay in sight. */
export function tableTemplate(state: TableState, actions: TableActions): TemplateResult {
  const { columns, different, same, isFiltered, showSame } = state;
  const sameCount = same.reduce((sum, { rows }) => sum + rows.length, 0);
  // A filter looks for a field wherever it is.
  const isSameShown = showSame || isFiltered;
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${l10n.t('Comparison')}>
    <table
      class="columns-${columns.length}"
      @keydown=${roveOnKey}
      @focusin=${roveOnFocus}
      ${ref(settleStop)}
    >
      <thead>
        <tr data-row>
          <th scope="col" class="corner"><span class="visually-hidden">${l10n.t('Field')}</span></th>
          ${columns.map((column, index) => headTemplate(column, index, actions))}
        </tr>
      </thead>
      ${different.map((group) => groupTemplate(group, columns.length, actions, differentCells))}
      ${different.length === 0 ? wholeLine(columns.length, isFiltered ? l10n.t('No differing field matches.') : l10n.t('The reports do not differ.')) : ''}
      <tbody>
        <tr class="divider" data-row>
          <th colspan=${columns.length + 1} scope="colgroup">
            <button
              class="fold"
              data-stop
              tabindex="-1"
              aria-expanded=${isSameShown}
              ?disabled=${sameCount === 0 || isFiltered}
              @click=${() => actions.setShowSame(!showSame)}
            >
              ${icon(isSameShown ? 'chevron-down' : 'chevron-right')}${l10n.t('The same in all reports')}
              <span class="count">${sameCount}</span>
            </button>
          </th>
        </tr>
      </tbody>
      ${isSameShown ? same.map((group) => groupTemplate(group, columns.length, actions, sameCells)) : ''}
    </table>
  </div>`;
}

function headTemplate(column: ComparedColumn, index: number, actions: TableActions): TemplateResult {
  const { title, language, company, type, fiscalYear, isGone } = column;
  return html`<th scope="col">
    <button class="link title" data-stop tabindex="-1" title=${l10n.t('Open {0}', title)} @click=${() => actions.openReport(index)}>
      <span lang=${language ?? nothing} dir="auto">${title}</span>
    </button>
    <div class="about"><bdi>${company}</bdi></div>
    <div class="about quiet">
      <bdi>${fiscalYear}</bdi> · <bdi>${type}</bdi>${isGone ? html` · <span class="gone">${icon('warning')}${l10n.t('withdrawn')}</span>` : ''}
    </div>
  </th>`;
}

type Cells = (row: ComparedRow, actions: TableActions) => unknown;

function groupTemplate(group: ComparedGroup, columns: number, actions: TableActions, cells: Cells): TemplateResult {
  return html`<tbody>
    <tr class="group">
      <th colspan=${columns + 1} scope="rowgroup"><span>${group.title} <span class="count">${group.rows.length}</span></span></th>
    </tr>
    ${repeat(
      group.rows,
      ({ id }) => id,
      (row) => html`<tr class="row" data-row=${row.id}>
        <th scope="row">${labelTemplate(row, actions)}</th>
        ${cells(row, actions)}
      </tr>`,
    )}
  </tbody>`;
}

function labelTemplate(row: ComparedRow, actions: TableActions): TemplateResult {
  const name = row.name === null ? '' : html`<span class="mono name">${row.name}</span>`;
  return row.isColumn
    ? html`<button
          class="label-link"
          data-stop
          tabindex="-1"
          title=${l10n.t('Open in the schema dictionary')}
          @click=${() => actions.explain(row)}
        >
          <bdi>${row.label}</bdi></button
        >${name}`
    : html`<bdi>${row.label}</bdi>${name}`;
}

function differentCells(row: ComparedRow, actions: TableActions): TemplateResult[] {
  return row.cells.map((_, index) => html`<td>${cellTemplate(row, index, actions)}</td>`);
}

/** One cell tells it for all. */
function sameCells(row: ComparedRow, actions: TableActions): TemplateResult {
  return html`<td colspan=${row.cells.length}>${cellTemplate(row, 0, actions)}</td>`;
}

function cellTemplate(row: ComparedRow, index: number, actions: TableActions): TemplateResult | '' {
  const cell = row.cells[index];
  if (!cell) return '';
  const id = cellId(row.id, index);
  return html`<div class="cell">
    <div class="cell-value">${valueTemplate(cell.value, actions.isOpen(id), () => actions.open(id), longestText)}</div>
    ${
      cell.copyable
        ? html`<span class="tools"
            ><button
              class="icon-button"
              data-stop
              tabindex="-1"
              aria-label=${l10n.t('Copy {0}, report {1}', row.label, index + 1)}
              title=${l10n.t('Copy')}
              @click=${() => actions.copy(row, index)}
            >
              ${icon(actions.isCopied(id) ? 'check' : 'copy')}
            </button></span
          >`
        : ''
    }
  </div>`;
}

function wholeLine(columns: number, words: string): TemplateResult {
  return html`<tbody>
    <tr>
      <td colspan=${columns + 1} class="quiet none">${words}</td>
    </tr>
  </tbody>`;
}

/** Names a cell for what remembers cells. */
export function cellId(row: string, column: number): string {
  return `${column} ${row}`;
}
