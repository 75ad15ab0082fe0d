import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import {
  type CellContent,
  type CellState,
  type CoverageLook,
  type CoverageSort,
  type CoverageView,
  cellLooks,
  cellState,
  cellStateLabel,
  cellStates,
  cellWords,
  isSplit,
  isTail,
  splitLabel,
} from '../../protocol/coverage.ts';
import { type CoverageRows, gapsRule } from '../../protocol/coverageRows.ts';
import { icon } from '../common/widgets.ts';

// Made once: a matrix shows hundreds of them at a time.
const marks = new Map(
  cellStates.map((state) => {
    const name = cellLooks[state].icon;
    return [state, html`<span class="mark ${state}" aria-hidden="true">${name === '' ? '' : icon(name)}</span>`];
  }),
);

/** The appearance of a state: shape first, then color. */
function stateMark(state: CellState): TemplateResult | undefined {
  return marks.get(state);
}

/** What the looks mean, and what else there is to know. */
export function legend(note = ''): TemplateResult {
  return html`<ul class="legend" aria-label=${l10n.t('Legend')}>
    ${cellStates.map((state) => html`<li>${stateMark(state)}<span>${cellStateLabel(state)}</span></li>`)}
    <li><span class="cell-mark">${stateMark('available')}<span class="split-mark" aria-hidden="true"></span></span><span>${l10n.t('Two-year report, filed under its first year')}</span></li>
    ${note === '' ? '' : html`<li>${note}</li>`}
  </ul>`;
}

export type GridColumn =
  | { readonly kind: 'name' | 'country' | 'reports' | 'gaps'; readonly label: string; readonly sort: CoverageSort }
  /** A fiscal year, or undated; `at` is its place among the view's years. */
  | { readonly kind: 'year'; readonly label: string; readonly year: number; readonly at: number }
  | { readonly kind: 'split'; readonly label: string };

/** Years in their course, what has no single year, then what the row comes to. */
export function columnsOf({ years }: Pick<CoverageView, 'years'>): GridColumn[] {
  const placed = years.map((year, at) => ({ year, at }));
  const dated = placed.filter(({ year }) => year !== 0);
  const undated = placed.filter(({ year }) => year === 0);
  return [
    { kind: 'name', label: l10n.t('Company'), sort: 'name' },
    ...dated.map(({ year, at }): GridColumn => ({ kind: 'year', label: String(year), year, at })),
    { kind: 'split', label: l10n.t('Two-year') },
    ...undated.map(({ year, at }): GridColumn => ({ kind: 'year', label: l10n.t('Undated'), year, at })),
    { kind: 'reports', label: l10n.t('Reports'), sort: 'reports' },
    { kind: 'gaps', label: l10n.t('Gaps'), sort: 'gaps' },
    { kind: 'country', label: l10n.t('Country'), sort: 'country' },
  ];
}

/** The look of a company's year: one element, whose mark the style sheet draws. */
function yearClass(cell: CellContent, isMarked: boolean): string {
  const state = cellState(cell);
  const { icon: mark } = cellLooks[state];
  const drawn = mark === '' ? state : `${state} codicon-${mark}`;
  const look = isTail(cell) ? 'split-tail' : drawn;
  return `cell year ${look}${isSplit(cell.marks) ? ' reaching' : ''}${isMarked ? ' marked' : ''}`;
}

/** How many reports a cell stands for, where there is more than one. */
function manyText({ count }: CellContent): string {
  if (count <= 1) return '';
  return count === 255 ? '255+' : String(count);
}

/** The last two-year report, and how many more there are. */
function splitText(split: readonly number[]): string {
  const last = split.at(-1);
  if (last === undefined) return '';
  return split.length === 1 ? splitLabel(last) : l10n.t('{0} and {1} more', splitLabel(last), split.length - 1);
}

function splitWords(split: readonly number[]): string {
  if (split.length === 0) return l10n.t('No two-year reports');
  const words = l10n.t('Two-year reports: {0}', split.map(splitLabel).join(', '));
  // The spoken text begins with the visible one.
  return split.length === 1 ? words : `${splitText(split)}. ${words}`;
}

