import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { l10n } from '../../base/l10n.ts';
import { type CompanyCell, type CompanyView, type YearMark, yearMarkLabel } from '../../protocol/company.ts';
import { cellState, cellWords, isSplit, isTail, yearLabel } from '../../protocol/coverage.ts';
import { type CellPosition, isSelected, type Selection } from '../common/cellKeys.ts';
import { stateMark } from '../common/coverageMark.ts';
import { rove } from '../common/roving.ts';
import { columnLabel, icon } from '../common/widgets.ts';

interface MatrixActions {
  /** A cell was clicked; with Shift the range reaches to it. */
  click(place: CellPosition, withShift: boolean): void;
  key(event: KeyboardEvent): void;
}

/** The heads of the columns, the same above every table. */
function yearHeads(years: readonly number[], label: string): TemplateResult {
  return html`<div class="row head" role="row">
    <div class="cell label" role="columnheader"><span class="visually-hidden">${label}</span></div>
    ${years.map((year) => html`<div class="cell" role="columnheader">${yearLabel(year)}</div>`)}
  </div>`;
}

/** Fiscal years by families: arrow keys move, Shift chooses a range, Enter opens. */
export function matrixTemplate(view: CompanyView, selection: Selection, actions: MatrixActions): TemplateResult {
  return html`<div
    class="table matrix"
    role="grid"
    aria-label=${l10n.t('Reports by fiscal year')}
    aria-multiselectable="true"
    @keydown=${actions.key}
  >
    ${yearHeads(view.years, l10n.t('Reports'))}
    ${view.families.map(
      ({ label, code, cells }, row) => html`<div class="row" role="row">
        <div class="cell label" role="rowheader" title=${label}>
          <span class="quiet code">${code}</span><span class="words">${label}</span>
        </div>
        ${cells.map((cell, column) => cellTemplate(cell, { row, column }, view, selection, actions))}
      </div>`,
    )}
  </div>`;
}

function cellTemplate(
  data: CompanyCell,
  place: CellPosition,
  { years, families }: CompanyView,
  selection: Selection,
  actions: MatrixActions,
): TemplateResult {
  const { row, column } = place;
  const { marks, count } = data;
  const { active } = selection;
  const chosen = isSelected(selection, row, column);
  const text = cellWords(years[column] ?? 0, data);
  const words = `${families[row]?.label}, ${text}`;
  return html`<div
    class="cell ${chosen ? 'chosen' : ''}"
    role="gridcell"
    data-place="${row} ${column}"
    tabindex=${active.row === row && active.column === column ? 0 : -1}
    aria-selected=${chosen}
    aria-label=${words}
    data-text=${text}
    title=${words}
    @click=${(event: MouseEvent) => actions.click(place, event.shiftKey)}
  >
    <span class="cell-mark"
      >${isTail(data) ? html`<span class="split-mark tail" aria-hidden="true"></span>` : stateMark(cellState(data))}${isSplit(marks) ? html`<span class="split-mark" aria-hidden="true"></span>` : nothing}${
        count > 1 ? html`<span class="many" aria-hidden="true">${count}</span>` : nothing
      }</span
    >
  </div>`;
}

const markIcons = { yes: 'check', no: 'circle-slash' } as const;

/** Three answers that never look alike, and nothing where there is no report (CNV-2). */
function markTemplate(mark: YearMark): TemplateResult {
  if (mark === 'none') return html`<span class="visually-hidden">${yearMarkLabel(mark)}</span>`;
  if (mark === 'covered')
    return html`<span class="standard covered" title=${yearMarkLabel(mark)}><span class="split-mark tail" aria-hidden="true"></span><span class="visually-hidden">${yearMarkLabel(mark)}</span></span>`;
  const look = mark === 'undetermined' ? html`<span class="dash" aria-hidden="true">–</span>` : icon(markIcons[mark]);
  return html`<span class="standard ${mark}" title=${yearMarkLabel(mark)}>${look}<span class="visually-hidden">${yearMarkLabel(mark)}</span></span>`;
}

