/** Names a cell for what remembers cells. */
export function cellId(row: string, column: number): string {
  return `${column} ${row}`;
}
