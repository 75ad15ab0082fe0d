import { l10n } from '../../base/l10n.ts';
import type { CoverageLook, CoverageView } from '../../protocol/coverage.ts';
import type { CoverageRows } from '../../protocol/coverageRows.ts';
import type { CellPosition } from '../common/cellKeys.ts';
import { RowGrid } from '../common/rowGrid.ts';
import { columnsOf, type GridColumn, headTemplate, type RowContext, rowHeight, rowTemplate } from './cells.ts';

interface GridEvents {
  /** A cell was clicked, or chosen with Enter or Space. */
  choose(place: CellPosition, column: GridColumn): void;
  /** Another cell has the keyboard, or the rows were scrolled. */
  moved(): void;
}

export class CoverageGrid {
  readonly #rows: RowGrid;
  #columns: readonly GridColumn[] = [];
  #shown: CoverageRows | undefined;

  constructor(events: GridEvents, start: { readonly place: CellPosition; readonly top: number }) {
    this.#rows = new RowGrid({
      label: l10n.t('Companies by fiscal year'),
      rowHeight,
      start,
      choose: (place) => {
        const column = this.#columns[place.column];
        if (column) events.choose(place, column);
      },
      moved: () => events.moved(),
      turnedSideways: () => this.#showNewest(),
    });
  }

  get element(): HTMLElement {
    return this.#rows.element;
  }

  get active(): CellPosition {
    return this.#rows.active;
  }

  get top(): number {
    return this.#rows.top;
  }

  /** The company's row in the view at a place. */
  rowAt(place: CellPosition): number | undefined {
    return this.#shown?.rows[place.row];
  }

  /** `total` is how many rows there will be, where these are only the first. */
  show(view: CoverageView, shown: CoverageRows, look: CoverageLook, total = shown.rows.length): void {
    const columns = columnsOf(view);
    this.#columns = columns;
    this.#shown = shown;
    const dated = view.years.filter((year) => year !== 0).length;
    this.element.style.setProperty('--years', String(Math.max(1, dated)));
    this.element.classList.toggle('has-undated', dated < view.years.length);
    const context: RowContext = { view, shown, columns, gapYear: look.gapYear };
    this.#rows.show({
      rows: shown.rows.length,
      total,
      columns: columns.length,
      head: (stop) => headTemplate(columns, look, stop),
      row: (place, top) => rowTemplate(place, top, context),
      titleOf: (place) => {
        const row = this.rowAt(place);
        const isName = columns[place.column]?.kind === 'name';
        return isName && row !== undefined ? `${view.names[row]}\n${view.keys[row]}` : undefined;
      },
    });
  }

  /** The newest years show where not all fit. */
  #showNewest(): void {
    const newest = this.#columns.findLastIndex((column) => column.kind === 'year' && column.year !== 0);
    const cell = this.#rows.cell({ row: -1, column: newest });
    const { element } = this;
    if (cell) element.scrollLeft = Math.max(0, cell.offsetLeft + cell.offsetWidth - element.clientWidth);
  }
}
