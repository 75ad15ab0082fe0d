import { l10n } from '../../base/l10n.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit';
import type { ComparedGroup, ComparedRow, CompareView } from '../../protocol/compare.ts';
import { valueText } from '../../protocol/metadataText.ts';
import { filterBox } from '../common/filterBox.ts';
import { icon } from '../common/icon.ts';
import { problemTemplate } from '../common/problem.ts';
import { type TableActions, tableTemplate } from './table.ts';

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
