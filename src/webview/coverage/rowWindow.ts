import type { Column } from './columns.ts';
import { Row, type RowContext, rowHeight, rowPattern } from './row.ts';

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
