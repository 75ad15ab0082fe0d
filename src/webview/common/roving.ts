const stop = '[data-stop]';

/**
 * Makes the buttons of a table one stop of the Tab key: the arrow keys move on from there, up and down by row, left and
 * right within it, Home and End to the first and last row. Buttons carry `data-stop`, rows `data-row`. Lit's `ref`
 * calls it with a new table, and once more with nothing when the table goes.
 */
export function rove(table: Element | undefined): void {
  if (!(table instanceof HTMLElement)) return;
  table.addEventListener('keydown', (event) => onKey(table, event));
  // The stop is where the focus last was.
  table.addEventListener('focusin', ({ target }) => {
    const to = stopOf(target);
    if (to) moveStop(table, to);
  });
  // Its rows are drawn after the table.
  queueMicrotask(() => settle(table));
  // They are filtered, unfolded, scrolled in. The observer ends with the table.
  new MutationObserver(() => settle(table)).observe(table, { childList: true, subtree: true });
}

function onKey(table: HTMLElement, event: KeyboardEvent): void {
  const from = stopOf(event.target);
  if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = Array.from(table.querySelectorAll<HTMLElement>('[data-row]'), (row) =>
    row.matches(stop) ? [row] : [...row.querySelectorAll<HTMLElement>(stop)],
  ).filter((cells) => cells.length > 0);
  const rowIndex = rows.findIndex((cells) => cells.includes(from));
  const to = destination(event.key, rows, rowIndex, rows[rowIndex]?.indexOf(from) ?? 0);
  if (!to) return;
  event.preventDefault();
  moveStop(table, to);
  to.focus();
}

function stopOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(stop) : null;
}

function settle(table: HTMLElement): void {
  const stops = [...table.querySelectorAll<HTMLElement>(stop)];
  const current = stops.filter((candidate) => candidate.tabIndex === 0);
  if (current.length !== 1 && stops[0]) moveStop(table, current[0] ?? stops[0]);
}

function moveStop(table: HTMLElement, to: HTMLElement): void {
  for (const other of table.querySelectorAll<HTMLElement>(`${stop}[tabindex="0"]`)) other.tabIndex = -1;
  to.tabIndex = 0;
}

function destination(key: string, rows: HTMLElement[][], row: number, cell: number): HTMLElement | undefined {
  const inRow = (index: number) => {
    const cells = rows[index];
    return cells?.[Math.min(cell, cells.length - 1)];
  };
  switch (key) {
    case 'ArrowDown':
      return inRow(row + 1);
    case 'ArrowUp':
      return inRow(row - 1);
    case 'ArrowRight':
      return rows[row]?.[cell + 1];
    case 'ArrowLeft':
      return rows[row]?.[cell - 1];
    case 'Home':
      return inRow(0);
    case 'End':
      return inRow(rows.length - 1);
    default:
      return undefined;
  }
}
