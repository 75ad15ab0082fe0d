import { countText } from '../../base/words.ts';
import type { CoverageView } from '../../protocol/coverage.ts';
import type { CoverageRows } from '../../protocol/coverageRows.ts';
import { manyText, splitText, splitWords, yearClass, yearWords } from './cells.ts';
import type { Column } from './columns.ts';

/** Height of a row in px; the style sheet says the same. */
export const rowHeight = 26;

/** What a row is drawn from. */
export interface RowContext {
  readonly view: CoverageView;
  readonly shown: CoverageRows;
  readonly columns: readonly Column[];
  readonly gapYear: number | null;
}

/**
 * The elements of one row, which show one company after the other as rows come and go: making them costs ten times
 * what it costs to write other words into them.
 */
export class Row {
  readonly element: HTMLElement;
  readonly #cells: readonly HTMLElement[];
  /** The place among the rows shown; -1 before anything is shown. */
  index = -1;
  /** What it was drawn from. */
  context: RowContext | undefined;

  /** `pattern` is a row as `rowPattern` makes it. */
  constructor(pattern: HTMLElement) {
    this.element = pattern.cloneNode(true) as HTMLElement;
    this.#cells = [...this.element.children] as HTMLElement[];
  }

  show(index: number, context: RowContext): void {
    const { element } = this;
    const { view, shown, columns } = context;
    const row = shown.rows[index] ?? -1;
    this.index = index;
    this.context = context;
    element.style.top = `${index * rowHeight}px`;
    element.ariaRowIndex = String(index + 2);
    element.dataset.index = String(index);
    const figures = shown.figures(row);
    for (let place = 0; place < columns.length; place++) {
      const column = columns[place] as Column;
      const cell = this.#cells[place] as HTMLElement;
      // Tooltips are made when the pointer comes.
      if (cell.title !== '') cell.removeAttribute('title');
      switch (column.kind) {
        case 'name':
          write(cell.firstChild as Element, view.names[row] ?? '');
          break;
        case 'country':
          write(cell.firstChild as Element, view.countries[row] ?? '–');
          break;
        case 'reports':
        case 'gaps':
          write(cell, countText(figures[column.kind]));
          break;
        case 'split':
          write(cell, splitText(figures.split));
          cell.ariaLabel = splitWords(figures.split);
          break;
        case 'year': {
          const what = shown.reader.cell(row, column.at);
          const look = yearClass(what, column.year === context.gapYear);
          if (cell.className !== look) cell.className = look;
          write(cell, manyText(what));
          cell.ariaLabel = yearWords(what, column.year);
          break;
        }
        default:
          column satisfies never;
      }
    }
  }
}

/** What rows with these columns are copied from. */
export function rowPattern(columns: readonly Column[]): HTMLElement {
  const row = document.createElement('div');
  row.className = 'row';
  row.role = 'row';
  columns.forEach(({ kind }, place) => {
    const cell = document.createElement('div');
    const isText = kind === 'name' || kind === 'country';
    cell.className = `cell ${isText || kind === 'year' ? '' : 'number '}${kind}`;
    cell.role = kind === 'name' ? 'rowheader' : 'gridcell';
    cell.tabIndex = -1;
    cell.dataset.column = String(place);
    if (isText) cell.append(document.createElement('bdi'));
    row.append(cell);
  });
  return row;
}

function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
