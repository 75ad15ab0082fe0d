import { countText } from '../../base/words.ts';
import type { CoverageView } from '../../protocol/coverage.ts';
import type { CoverageRows } from '../../protocol/coverageRows.ts';
import { type Column, manyText, splitText, splitWords, yearClass, yearWords } from './cells.ts';

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
function rowPattern(columns: readonly Column[]): HTMLElement {
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

/**
 * The rows near the screen, each standing where its place among all of them is. A row that leaves at one end shows the
 * one that comes at the other, so that a step of scrolling costs the rows that are new.
 */
export class RowWindow {
  readonly element: HTMLElement;
  #context: RowContext | undefined;
  #pattern: HTMLElement | undefined;
  #rows: Row[] = [];
  /** The row that has the keyboard, while it is out of sight. */
  #away: Row | undefined;
  #first = -1;
  #last = -1;

  constructor(element: HTMLElement) {
    this.element = element;
  }

  /** Shows other rows, or the same in another way, from the next `draw` on. There is room for `total` rows. */
  set(context: RowContext, total: number): void {
    if (!this.#context || !areSame(this.#context.columns, context.columns)) {
      this.#pattern = rowPattern(context.columns);
      this.element.replaceChildren();
      this.#rows = [];
      this.#away = undefined;
    }
    this.#context = context;
    this.element.style.height = `${total * rowHeight}px`;
    if (this.#away && this.#away.index < context.shown.rows.length) this.#away.show(this.#away.index, context);
    this.#last = this.#first = -1;
  }

  /** Has the rows from `first` up to but without `last` in the page. */
  draw(first: number, last: number): void {
    const context = this.#context;
    if (!context || (first === this.#first && last === this.#last)) return;
    this.#makeRoom(last - first);
    for (let index = first; index < last; index++) {
      const row = this.#rowFor(index);
      if (row.index !== index || row.context !== context) row.show(index, context);
      if (row.element.hidden) row.element.hidden = false;
    }
    for (const row of this.#rows) if (row.index < first || row.index >= last) row.element.hidden = true;
    this.#first = first;
    this.#last = last;
  }

  /** The cell at a place, if its row is in the page. */
  cell(index: number, column: number): HTMLElement | null {
    const row = this.#away?.index === index ? this.#away : this.#rows[index % this.#rows.length];
    const isThere = row?.index === index && !row.element.hidden;
    return isThere ? ((row.element.children[column] as HTMLElement | undefined) ?? null) : null;
  }

  /** Brings the elements into the order in which they are seen, for those who hear them one after the other. */
  settleOrder(): void {
    let next: Element | null = null;
    for (let index = this.#last - 1; index >= this.#first; index--) {
      const element = this.#rows[index % this.#rows.length]?.element;
      if (!element) continue;
      // To move what has the keyboard would take it away; the others find their places around it.
      if (!element.contains(document.activeElement) && element.nextElementSibling !== next)
        this.element.insertBefore(element, next);
      next = element;
    }
  }

  /** Which elements show a place depends on how many there are: all but the row with the keyboard change theirs. */
  #makeRoom(wanted: number): void {
    const pattern = this.#pattern;
    if (!pattern || this.#rows.length >= wanted) return;
    const held = this.#rows.find(hasKeyboard);
    const others = this.#rows.filter((row) => row !== held);
    const heldAt = held ? held.index % wanted : -1;
    const made = Array.from({ length: wanted - this.#rows.length }, () => new Row(pattern));
    this.element.append(...made.map(({ element }) => element));
    others.push(...made);
    this.#rows = Array.from({ length: wanted }, (_, at) => (at === heldAt ? held : others.shift()) as Row);
  }

  #rowFor(index: number): Row {
    const at = index % this.#rows.length;
    const row = this.#rows[at] as Row;
    if (row.index === index) return row;
    if (this.#away?.index === index) {
      row.element.remove();
      this.#rows[at] = this.#away;
      this.#away = undefined;
      return this.#rows[at];
    }
    if (!hasKeyboard(row)) return row;
    this.#setAway(row);
    const other = new Row(this.#pattern as HTMLElement);
    this.element.append(other.element);
    this.#rows[at] = other;
    return other;
  }

  #setAway(row: Row): void {
    this.#away?.element.remove();
    this.#away = row;
  }
}

function hasKeyboard({ element }: Row): boolean {
  return element.contains(document.activeElement);
}

function areSame(some: readonly Column[], others: readonly Column[]): boolean {
  return some.length === others.length && some.every(({ kind }, place) => kind === others[place]?.kind);
}
