/** A row as a reader of Parquet gives it, in plain values. */
export function plainRow(row: object): Record<string, unknown> {
  return mapped(row, (value) => {
    if (value instanceof Date) return value.toISOString().slice(0, 10);
    return typeof value === 'bigint' ? Number(value) : (value ?? null);
  });
}

/** What that reader makes of a row: it takes a mark at the start of a text for the mark of a file. */
export function asRead(row: object): Record<string, unknown> {
  return mapped(row, (value) => (typeof value === 'string' ? value.replace(/^\ufeff/, '') : value));
}

const mapped = (row: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
