/** A cell: its place among the rows shown, -1 for the head, and its column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * Where a key leads from a cell, possibly beyond the grid's edge; undefined for a key that leads nowhere. `page` is how
 * many rows Page Up and Page Down go.
 */
export function destinationOf(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Place,
  { rows, columns, page }: { readonly rows: number; readonly columns: number; readonly page: number },
): Place | undefined {
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
