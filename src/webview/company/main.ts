import '../common/jitless.ts';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { type CompanyFact, type CompanyView, companyProtocol } from '../../protocol/company.ts';
import { cellState, isTail } from '../../protocol/coverage.ts';
import { type CellPosition, chosenCells, clamp, movedSelection, type Selection } from '../common/cellKeys.ts';
import { PanelPage } from '../common/page.ts';
import {
  announce,
  button,
  columnLabel,
  copyButton,
  factTemplate,
  noticesTemplate,
  starButton,
} from '../common/widgets.ts';
import { legend } from '../coverage/cells.ts';
import { assuranceTable, matrixTemplate, standardsLegend, standardsTable } from './tables.ts';

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
  reading: l10n.later('Loading the page'),
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
  const { id, label, isCode, copy } = fact;
  const name = fact.isColumn ? columnLabel(label, () => page.explain(id), 0) : label;
  const tools = copy === null ? '' : copyButton(page, id, label, copy, undefined, 0);
  return factTemplate(name, fact, isCode, tools);
}

function yearsTemplate(view: CompanyView): TemplateResult {
  return html`<div class="years" .style=${`--columns: ${view.years.length}`}>
    <section aria-labelledby="coverage">
      <h2 id="coverage" class="stay">${l10n.t('Coverage')}</h2>
      <p class="quiet stay">${l10n.t('Enter or a click opens a report. Shift+arrow or Shift+click selects a range to download.')}</p>
      ${matrixTemplate(view, selection(), { click, key })}
      <div class="stay">${legend()}</div>
    </section>
    <section aria-labelledby="standards">
      <h2 id="standards" class="stay">${l10n.t('Standards')}</h2>
      <p class="quiet stay">${l10n.t('Extracted from what the reports state; not an audit.')}</p>
      ${standardsTable(view, page.explain)}
      <div class="stay">${standardsLegend(view)}</div>
    </section>
    <section aria-labelledby="assurance">
      <h2 id="assurance" class="stay">${l10n.t('Assurance')}</h2>
      <p class="quiet stay">${l10n.t('As stated in the reports.')}</p>
      ${assuranceTable(view, page.explain)}
    </section>
  </div>
  ${bar.element}`;
}

page.open();