/** Height of a row in px; the style sheet says the same. */
export const rowHeight = 26;

interface RowContext {
  readonly view: CoverageView;
  readonly shown: CoverageRows;
  readonly columns: readonly GridColumn[];
  readonly gapYear: number | null;
}

/** The row at a place among those shown, so many px from their top; drawn anew only when it shows something else. */
export function rowTemplate(index: number, top: number, context: RowContext): unknown {
  return guard([index, top, context], () => {
    const { shown, columns } = context;
    const row = shown.rows[index] ?? -1;
    return html`<div class="row" role="row" aria-rowindex=${index + 2} data-index=${index} .style=${`top: ${top}px`}>
      ${columns.map((column, place) => cellTemplate(column, place, row, context))}
    </div>`;
  });
}

/** A cell but for its place: what is read out, and the text. Tooltips are made when the pointer comes. */
interface CellParts {
  readonly look: string;
  readonly words?: string;
  readonly content: unknown;
}

function cellTemplate(column: GridColumn, place: number, row: number, context: RowContext): TemplateResult {
  const { look, words, content } = cellParts(column, row, context);
  const role = column.kind === 'name' ? 'rowheader' : 'gridcell';
  return html`<div class=${look} role=${role} tabindex="-1" data-column=${place} aria-label=${words ?? nothing}>${content}</div>`;
}

function cellParts(column: GridColumn, row: number, { view, shown, gapYear }: RowContext): CellParts {
  switch (column.kind) {
    case 'name':
      return { look: 'cell name', content: html`<bdi>${view.names[row]}</bdi>` };
    case 'country':
      return { look: 'cell country', content: html`<bdi>${view.countries[row] ?? '–'}</bdi>` };
    case 'reports':
    case 'gaps':
      return { look: `cell number ${column.kind}`, content: countText(shown.figures(row)[column.kind]) };
    case 'split': {
      const { split } = shown.figures(row);
      return { look: 'cell number split', words: splitWords(split), content: splitText(split) };
    }
    case 'year': {
      const cell = shown.reader.cell(row, column.at);
      const look = yearClass(cell, column.year === gapYear);
      return { look, words: cellWords(column.year, cell), content: manyText(cell) };
    }
    default:
      return column satisfies never;
  }
}

/** The grid's head: names sort, years look for gaps. */
export function headTemplate(columns: readonly GridColumn[], look: CoverageLook, activeColumn: number): TemplateResult {
  return html`<div class="row head" role="row" aria-rowindex="1" data-index="-1">
    ${columns.map((column, place) => headCell(column, place, look, place === activeColumn ? 0 : -1))}
  </div>`;
}

function headCell(column: GridColumn, place: number, look: CoverageLook, stop: number): TemplateResult {
  const isSorted = 'sort' in column && column.sort === look.sort;
  const order = !('sort' in column) ? nothing : isSorted ? (look.descending ? 'descending' : 'ascending') : 'none';
  const isGapYear = column.kind === 'year' && column.year === look.gapYear;
  return html`<div
    class="cell ${column.kind} ${isGapYear ? 'marked' : ''}"
    role="columnheader"
    tabindex=${stop}
    data-column=${place}
    aria-sort=${order}
    title=${headTitle(column, isGapYear)}
  >
    <span>${column.label}</span>${isSorted ? icon(look.descending ? 'arrow-down' : 'arrow-up') : ''}${
      isGapYear ? icon('filter-filled') : ''
    }
  </div>`;
}

function headTitle(column: GridColumn, isGapYear: boolean): string {
  switch (column.kind) {
    case 'year':
      if (isGapYear) return l10n.t('Show all companies again');
      return column.year === 0
        ? l10n.t('Only companies without undated reports')
        : l10n.t('Only companies without a report for {0}', column.label);
    case 'split':
      return l10n.t('Reports that cover two fiscal years; each is filed under the first');
    case 'gaps':
      return l10n.t('{0} Select to sort.', gapsRule());
    case 'name':
      return l10n.t('Sort by company');
    case 'country':
      return l10n.t('Sort by country');
    case 'reports':
      return l10n.t('Sort by reports');
    default:
      return column satisfies never;
  }
}
