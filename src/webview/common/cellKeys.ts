/** A cell: its place among the rows shown, -1 for the head, and its column. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** What counts of a keyboard event. */
interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Where a key leads from a cell, possibly beyond the grid's edge; undefined for a key that leads nowhere. `page` is how
 * many rows Page Up and Page Down go.
 */
export function destinationOf(
  { key, ctrlKey, metaKey }: PressedKey,
  { row, column }: CellPosition,
  { rows, columns, page }: { readonly rows: number; readonly columns: number; readonly page: number },
): CellPosition | undefined {
  const far = ctrlKey || metaKey;
  switch (key) {
    case 'ArrowDown':
      return { row: far ? rows - 1 : row + 1, column };
    case 'ArrowUp':
      return { row: far ? -1 : row - 1, column };
    case 'ArrowRight':
      return { row, column: far ? columns - 1 : column + 1 };
    case 'ArrowLeft':
      return { row, column: far ? 0 : column - 1 };
    case 'Home':
      return { row: far ? -1 : row, column: 0 };
    case 'End':
      return { row: far ? rows - 1 : row, column: columns - 1 };
    case 'PageDown':
      return { row: row + page, column };
    case 'PageUp':
      return { row: Math.max(row - page, Math.min(row, 0)), column };
    default:
      return undefined;
  }
}

/** The cell that has the keyboard, and where a range began if one is chosen. */
export interface Selection {
  readonly active: CellPosition;
  readonly anchor: CellPosition | null;
}

/** True for cells of the range. */
export function isSelected({ active, anchor }: Selection, row: number, column: number): boolean {
  return anchor !== null && between(row, anchor.row, active.row) && between(column, anchor.column, active.column);
}

/** The names of the range's cells, or of all when none is chosen. */
export function chosenCells(
  rows: readonly { readonly cells: readonly { readonly id: string }[] }[],
  selection: Selection,
): string[] {
  return rows.flatMap(({ cells }, row) =>
    cells.flatMap(({ id }, column) => (selection.anchor === null || isSelected(selection, row, column) ? id : [])),
  );
}

/** Where a key leads; the range goes along while Shift is held. Undefined for keys that mean nothing here. */
export function movedSelection(
  selection: Selection,
  pressed: PressedKey & { readonly shiftKey: boolean },
  size: { readonly rows: number; readonly columns: number },
): Selection | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const { key, shiftKey } = pressed;
  if ((pressed.ctrlKey || pressed.metaKey) && key.toLowerCase() === 'a')
    return { active: last, anchor: { row: 0, column: 0 } };
  if (key === 'Escape') return selection.anchor === null ? undefined : { ...selection, anchor: null };
  const next = destinationOf(pressed, selection.active, { ...size, page: size.rows });
  if (!next) return undefined;
  const active = { row: clamp(next.row, last.row), column: clamp(next.column, last.column) };
  return { active, anchor: shiftKey ? (selection.anchor ?? selection.active) : null };
}

function between(value: number, a: number, b: number): boolean {
  return value >= Math.min(a, b) && value <= Math.max(a, b);
}

/** A place that there is: the nearest of 0 to `last`. */
export function clamp(value: number, last: number): number {
  return Math.max(0, Math.min(value, last));
}
