import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type CompanyState, type CompanyView, companyProtocol, companyStateSchema } from '../../protocol/company.ts';
import { cellState } from '../../protocol/coverage.ts';
import { type CellPosition, chosenCells, moved, type Selection } from '../common/cellKeys.ts';
import { act, editor, openPageChannel, pageRoot } from '../common/page.ts';
import { announce, Copied } from '../common/widgets.ts';
import { type PageActions, pageTemplate } from './page.ts';

const parsed = companyStateSchema.safeParse(editor.getState());
const kept = parsed.success ? parsed.data : undefined;
let view: CompanyView | undefined;
let problem: string | undefined;
let scrollWanted = kept?.scroll ?? 0;
let selection: Selection = { active: { row: kept?.row ?? 0, column: kept?.column ?? 0 }, anchor: null };
const copied = new Copied(draw);

const root = pageRoot();

const channel = openPageChannel(companyProtocol, {
  calls: {},
  events: {
    show(next) {
      const isFirst = view === undefined;
      if (!isFirst) announce(l10n.t('The company was updated'));
      view = next;
      problem = undefined;
      settleSelection(next, isFirst);
      keep();
      draw();
      if (isFirst) settleScroll();
    },
    problem({ message }) {
      problem = message;
      view = undefined;
      draw();
    },
  },
});

const actions: PageActions = {
  retry() {
    problem = undefined;
    draw();
    channel.send('retry', null);
  },
  download() {
    if (view) void act(channel.call('download', { cells: chosenCells(view, selection) }));
  },
  reveal: () => act(channel.call('revealInWatchlist', null)),
  viewAsText: () => act(channel.call('viewAsText', null)),
  async copy({ id, label }) {
    if (await act(channel.call('copyFact', { id }), l10n.t('Copied {0}', label))) copied.show(id);
  },
  explain: (column) => act(channel.call('explainColumn', { column })),
  isCopied: ({ id }) => copied.is(id),
  click(place, withShift) {
    if (withShift) select({ active: place, anchor: selection.anchor ?? selection.active });
    else {
      select({ active: place, anchor: null });
      open(place);
    }
  },
  key(event) {
    if (!view || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      open(selection.active);
      return;
    }
    const next = moved(selection, event, { rows: view.families.length, columns: view.years.length });
    if (!next) return;
    event.preventDefault();
    // The editor would take Ctrl+A for all text of the page.
    event.stopPropagation();
    select(next);
  },
};

function select(next: Selection): void {
  selection = next;
  keep();
  draw();
  const { row, column } = next.active;
  const cell = root.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`);
  cell?.focus({ preventScroll: true });
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (next.anchor && view) announce(l10n.t('{0} cells chosen', chosenCells(view, next).length));
}

function open({ row, column }: CellPosition): void {
  const family = view?.families[row];
  const year = view?.years[column];
  const cell = family?.cells[column];
  if (!family || year === undefined || !cell) return;
  if (cellState(cell.marks) === 'none') announce(l10n.t('No report here'));
  else void act(channel.call('openCell', { year, family: family.family }));
}

/** The keyboard begins at the newest year; a place that is not there any more gives way to the nearest. */
function settleSelection({ families, years }: CompanyView, isFirst: boolean): void {
  const dated = years.filter((year) => year !== 0).length;
  const start = isFirst && !kept ? { row: 0, column: dated - 1 } : selection.active;
  const active = {
    row: Math.max(0, Math.min(start.row, families.length - 1)),
    column: Math.max(0, Math.min(start.column, years.length - 1)),
  };
  selection = { active, anchor: isFirst ? null : selection.anchor };
}

/** The page where it was before a reload, and the newest years where not all fit. */
function settleScroll(): void {
  const years = root.querySelector('.years');
  if (years) years.scrollLeft = years.scrollWidth;
  if (scrollWanted > 0) window.scrollTo(0, scrollWanted);
  scrollWanted = 0;
}

function draw(): void {
  render(pageTemplate({ view, problem, selection, actions }), root);
}

function keep(): void {
  if (!view) return;
  const { row, column } = selection.active;
  const scroll = Math.max(0, Math.round(window.scrollY));
  const state: CompanyState = { version: 2, scroll, row, column };
  editor.setState(state);
}

window.addEventListener('scrollend', keep);
draw();
channel.send('ready', null);
