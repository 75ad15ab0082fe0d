import '../common/jitless.ts';
import { render } from 'lit';
import { l10n } from '../../base/l10n.ts';
import {
  type CoverageLook,
  type CoverageState,
  type CoverageView,
  cellState,
  coverageProtocol,
  coverageStateSchema,
  firstLook,
} from '../../protocol/coverage.ts';
import { type CoverageRows, coverageRows } from '../../protocol/coverageRows.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { act, editor, openPageChannel, pageRoot } from '../common/page.ts';
import { announce, Copied } from '../common/widgets.ts';
import type { Column } from './cells.ts';
import { Grid } from './grid.ts';
import { type PageActions, pageTemplate } from './page.ts';

const parsed = coverageStateSchema.safeParse(editor.getState());
const kept = parsed.success ? parsed.data : undefined;
let look: CoverageLook = kept?.look ?? firstLook;
let view: CoverageView | undefined;
let shown: CoverageRows | undefined;
/** How many companies there are, while only the first of them are here. */
let total: number | undefined;
let problem: string | undefined;
const copied = new Copied(draw);

const root = pageRoot();
const grid = new Grid(
  { choose, moved: keep },
  { place: { row: kept?.row ?? 0, column: kept?.column ?? 0 }, top: kept?.top ?? 0 },
);

const channel = openPageChannel(coverageProtocol, {
  calls: {},
  events: {
    start(next) {
      if (kept || view) {
        // Another order than theirs, or another place: the first companies are not what is seen first.
        channel.send('rest', null);
        return;
      }
      view = next.view;
      total = next.total;
      problem = undefined;
      arrange();
      requestAnimationFrame(() => setTimeout(() => channel.send('rest', null)));
    },
    show(next) {
      view = next;
      total = undefined;
      problem = undefined;
      if (look.gapYear !== null && !view.years.includes(look.gapYear)) look = { ...look, gapYear: null };
      arrange();
    },
    problem({ message }) {
      problem = message;
      view = undefined;
      draw();
    },
  },
});

const actions: PageActions = {
  change(part) {
    look = { ...look, ...part };
    arrange();
  },
  setScope: (scope) => act(channel.call('setScope', { scope })),
  retry() {
    problem = undefined;
    draw();
    channel.send('retry', null);
  },
  async copyAs(format) {
    const words = format === 'csv' ? l10n.t('Copied as CSV') : l10n.t('Copied as Markdown');
    if (await act(channel.call('copyAs', { look, format }), words)) copied.show(format);
  },
  save: () => act(channel.call('save', { look })),
  viewAsText: () => act(channel.call('viewAsText', { look })),
  isCopied: (format) => copied.is(format),
};

/** Narrows and sorts again. */
function arrange(): void {
  if (!view) return;
  shown = coverageRows(view, look);
  draw();
  grid.show(view, shown, look, total);
  keep();
}

function draw(): void {
  render(pageTemplate({ view, shown, total, problem, look, grid: grid.element, actions }), root);
}

function choose(place: CellPosition, column: Column): void {
  if (place.row < 0) {
    chooseHead(column);
    return;
  }
  const row = grid.rowAt(place);
  if (row === undefined || !shown) return;
  if (column.kind !== 'year') {
    void act(channel.call('openCompany', { row }));
    return;
  }
  const { marks, coveredBySplit } = shown.reader.cell(row, column.at);
  if (cellState(marks) !== 'none') openCell(row, column.year);
  else if (coveredBySplit) openCell(row, column.year - 1);
  else announce(l10n.t('No report here'));
}

function openCell(row: number, year: number): void {
  void act(channel.call('openCell', { row, year, family: look.family }));
}

/** A name sorts, the other way when chosen again; figures start with the highest. A year looks for its gaps. */
function chooseHead(column: Column): void {
  if (column.kind === 'year') {
    actions.change({ gapYear: look.gapYear === column.year ? null : column.year });
  } else if ('sort' in column) {
    const { sort } = column;
    const isFigure = sort === 'reports' || sort === 'gaps';
    actions.change({ sort, descending: look.sort === sort ? !look.descending : isFigure });
  }
}

function keep(): void {
  if (!view || total !== undefined) return;
  const { row, column } = grid.active;
  const state: CoverageState = { version: 1, scope: view.scope, look, row: Math.max(0, row), column, top: grid.top };
  editor.setState(state);
}

draw();
channel.send('ready', null);
if (kept) channel.send('restore', { scope: kept.scope });
