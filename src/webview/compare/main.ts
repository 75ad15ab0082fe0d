import '../common/jitless.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { repeat } from 'lit/directives/repeat.js';
import { l10n } from '../../base/l10n.ts';
import {
  type ComparedColumn,
  type ComparedGroup,
  type ComparedRow,
  type CompareView,
  compareProtocol,
} from '../../protocol/compare.ts';
import { valueText } from '../../protocol/metadata.ts';
import { PanelPage } from '../common/page.ts';
import { rove } from '../common/roving.ts';
import {
  button,
  columnLabel,
  copyButton,
  countRows,
  fieldTools,
  filterGroups,
  icon,
  noticesTemplate,
  valueTemplate,
} from '../common/widgets.ts';

const page: PanelPage<typeof compareProtocol> = new PanelPage(compareProtocol, {
  template: pageTemplate,
  updated: l10n.later('The page was updated'),
  scroller: '.scroller',
});

function pageTemplate(view: CompareView): TemplateResult {
  const { filter } = page.state;
  const narrowed = (groups: readonly ComparedGroup[]) => filterGroups(groups, filter, textsOf);
  const different = narrowed(view.different);
  const same = narrowed(view.same);
  const shown = countRows(different) + countRows(same);
  const all = countRows(view.different) + countRows(view.same);
  const count =
    filter === ''
      ? l10n.t('{0} of {1} fields differ', countRows(view.different), all)
      : l10n.t('{0} of {1} fields', shown, all);
  const tools = html`${button('checklist', l10n.t('Choose Reports…'), () => page.call('chooseReports', null))}
    ${button('diff', l10n.t('Compare as JSON'), () => page.call('diffAsJson', null))}
    ${button('list-flat', l10n.t('View as Text'), page.viewAsText)}`;
  return html`<header>
      <h1 dir="auto">${view.title}</h1>
      <p class="quiet">${view.note}</p>
      ${noticesTemplate(view.notices.map((text) => ({ tone: 'warning', text })))}
    </header>
    ${fieldTools(page, l10n.t('Filter fields'), count, tools)}
    ${tableTemplate(view.columns, different, same)}`;
}

function textsOf({ label, name, cells }: ComparedRow): (string | null)[] {
  return [label, name, ...cells.map(({ value }) => valueText(value))];
}

/** Longer text is cut until asked for, in characters: a column is narrow. */
const longestText = 160;

/** Reports as columns, fields as rows; head and first column stay in sight. */
function tableTemplate(
  columns: readonly ComparedColumn[],
  different: readonly ComparedGroup[],
  same: readonly ComparedGroup[],
): TemplateResult {
  const { filter, showSame } = page.state;
  const isFiltered = filter !== '';
  const sameCount = countRows(same);
  // A filter looks for a field wherever it is.
  const isSameShown = showSame || isFiltered || page.isWhole;
  const none = isFiltered ? l10n.t('No differing field matches.') : l10n.t('The reports do not differ.');
  return html`<div class="scroller">
    <table class="columns-${columns.length}" aria-label=${l10n.t('Comparison')} ${ref(rove)}>
      <thead>
        <tr data-row>
          <th scope="col" class="corner"><span class="visually-hidden">${l10n.t('Field')}</span></th>
          ${columns.map((column, index) => headTemplate(column, index))}
        </tr>
      </thead>
      ${different.map((group) => groupTemplate(group, columns.length, false))}
      ${different.length > 0 ? '' : html`<tbody><tr><td colspan=${columns.length + 1} class="quiet none">${none}</td></tr></tbody>`}
      <tbody>
        <tr class="divider" data-row>
          <th colspan=${columns.length + 1} scope="colgroup">
            <button
              class="fold"
              data-stop
              tabindex="-1"
              aria-expanded=${isSameShown}
              ?disabled=${sameCount === 0 || isFiltered}
              @click=${() => page.set({ showSame: !showSame })}
            >
              ${icon(isSameShown ? 'chevron-down' : 'chevron-right')}${l10n.t('The same in all reports')}
              <span class="count">${sameCount}</span>
            </button>
          </th>
        </tr>
      </tbody>
      ${isSameShown ? same.map((group) => groupTemplate(group, columns.length, true)) : ''}
    </table>
  </div>`;
}

function headTemplate(column: ComparedColumn, index: number): TemplateResult {
  const { title, language, company, type, fiscalYear, isGone } = column;
  return html`<th scope="col">
    <button class="link title" data-stop tabindex="-1" title=${l10n.t('Open {0}', title)} @click=${() => page.call('openReport', { column: index })}>
      <span lang=${language ?? nothing} dir="auto">${title}</span>
    </button>
    <div class="about"><bdi>${company}</bdi></div>
    <div class="about quiet">
      <bdi>${fiscalYear}</bdi> · <bdi>${type}</bdi>${isGone ? html` · <span class="gone">${icon('warning')}${l10n.t('withdrawn')}</span>` : ''}
    </div>
  </th>`;
}

/** Where all reports say the same, one cell tells it for all. */
function groupTemplate(group: ComparedGroup, columns: number, isSame: boolean): TemplateResult {
  const cells = (row: ComparedRow) =>
    isSame
      ? html`<td colspan=${columns}>${cellTemplate(row, 0)}</td>`
      : row.cells.map((_, index) => html`<td>${cellTemplate(row, index)}</td>`);
  const rowTemplate = (row: ComparedRow) => html`<tr class="row" data-row=${row.id}>
    <th scope="row">
      ${row.isColumn ? columnLabel(row.label, () => page.explain(row.id)) : html`<bdi>${row.label}</bdi>`}${
        row.name === null ? '' : html`<span class="mono name">${row.name}</span>`
      }
    </th>
    ${cells(row)}
  </tr>`;
  return html`<tbody>
    <tr class="group">
      <th colspan=${columns + 1} scope="rowgroup"><span>${group.title} <span class="count">${group.rows.length}</span></span></th>
    </tr>
    ${repeat(group.rows, ({ id }) => id, rowTemplate)}
  </tbody>`;
}

function cellTemplate(row: ComparedRow, column: number): TemplateResult | '' {
  const cell = row.cells[column];
  if (!cell) return '';
  const id = `${column} ${row.id}`;
  const name = l10n.t('Copy {0}, report {1}', row.label, column + 1);
  return html`<div class="cell">
    <div class="cell-value">${valueTemplate(cell.value, page.isUnfolded(id), () => page.unfold(id), longestText)}</div>
    ${cell.copy === null ? '' : html`<span class="tools">${copyButton(page, id, row.label, cell.copy, name)}</span>`}
  </div>`;
}

page.open();
