import '../common/jitless.ts';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import {
  type CopyForm,
  columnLook,
  type FacetSectionId,
  firstColumns,
  type Narrowing,
  type RowsToSelect,
  type Section,
  type ShownColumn,
  type TableAction,
  type TableView,
  tableColumns,
  tableProtocol,
  toggledColumns,
} from '../../protocol/reportTable.ts';
import { contextMenu, iconMenu, type MenuItem, menuButton, openMenuAt } from '../common/menu.ts';
import { errorMessage, PanelPage } from '../common/page.ts';
import { announce, announceFailure, button, chip, filterBox, icon } from '../common/widgets.ts';
import { facetsTemplate } from './facets.ts';
import { TableGrid } from './grid.ts';
import { NearRows, shownCount } from './rows.ts';
import { YearBars } from './years.ts';

/** Below this width, in px, the facets give way to the rows until they are asked for. */
const roomForFacets = 900;

const sections = new Map<FacetSectionId, Section>();
let isSame = false;
/** What is being typed, until the reports of it are shown. */
let typed: string | undefined;

const page: PanelPage<typeof tableProtocol> = new PanelPage(tableProtocol, {
  template: pageTemplate,
  taking(view, before) {
    isSame = before === undefined || isAlike(view, before);
    rows.take(view, isSame);
    if (typed === view.text) typed = undefined;
  },
  taken: () => {
    if (page.view) grid.show(page.view, isSame);
  },
  events: {
    section(section) {
      sections.set(section.id, section);
      page.draw();
    },
    years: (counts) => years.show(counts),
  },
});

const rows = new NearRows({
  ask: (version, offset, signal) => page.ask('rows', { version, offset }, signal),
  came: () => grid.redraw(),
  failed: (error) => announceFailure(errorMessage(error)),
});
const { row, column, top } = page.state;
const grid = new TableGrid(
  rows,
  {
    openReport: ({ id }) => void page.call('openReport', { id }),
    sort: ({ id }) => sort(id),
    select: (how, from, to) => void select(how, from, to),
    copy: () => void page.call('copyAs', { form: 'tsv' }, l10n.t('Copied')),
    star: ({ id }) => void page.call('star', { id }),
    menu: (event, row) => void openRowMenu(event, row),
    arrange: (columns) => arrange(columns),
    moved: ({ active, top }) => page.keep({ row: Math.max(0, active.row), column: active.column, top }),
  },
  { place: { row, column }, top },
);
const years = new YearBars((chosen) =>
  narrow(chosen.length === 0 ? { by: 'without', part: 'fcyear' } : { by: 'years', years: chosen }),
);

/** Whether two views are of the same reports in the same order, though some may have changed. */
function isAlike(a: TableView, b: TableView): boolean {
  const of = ({ text, chips, order }: TableView) => JSON.stringify([text, chips, order]);
  return of(a) === of(b);
}

function narrow(step: Narrowing): void {
  void page.call('narrow', step);
}

/** The other way when it is sorted by the column already; what is counted or dated starts with the highest. */
function sort(id: ShownColumn['id']): void {
  const { order } = page.view ?? {};
  const { label, kind } = columnLook(id);
  const descending = order?.column === id ? !order.descending : kind !== 'text' || id === 'published';
  void page.call('sort', { column: id, descending });
  announce(descending ? l10n.t('Sorted by {0}, descending', label) : l10n.t('Sorted by {0}, ascending', label));
}

function arrange(columns: ShownColumn[]): void {
  if (page.view) page.view = { ...page.view, columns };
  if (page.view) grid.show(page.view, true);
  page.draw();
  // The editor makes the texts of shown columns only.
  void page.call('arrange', { columns }).then(() => rows.refresh());
}

/** Shows a column more, and scrolls to where it is, or one less. */
function toggleColumn(columns: readonly ShownColumn[], id: ShownColumn['id']): void {
  const next = toggledColumns(columns, id);
  arrange(next);
  const place = next.findIndex((column) => column.id === id);
  if (place > 0) grid.rows.reveal({ row: -1, column: place });
}

/**
 * The menu is of what is selected, so it opens only once the row that it was asked on is. The editor knows whether it
 * is already: a click just before may not have come back to the rows yet.
 */
async function openRowMenu(event: MouseEvent, row: number): Promise<void> {
  const asked = page.view?.version;
  await select('keep', row, row);
  const menu = document.querySelector<HTMLElement>('.row-menu .menu');
  const { version, selection } = page.view ?? {};
  if (menu && version === asked && selection?.count !== 0) openMenuAt(menu, event);
}

