import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import {
  type CoverageLook,
  cellState,
  coverageProtocol,
  coverageStateSchema,
  firstLook,
} from '../../protocol/coverage.ts';
import { type CoverageRows, coverageRows } from '../../protocol/coverageRows.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { PanelPage } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import type { Column } from './cells.ts';
import { Grid } from './grid.ts';
import { type CoveragePage, pageTemplate } from './page.ts';

let shown: CoverageRows | undefined;
/** How many companies there are, while only the first of them are here. */
let total: number | undefined;
let isStart = false;

const page: CoveragePage = new PanelPage({
  protocol: coverageProtocol,
  schema: coverageStateSchema,
  fresh: { version: 1, scope: 'watchlist', look: firstLook, row: 0, column: 0, top: 0 },
  template: () => pageTemplate(page, shown, total, grid.element, change),
  taking({ scope, years }) {
    if (!isStart) total = undefined;
    const { look } = page.state;
    const isThere = look.gapYear === null || years.includes(look.gapYear);
    page.keep({ scope, look: isThere ? look : { ...look, gapYear: null } });
  },
  taken: () => arrange(),
  events: {
    start(next) {
      // Another order than theirs, or another place: the first companies are not what is seen first.
      if (page.isBack || page.view) return page.send('rest');
      total = next.total;
      isStart = true;
      page.show(next.view);
      isStart = false;
      requestAnimationFrame(() => setTimeout(() => page.send('rest')));
    },
  },
});

const { row, column, top } = page.state;
const grid = new Grid(
  {
    choose,
    moved: () => page.keep({ row: Math.max(0, grid.active.row), column: grid.active.column, top: grid.top }),
  },
  { place: { row, column }, top },
);

function change(part: Partial<CoverageLook>): void {
  page.keep({ look: { ...page.state.look, ...part } });
  arrange();
}

/** Narrows and sorts again. */
function arrange(): void {
  const { view, state } = page;
  if (!view) return;
  shown = coverageRows(view, state.look);
  page.draw();
  grid.show(view, shown, state.look, total);
}

function choose(place: CellPosition, chosen: Column): void {
  const at = grid.rowAt(place);
  if (place.row < 0) chooseHead(chosen);
  else if (at === undefined || !shown) return;
  else if (chosen.kind !== 'year') void page.call('openCompany', { row: at });
  else {
    const { marks, coveredBySplit } = shown.reader.cell(at, chosen.at);
    const isThere = cellState(marks) !== 'none';
    const year = isThere ? chosen.year : chosen.year - 1;
    if (!isThere && !coveredBySplit) announce(l10n.t('No report here'));
    else void page.call('openCell', { row: at, year, family: page.state.look.family });
  }
}

/** A name sorts, the other way when chosen again; figures start with the highest. A year looks for its gaps. */
function chooseHead(chosen: Column): void {
  const { look } = page.state;
  if (chosen.kind === 'year') change({ gapYear: look.gapYear === chosen.year ? null : chosen.year });
  if (!('sort' in chosen)) return;
  const { sort, label } = chosen;
  const isFigure = sort === 'reports' || sort === 'gaps';
  const descending = look.sort === sort ? !look.descending : isFigure;
  change({ sort, descending });
  announce(descending ? l10n.t('Sorted by {0}, descending', label) : l10n.t('Sorted by {0}, ascending', label));
}

page.start();
if (page.isBack) page.send('restore', { scope: page.state.scope });
