import type { CellName, CompanyView } from '../../protocol/company.ts';

/** A cell of the matrix: places among the families and the years. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The cell that has the keyboard, and where a range began if one is chosen. */
export interface Selection {
  readonly active: Place;
  readonly anchor: Place | null;
}

/** What counts of a keyboard event. */
export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** True for cells of the range. */
export function isSelected({ active, anchor }: Selection, row: number, column: number): boolean {
  return anchor !== null && between(row, anchor.row, active.row) && between(column, anchor.column, active.column);
}

/** The cells of the range, or all of the matrix when none is chosen. */
export function chosenCells({ families, years }: CompanyView, selection: Selection): CellName[] {
  return families.flatMap(({ family }, row) =>
    years.flatMap((year, column) =>
      selection.anchor === null || isSelected(selection, row, column) ? { year, family } : [],
    ),
  );
}

/** Where a key leads; the range goes along while Shift is held. Undefined for keys that mean nothing here. */
export function moved(
  selection: Selection,
  { key, shiftKey, ctrlKey, metaKey }: PressedKey,
  size: { readonly rows: number; readonly columns: number },
): Selection | undefined {
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const far = ctrlKey || metaKey;
  if (far && key.toLowerCase() === 'a') return { active: last, anchor: { row: 0, column: 0 } };
  if (key === 'Escape') return selection.anchor === null ? undefined : { ...selection, anchor: null };
  const { row, column } = selection.active;
  const to: Readonly<Record<string, Place>> = {
    ArrowDown: { row: far ? last.row : row + 1, column },
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowRight: { row, column: far ? last.column : column + 1 },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? last.row : row, column: last.column },
  };
  const next = Object.hasOwn(to, key) ? to[key] : undefined;
  if (!next) return undefined;
  const active = { row: clamp(next.row, last.row), column: clamp(next.column, last.column) };
  return { active, anchor: shiftKey ? (selection.anchor ?? selection.active) : null };
}

function between(value: number, a: number, b: number): boolean {
  return value >= Math.min(a, b) && value <= Math.max(a, b);
}

function clamp(value: number, last: number): number {
  return Math.max(0, Math.min(value, last));
}
