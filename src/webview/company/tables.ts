import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { l10n } from '../../base/l10n.ts';
import { type CompanyView, type YearMark, yearMarkLabel } from '../../protocol/company.ts';
import { type CellContent, cellState, cellWords, isSplit, isTail, yearLabel } from '../../protocol/coverage.ts';
import { type CellPosition, isSelected, type Selection } from '../common/cellKeys.ts';
import { rove } from '../common/roving.ts';
import { columnLabel, icon } from '../common/widgets.ts';
import { splitLegend, stateMark } from '../coverage/cells.ts';

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
  data: CellContent,
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
      >${isTail(data) ? html`<span class="split-mark tail" aria-hidden="true"></span>` : stateMark(cellState(data))}${isSplit(marks) ? splitMark : nothing}${
        count > 1 ? html`<span class="many" aria-hidden="true">${count}</span>` : nothing
      }</span
    >
  </div>`;
}

/** A report of two years reaches into the next one. */
const splitMark = html`<span class="split-mark" aria-hidden="true"></span>`;

const looks: Readonly<Record<YearMark, TemplateResult | ''>> = {
  yes: icon('check'),
  no: icon('circle-slash'),
  undetermined: html`<span class="dash" aria-hidden="true">–</span>`,
  covered: html`<span class="split-mark tail" aria-hidden="true"></span>`,
  none: '',
};

/** Three answers that never look alike, and nothing where there is no report (CNV-2). */
function markTemplate(mark: YearMark): TemplateResult {
  const words = html`<span class="visually-hidden">${yearMarkLabel(mark)}</span>`;
  if (mark === 'none') return words;
  return html`<span class="standard ${mark}" title=${yearMarkLabel(mark)}>${looks[mark]}${words}</span>`;
}

/** Shows a column in the schema dictionary. */
type Explain = (column: string) => unknown;

export function standardsLegend({ standards }: CompanyView): TemplateResult {
  const isSplitShown = standards.some(({ marks: of }) => of.includes('covered'));
  const marks = ['yes', 'no', 'undetermined'] as const;
  return html`<ul class="legend" aria-label=${l10n.t('Legend of standards')}>
    ${marks.map((mark) => html`<li><span class="standard ${mark}">${looks[mark]}</span><span>${yearMarkLabel(mark)}</span></li>`)}
    ${isSplitShown ? splitLegend(looks.yes) : ''}
  </ul>`;
}

/** A table over the fiscal years whose names of rows the arrow keys lead through. */
function yearTable(name: string, years: readonly number[], label: string, rows: unknown): TemplateResult {
  return html`<div class="table" role="table" aria-label=${name} ${ref(rove)}>${yearHeads(years, label)} ${rows}</div>`;
}

function yearRow(label: TemplateResult, cells: readonly TemplateResult[]): TemplateResult {
  return html`<div class="row" role="row" data-row>
    <div class="cell label" role="rowheader"><span class="words">${label}</span></div>
    ${cells}
  </div>`;
}

function markCells(marks: readonly YearMark[]): TemplateResult[] {
  const begins = (at: number) => (marks[at + 1] === 'covered' ? splitMark : '');
  return marks.map((mark, at) => html`<div class="cell" role="cell">${markTemplate(mark)}${begins(at)}</div>`);
}

/** The standards that the reports of each year state to apply. */
export function standardsTable({ years, standards }: CompanyView, explain: Explain): TemplateResult {
  const rows = standards.map(({ id, label, marks }) => {
    const name = columnLabel(label, () => explain(id));
    return yearRow(name, markCells(marks));
  });
  return yearTable(l10n.t('Standards by fiscal year'), years, l10n.t('Standard'), rows);
}

/** In a column, and in full. */
const levelWords = {
  limited: [l10n.later('Limited'), l10n.later('Limited assurance')],
  reasonable: [l10n.later('Reasonable'), l10n.later('Reasonable assurance')],
  other: [l10n.later('Other'), l10n.later('Another level')],
} as const;

function levelCell({ level, lines }: CompanyView['assurance'][number]): TemplateResult {
  const [short, full] = level === null ? [null, l10n.t('Not stated')] : levelWords[level].map(l10n.word);
  return html`<div class="cell level" role="cell" title=${lines.join('\n')}>
    ${short === null ? '' : html`<span aria-hidden="true">${short}</span>`}<span class="visually-hidden">${full}</span>
  </div>`;
}

/** The assurance that the reports of each year state. */
export function assuranceTable({ years, assurance }: CompanyView, explain: Explain): TemplateResult {
  const [level, statement] = [l10n.t('Assurance level'), l10n.t('Statement in the report')];
  const rows = [
    yearRow(
      columnLabel(level, () => explain('assurance_level')),
      assurance.map(levelCell),
    ),
    yearRow(
      columnLabel(statement, () => explain('assurance_statement')),
      markCells(assurance.map((year) => year.statement)),
    ),
  ];
  return html`${yearTable(l10n.t('Assurance by fiscal year'), years, l10n.t('Assurance'), rows)}
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