async function select(how: RowsToSelect['how'], from: number, to: number): Promise<void> {
  const { view } = page;
  if (!view) return;
  try {
    const selection = await page.ask('select', { version: view.version, how, from, to });
    if (!page.view) return;
    page.view = { ...page.view, selection };
    rows.refresh();
    page.draw();
    grid.redraw(page.view);
    announce(selection.count === 0 ? l10n.t('Selection cleared') : selectedWords(selection.count));
  } catch (error) {
    announceFailure(errorMessage(error));
  }
}

function selectedWords(count: number): string {
  return l10n.t('{0} selected', counted(count, l10n.later('1 report'), l10n.later('{0} reports')));
}

function countWords(view: TableView): string {
  const { count, total, isLoading } = view;
  const words =
    count === total
      ? counted(total, l10n.later('1 report'), l10n.later('{0} reports'))
      : l10n.t('{0} of {1} reports', countText(count), countText(total));
  const loading = isLoading ? l10n.t('{0}, still loading', words) : words;
  const shown = shownCount(view);
  return shown < count ? l10n.t('{0}. The table shows the first {1}.', loading, countText(shown)) : loading;
}

function pageTemplate(view: TableView): TemplateResult {
  const hasFacets = page.state.hasFacets ?? innerWidth >= roomForFacets;
  return html`<header>
      <h1>${l10n.t('All Reports as Table')}</h1>
      <p class="quiet" role="status">${countWords(view)}</p>
    </header>
    ${toolsTemplate(view, hasFacets)} ${chipsTemplate(view)}
    <div class="halves">
      ${
        hasFacets
          ? facetsTemplate({
              sections,
              open: page.state.open,
              isWhole: (id) => page.isUnfolded(id),
              showWhole: (id) => page.unfold(id),
              toggle: openSection,
              narrow,
            })
          : ''
      }
      <div class="results">
        ${years.element} ${selectionTemplate(view)} ${grid.rows.element}
        ${view.count === 0 ? emptyTemplate(view) : ''}
      </div>
    </div>`;
}

function openSection(id: FacetSectionId, isOpen: boolean): void {
  const { open } = page.state;
  if (open.includes(id) === isOpen) return;
  const next = isOpen ? [...open, id] : open.filter((each) => each !== id);
  page.set({ open: next });
  page.send('open', { sections: next });
}

function toolsTemplate(view: TableView, hasFacets: boolean): TemplateResult {
  const shown = new Set(view.columns.map(({ id }) => id));
  const columns = tableColumns.map((id) => ({
    icon: 'blank',
    words: columnLook(id).label,
    isOn: shown.has(id),
    act: () => toggleColumn(view.columns, id),
  }));
  const reset = { icon: 'discard', words: l10n.t('Reset Columns'), act: () => arrange([...firstColumns]) };
  const toggle = () => page.set({ hasFacets: !hasFacets });
  const ask = (name: 'takeReportsFilter' | 'showInReports' | 'copyLink' | 'viewAsText') => () => page.call(name, null);
  const more = [
    { icon: 'arrow-left', words: l10n.t('Show in Reports View'), act: ask('showInReports') },
    { icon: 'arrow-right', words: l10n.t('Use Filter of Reports View'), act: ask('takeReportsFilter') },
    { icon: 'link', words: l10n.t('Copy Link to This Table'), act: ask('copyLink') },
    { icon: 'list-flat', words: l10n.t('View as Text'), act: ask('viewAsText') },
  ];
  return html`<div class="toolbar">
    ${chip(hasFacets, 'list-filter', l10n.t('Filters'), toggle)}
    ${filterBox(l10n.t('Search'), typed ?? view.text, onWords, l10n.t('Company, title, key, identifier, country, sector or type'))}
    <span class="toolbar-end">
      ${button('bookmark', l10n.t('Saved Filters…'), () => page.call('savedFilters', null))}
      ${menuButton(l10n.t('Columns'), [reset, ...columns])} ${iconMenu(l10n.t('More Actions…'), 'ellipsis', more)}
    </span>
  </div>`;
}

/** Searches for the words with each letter; the editor gives up the search before. */
async function onWords(text: string): Promise<void> {
  typed = text;
  page.draw();
  await page.call('narrow', { by: 'text', text });
  if (typed === text) typed = undefined;
}