/** Shows a column in the schema dictionary. */
type Explain = (column: string) => unknown;

export function standardsLegend(): TemplateResult {
  return html`<ul class="legend" aria-label=${l10n.t('Legend of standards')}>
    ${(['yes', 'no'] as const).map((mark) => html`<li><span class="standard ${mark}">${icon(markIcons[mark])}</span><span>${yearMarkLabel(mark)}</span></li>`)}
    <li><span class="dash" aria-hidden="true">–</span><span>${yearMarkLabel('undetermined')}</span></li>
  </ul>`;
}

/** The standards that the reports of each year state to apply. */
export function standardsTable({ years, standards }: CompanyView, explain: Explain): TemplateResult {
  return html`<div class="table" role="table" aria-label=${l10n.t('Standards by fiscal year')} ${ref(rove)}>
    ${yearHeads(years, l10n.t('Standard'))} ${standards.map(({ id, label, marks }) =>
      markRow(
        columnLabel(label, () => explain(id)),
        marks,
      ),
    )}
  </div>`;
}

type Level = 'limited' | 'reasonable' | 'other';

/** Short enough for a column. */
function levelShort(level: Level): string {
  const words = { limited: l10n.t('Limited'), reasonable: l10n.t('Reasonable'), other: l10n.t('Other') };
  return words[level];
}

function levelWords(level: Level): string {
  const words = {
    limited: l10n.t('Limited assurance'),
    reasonable: l10n.t('Reasonable assurance'),
    other: l10n.t('Another level'),
  };
  return words[level];
}

/** The assurance that the reports of each year state. */
export function assuranceTable({ years, assurance }: CompanyView, explain: Explain): TemplateResult {
  return html`<div class="table" role="table" aria-label=${l10n.t('Assurance by fiscal year')} ${ref(rove)}>
      ${yearHeads(years, l10n.t('Assurance'))}
      <div class="row" role="row" data-row>
        <div class="cell label" role="rowheader">${columnLabel(l10n.t('Level'), () => explain('assurance_level'))}</div>
        ${assurance.map(
          ({ level, lines }) => html`<div class="cell level" role="cell" title=${lines.join('\n')}>
            ${
              level === null
                ? html`<span class="visually-hidden">${l10n.t('Not stated')}</span>`
                : html`<span aria-hidden="true">${levelShort(level)}</span><span class="visually-hidden">${levelWords(level)}</span>`
            }
          </div>`,
        )}
      </div>
      ${markRow(
        columnLabel(l10n.t('Statement in the report'), () => explain('assurance_statement')),
        assurance.map(({ statement }) => statement),
      )}
    </div>
    ${statements({ years, assurance })}`;
}

function statements({ years, assurance }: Pick<CompanyView, 'years' | 'assurance'>): TemplateResult {
  const stated = years
    .map((year, column) => ({ year, lines: assurance[column]?.lines ?? [] }))
    .filter(({ lines }) => lines.length > 0)
    .reverse();
  if (stated.length === 0) return html`<p class="quiet stay">${l10n.t('No report states any assurance.')}</p>`;
  return html`<details class="stay">
    <summary>${l10n.t('Providers, standards and scope')}</summary>
    <dl class="statements">
      ${stated.map(({ year, lines }) => html`<div><dt>${yearLabel(year)}</dt><dd>${lines.map((line) => html`<bdi>${line}</bdi>`)}</dd></div>`)}
    </dl>
  </details>`;
}

function markRow(label: TemplateResult, marks: readonly YearMark[]): TemplateResult {
  return html`<div class="row" role="row" data-row>
    <div class="cell label" role="rowheader"><span class="words">${label}</span></div>
    ${marks.map((mark) => html`<div class="cell" role="cell">${markTemplate(mark)}</div>`)}
  </div>`;
}
