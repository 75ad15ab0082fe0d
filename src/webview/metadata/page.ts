import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { FileState, Group, MetadataView, Row } from '../../protocol/metadata.ts';
import { valueText } from '../../protocol/metadataText.ts';
import { filterBox } from '../common/filterBox.ts';
import { problemTemplate } from '../common/problem.ts';
import { type HeaderActions, headerTemplate } from './header.ts';
import { groupTemplate, type RowActions } from './rows.ts';

/** Everything the page shows. */
export interface PageState {
  readonly view: MetadataView | undefined;
  /** Undefined until the editor told. */
  readonly file: FileState | undefined;
  readonly problem: string | undefined;
  readonly filter: string;
  readonly actions: PageActions;
}

/** What a person can do here. */
export interface PageActions extends HeaderActions, RowActions {
  retry(): void;
  setFilter(filter: string): void;
}

/** The report, or what stands in its place while it is read or after that failed. */
export function pageTemplate(state: PageState): TemplateResult {
  const { view, file, problem, filter, actions } = state;
  if (!view) return problem === undefined ? skeleton() : problemTemplate(problem, actions.retry);
  const groups = filterGroups(view.groups, filter);
  const shown = countRows(groups);
  return html`${headerTemplate(view, file, actions)}
    <div class="toolbar">
      ${filterBox({ label: l10n.t('Filter fields'), value: filter, onChange: actions.setFilter })}
      <span class="quiet" role="status">${filter === '' ? '' : l10n.t('{0} of {1} fields', shown, countRows(view.groups))}</span>
    </div>
    ${groups.map((group) => groupTemplate(group, actions))}
    ${shown === 0 ? html`<p class="quiet">${l10n.t('No field matches. Empty the filter to see all.')}</p>` : ''}`;
}

function filterGroups(groups: readonly Group[], filter: string): Group[] {
  const wanted = filter.trim().toLocaleLowerCase();
  if (wanted === '') return [...groups];
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter((row) => rowMatches(row, wanted)) }))
    .filter(({ rows }) => rows.length > 0);
}

function rowMatches(row: Row, wanted: string): boolean {
  const texts = [row.label, row.name ?? '', valueText(row.value), row.columnText ?? ''];
  return texts.some((text) => text.toLocaleLowerCase().includes(wanted));
}

function countRows(groups: readonly Group[]): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, 0);
}

const line = (size: string) => html`<div class="bone ${size}"></div>`;

/** Stands where the report will be; shows only when that takes a while. */
const skeleton = () => html`<div class="skeleton" role="status" aria-label=${l10n.t('Reading the report')}>
  ${line('short')}${line('title')}${line('medium')}
  <div class="bone-facts">${Array.from({ length: 7 }, () => line('fact'))}</div>
  ${line('actions-bone')} ${Array.from({ length: 14 }, () => line('row-bone'))}
</div>`;
