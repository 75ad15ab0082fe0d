import '../common/jitless.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import {
  type CompanyFact,
  type CompanyView,
  companyProtocol,
  type YearMark,
  yearMarkLabel,
} from '../../protocol/company.ts';
import { type CellContent, cellState, cellWords, isSplit, isTail, yearLabel } from '../../protocol/coverage.ts';
import {
  type CellPosition,
  chosenCells,
  clamp,
  isSelected,
  movedSelection,
  type Selection,
} from '../common/cellKeys.ts';
import { PanelPage } from '../common/page.ts';
import { rove } from '../common/roving.ts';
import {
  announce,
  button,
  columnLabel,
  copyButton,
  factTemplate,
  icon,
  noticesTemplate,
  starButton,
} from '../common/widgets.ts';
import { legend, splitLegend, stateMark } from '../coverage/cells.ts';

/**
 * A second scroll bar for a table both wider and longer than the window, whose own would be out of sight below: it
 * stays at the window's lower edge. Each follows the other; the keyboard needs neither.
 */
class SideBar {
  readonly element = document.createElement('div');
  readonly #extent = document.createElement('div');
  readonly #observer = new ResizeObserver(() => this.#measure());
  #scroller: HTMLElement | undefined;

  constructor() {
    const { element } = this;
    element.className = 'side-bar';
    element.ariaHidden = 'true';
    element.tabIndex = -1;
    element.append(this.#extent);
    element.addEventListener('scroll', () => this.#scroller?.scrollTo({ left: element.scrollLeft }), { passive: true });
  }

  /** What it scrolls from now on; its first child is as wide as all of it. */
  follow(scroller: HTMLElement | null): void {
    if (!scroller || scroller === this.#scroller) return;
    this.#observer.disconnect();
    this.#scroller = scroller;
    scroller.addEventListener('scroll', () => this.element.scrollTo({ left: scroller.scrollLeft }), { passive: true });
    this.#observer.observe(scroller);
    if (scroller.firstElementChild) this.#observer.observe(scroller.firstElementChild);
    this.#measure();
  }

  #measure(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    this.element.hidden = scroller.scrollWidth <= scroller.clientWidth;
    this.#extent.style.width = `${scroller.scrollWidth}px`;
    this.element.scrollTo({ left: scroller.scrollLeft });
  }
}

const bar = new SideBar();

const page: PanelPage<typeof companyProtocol> = new PanelPage(companyProtocol, {
  template: pageTemplate,
  updated: l10n.later('The page was updated'),
  taking({ families, years }, before) {
    // The keyboard begins at the newest year; a place that is not there any more gives way to the nearest.
    const newest = { row: 0, column: years.filter((year) => year !== 0).length - 1 };
    const { row, column } = before || page.isBack ? page.state : newest;
    if (!before) anchor = null;
    page.keep({ row: clamp(row, families.length - 1), column: clamp(column, years.length - 1) });
  },
  taken(before) {
    // The newest years show where not all fit.
    const years = page.root.querySelector<HTMLElement>('.years');
    if (years && !before) years.scrollLeft = years.scrollWidth;
    bar.follow(years);
  },
});

/** Where the chosen range began; null while there is none. It ends at the cell that has the keyboard. */
let anchor: CellPosition | null = null;

function selection(): Selection {
  const { row, column } = page.state;
  return { active: { row, column }, anchor };
}

function download(): void {
  if (page.view) void page.call('download', { cells: chosenCells(page.view, selection()) });
}

function click(place: CellPosition, withShift: boolean): void {
  select({ active: place, anchor: withShift ? (anchor ?? selection().active) : null });
  if (!withShift) open(place);
}

function key(event: KeyboardEvent): void {
  const { view } = page;
  if (!view || event.altKey) return;
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    open(page.state);
    return;
  }
  const next = movedSelection(selection(), event, { rows: view.families.length, columns: view.years.length });
  if (!next) return;
  event.preventDefault();
  // The editor would take Ctrl+A for all text of the page.
  event.stopPropagation();
  select(next);
}

function select(next: Selection): void {
  const wasRange = anchor !== null;
  anchor = next.anchor;
  const { row, column } = next.active;
  page.set({ row, column });
  const cell = page.root.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`);
  cell?.focus({ preventScroll: true });
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const cells = anchor && page.view ? chosenCells(page.view, next).length : 0;
  if (cells > 0) announce(l10n.t('Selected cells: {0}', countText(cells)));
  else if (wasRange) announce(l10n.t('Selection cleared'));
}

function open({ row, column }: CellPosition): void {
  const family = page.view?.families[row];
  const year = page.view?.years[column];
  const cell = family?.cells[column];
  if (!family || year === undefined || !cell) return;
  if (isTail(cell)) void page.call('openCell', { year: year - 1, family: family.family });
  else if (cellState(cell) === 'none') announce(l10n.t('No report here'));
  else void page.call('openCell', { year, family: family.family });
}

function pageTemplate(view: CompanyView): TemplateResult {
  return html`${headerTemplate(view)} ${view.years.length === 0 ? '' : yearsTemplate(view)}`;
}

function headerTemplate(view: CompanyView): TemplateResult {
  const what = anchor === null ? l10n.t('Download All PDFs…') : l10n.t('Download Selected PDFs…');
  return html`<header>
    <h1 dir="auto" title=${view.title}>${view.title}</h1>
    <p class="quiet"><bdi>${view.detail}</bdi> ${starButton(view.isFavorite, () => page.call('toggleFavorite', null))}</p>
    <dl class="facts">${view.facts.map((fact) => companyFact(fact))}</dl>
    ${noticesTemplate(view.notices.map((text) => ({ tone: 'info', text })))}
    <div class="actions">
      ${button('cloud-download', what, view.years.length === 0 ? undefined : download, true)}
      ${button('list-tree', l10n.t('Reveal in Watchlist'), () => page.call('revealInWatchlist', null))}
      ${button('list-flat', l10n.t('View as Text'), page.viewAsText)}
    </div>
  </header>`;
}

function companyFact(fact: CompanyFact): TemplateResult {
  const { id, label, copy } = fact;
  const name = fact.isColumn ? columnLabel(label, () => page.explain(id), 0) : label;
  const tools = copy === null ? '' : copyButton(page, id, label, copy, undefined, 0);
  return factTemplate(name, fact, copy !== null, tools);
}

function yearsTemplate(view: CompanyView): TemplateResult {
  return html`<div class="years" .style=${`--columns: ${view.years.length}`}>
    <section aria-labelledby="coverage">
      <h2 id="coverage" class="stay">${l10n.t('Coverage')}</h2>
      <p class="quiet stay">${l10n.t('Enter or a click opens a report. Shift+arrow or Shift+click selects a range to download.')}</p>
      ${matrixTemplate(view)}
      <div class="stay">${legend()}</div>
    </section>
    <section aria-labelledby="standards">
      <h2 id="standards" class="stay">${l10n.t('Standards')}</h2>
      <p class="quiet stay">${l10n.t('Extracted from what the reports state; not an audit.')}</p>
      ${standardsTable(view)}
      <div class="stay">${standardsLegend(view)}</div>
    </section>
    <section aria-labelledby="assurance">
      <h2 id="assurance" class="stay">${l10n.t('Assurance')}</h2>
      <p class="quiet stay">${l10n.t('As stated in the reports.')}</p>
      ${assuranceTable(view)}
    </section>
  </div>
  ${bar.element}`;
}

/** The heads of the columns, the same above every table. */
function yearHeads(years: readonly number[], label: string): TemplateResult {
  return html`<div class="row head" role="row">
    <div class="cell label" role="columnheader"><span class="visually-hidden">${label}</span></div>
    ${years.map((year) => html`<div class="cell" role="columnheader">${yearLabel(year)}</div>`)}
  </div>`;
}

/** Fiscal years by families: arrow keys move, Shift chooses a range, Enter opens. */
function matrixTemplate(view: CompanyView): TemplateResult {
  return html`<div
    class="table matrix"
    role="grid"
    aria-label=${l10n.t('Reports by fiscal year')}
    aria-multiselectable="true"
    @keydown=${key}
  >
    ${yearHeads(view.years, l10n.t('Reports'))}
    ${view.families.map(
      ({ label, code, cells }, row) => html`<div class="row" role="row">
        <div class="cell label" role="rowheader" title=${label}>
          <span class="quiet code">${code}</span><span class="words">${label}</span>
        </div>
        ${cells.map((cell, column) => cellTemplate(cell, { row, column }, view))}
      </div>`,
    )}
  </div>`;
}

function cellTemplate(data: CellContent, place: CellPosition, { years, families }: CompanyView): TemplateResult {
  const { row, column } = place;
  const { marks, count } = data;
  const { active } = selection();
  const chosen = isSelected(selection(), row, column);
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
    @click=${(event: MouseEvent) => click(place, event.shiftKey)}
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

function standardsLegend({ standards }: CompanyView): TemplateResult {
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
function standardsTable({ years, standards }: CompanyView): TemplateResult {
  const rows = standards.map(({ id, label, marks }) => {
    const name = columnLabel(label, () => page.explain(id));
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
function assuranceTable({ years, assurance }: CompanyView): TemplateResult {
  const [level, statement] = [l10n.t('Assurance level'), l10n.t('Statement in the report')];
  const rows = [
    yearRow(
      columnLabel(level, () => page.explain('assurance_level')),
      assurance.map(levelCell),
    ),
    yearRow(
      columnLabel(statement, () => page.explain('assurance_statement')),
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

page.open();
