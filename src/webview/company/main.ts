import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import { type CompanyView, companyProtocol, companyStateSchema } from '../../protocol/company.ts';
import { cellState } from '../../protocol/coverage.ts';
import { type CellPosition, chosenCells, moved, type Selection } from '../common/cellKeys.ts';
import { PanelPage } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import { type CompanyPage, pageTemplate } from './page.ts';

const page: CompanyPage = new PanelPage({
  protocol: companyProtocol,
  schema: companyStateSchema,
  fresh: { version: 2, row: 0, column: 0 },
  template: () => pageTemplate(page, selection, { click, key, download }),
  updated: l10n.later('The company was updated'),
  taking: (view, before) => settleSelection(view, before === undefined),
  taken(before) {
    // The newest years show where not all fit.
    const years = page.root.querySelector('.years');
    if (years && !before) years.scrollLeft = years.scrollWidth;
  },
});
let selection: Selection = { active: { row: page.state.row, column: page.state.column }, anchor: null };

function download(): void {
  if (page.view) void page.call('download', { cells: chosenCells(page.view, selection) });
}

function click(place: CellPosition, withShift: boolean): void {
  select({ active: place, anchor: withShift ? (selection.anchor ?? selection.active) : null });
  if (!withShift) open(place);
}

function key(event: KeyboardEvent): void {
  const { view } = page;
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
}

function select(next: Selection): void {
  const wasRange = selection.anchor !== null;
  selection = next;
  const { row, column } = next.active;
  page.set({ row, column });
  const cell = page.root.querySelector<HTMLElement>(`[data-place="${row} ${column}"]`);
  cell?.focus({ preventScroll: true });
  cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (next.anchor && page.view) announce(l10n.t('{0} cells selected', chosenCells(page.view, next).length));
  else if (wasRange) announce(l10n.t('Selection cleared'));
}

function open({ row, column }: CellPosition): void {
  const family = page.view?.families[row];
  const year = page.view?.years[column];
  const cell = family?.cells[column];
  if (!family || year === undefined || !cell) return;
  if (cellState(cell.marks) === 'none') announce(l10n.t('No report here'));
  else void page.call('openCell', { year, family: family.family });
}

/** The keyboard begins at the newest year; a place that is not there any more gives way to the nearest. */
function settleSelection({ families, years }: CompanyView, isFirst: boolean): void {
  const dated = years.filter((year) => year !== 0).length;
  const start = isFirst && !page.isBack ? { row: 0, column: dated - 1 } : selection.active;
  const active = {
    row: Math.max(0, Math.min(start.row, families.length - 1)),
    column: Math.max(0, Math.min(start.column, years.length - 1)),
  };
  selection = { active, anchor: isFirst ? null : selection.anchor };
  page.keep(active);
}

page.start();