function chipsTemplate({ chips, text }: TableView): TemplateResult | '' {
  if (chips.length === 0 && text === '') return '';
  return html`<ul class="chips parts" aria-label=${l10n.t('Active filters')}>
    ${chips.map(
      ({ part, words }) =>
        html`<li><button class="chip part" title=${l10n.t('Remove {0}', words)} aria-label=${l10n.t('Remove {0}', words)} @click=${() => narrow({ by: 'without', part })}>
          <bdi>${words}</bdi>${icon('close')}
        </button></li>`,
    )}
    <li><button class="link" @click=${clearFilter}>${l10n.t('Clear Filter')}</button></li>
  </ul>`;
}

function clearFilter(): void {
  typed = undefined;
  narrow({ by: 'everything' });
}

/** Does something with the selection. Whatever the editor opens, the keyboard comes back to its row. */
function run(action: TableAction): void {
  grid.rows.focus();
  void page.call('run', { action });
}

/** What can be done with the selected reports. */
function selectionItems({ selection: { isStarred } }: TableView): MenuItem[] {
  const item = (icon: string, words: string, action: TableAction) => ({ icon, words, act: () => run(action) });
  return [
    item('cloud-download', l10n.t('Download PDFs…'), 'downloadReports'),
    item('diff-multiple', l10n.t('Compare'), 'compareReports'),
    item('notebook', l10n.t('Insert into Notebook'), 'insertIntoNotebook'),
    item('export', l10n.t('Export…'), 'exportReports'),
    item('organization', l10n.t('Resolve Companies'), 'resolveIdentifiers'),
    isStarred
      ? item('star-full', l10n.t('Remove from Favorites'), 'removeFavourite')
      : item('star-empty', l10n.t('Add to Favorites'), 'addFavourite'),
  ];
}

function copyItems(): MenuItem[] {
  const item = (form: CopyForm, words: string) => ({
    icon: 'copy',
    words,
    act: () => page.call('copyAs', { form }, l10n.t('Copied')),
  });
  return [
    item('csv', l10n.t('Copy as CSV')),
    item('tsv', l10n.t('Copy as TSV')),
    item('markdown', l10n.t('Copy as Markdown')),
  ];
}

function selectionTemplate(view: TableView): TemplateResult {
  const { selection, count } = view;
  const isNone = selection.count === 0;
  const [items, copies] = [selectionItems(view), copyItems()];
  return html`<div class="toolbar selection" role="group" aria-label=${l10n.t('Selection')}>
    <span class="quiet">${isNone ? l10n.t('None selected') : selectedWords(selection.count)}</span>
    ${
      selection.isAll
        ? html`<button class="link" @click=${() => select('none', 0, 0)}>${l10n.t('Clear Selection')}</button>`
        : html`<button class="link" ?disabled=${count === 0} @click=${() => select('all', 0, 0)}>${l10n.t('Select All {0}', countText(count))}</button>`
    }
    <span class="toolbar-end">
      ${items.map(({ icon, words, act }) => folding(icon, words, isNone ? undefined : act))}
      ${menuButton(l10n.t('Copy'), copies, isNone)}
    </span>
  </div>
  <div class="row-menu">${contextMenu(l10n.t('Selection'), [...items, ...copies])}</div>`;
}

/** A button that is an icon alone where there is no room for its words. */
function folding(iconName: string, words: string, onClick: (() => void) | undefined): TemplateResult {
  const isOff = onClick === undefined;
  return html`<vscode-button secondary title=${words} ?disabled=${isOff} aria-disabled=${isOff} @click=${() => onClick?.()}
    >${icon(iconName, 'content-before')}<span class="words">${words}</span></vscode-button
  >`;
}

function emptyTemplate({ total, isLoading }: TableView): TemplateResult {
  if (total > 0)
    return html`<div class="nothing">
      <p>${l10n.t('No report matches the filter.')}</p>
      <vscode-button @click=${clearFilter}>${l10n.t('Clear Filter')}</vscode-button>
    </div>`;
  const words = isLoading
    ? l10n.t('No reports yet. They appear here while the library loads.')
    : l10n.t('Your license includes no reports yet. They appear here once added.');
  return html`<div class="nothing"><p>${words}</p></div>`;
}

matchMedia(`(min-width: ${roomForFacets}px)`).addEventListener('change', () => page.draw());
page.open();
page.send('open', { sections: page.state.open });
