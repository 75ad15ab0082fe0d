import type { ShownColumn, TableColumn } from '../../protocol/reportTable.ts';
import { columnLook, tableColumns } from '../../protocol/reportTable.ts';

const narrowest = 48;
const widest = 1000;

export function sized(columns: readonly ShownColumn[], at: number, width: number): ShownColumn[] {
  const fitting = Math.round(Math.max(narrowest, Math.min(width, widest)));
  return columns.map((column, place) => (place === at ? { ...column, width: fitting } : column));
}

/** A column more, where it stands at first, or one less; the last one stays. */
export function toggledColumns(columns: readonly ShownColumn[], id: TableColumn): ShownColumn[] {
  const others = columns.filter((column) => column.id !== id);
  if (others.length < columns.length) return others.length === 0 ? [...columns] : others;
  const rank = tableColumns.indexOf(id);
  const before = columns.findIndex((column) => tableColumns.indexOf(column.id) > rank);
  return others.toSpliced(before === -1 ? others.length : before, 0, { id, width: columnLook(id).width });
}

/** Where each column begins, in px; the last number is where the last one ends. */
export function startsOf(columns: readonly ShownColumn[]): number[] {
  const starts = [0];
  for (const { width } of columns) starts.push((starts.at(-1) ?? 0) + width);
  return starts;
}
