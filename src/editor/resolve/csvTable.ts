import Papa from 'papaparse';

/** One record of a CSV document, with where it ends. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Offset in the text right after its last cell, before the line break. */
  readonly end: number;
}

/** A CSV document as it stands, so that it can be added to without touching what is there. */
export interface CsvTable {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
  /** Cells of the widest record. */
  readonly width: number;
  /** True when every cell of the first record is in quotes: new ones go in quotes as well. */
  readonly quotesAll: boolean;
  /** Where quotes don't match, from 1: readers will disagree about what the document says. Null when all is well. */
  readonly brokenRecord: number | null;
}

/** The delimiter is known for a file of tab-separated values, else guessed from the text. */
export interface CsvReadOptions {
  readonly delimiter?: string | undefined;
  /** Tells whether a cell is a value of the kind looked for, which no header would be. */
  readonly isValue: (cell: string) => boolean;
}

/** Reads a CSV document. Any text is one; what is no table has one column. Blank lines are no records. */
export function readCsv(text: string, { delimiter, isValue }: CsvReadOptions): CsvTable {
  const offset = text.startsWith('\ufeff') ? 1 : 0;
  const body = text.slice(offset);
  const newline = body.includes('\r\n') ? '\r\n' : body.includes('\n') || !body.includes('\r') ? '\n' : '\r';
  const records: CsvRecord[] = [];
  let found = delimiter ?? ',';
  let brokenRecord: number | null = null;
  Papa.parse<string[]>(body, {
    delimiter: delimiter ?? '',
    newline,
    skipEmptyLines: true,
    step({ data, errors, meta }) {
      found = meta.delimiter;
      if (errors.some(({ type }) => type === 'Quotes')) brokenRecord ??= records.length + 1;
      const hasBreak = meta.cursor > 0 && body.startsWith(newline, meta.cursor - newline.length);
      records.push({ cells: data, end: offset + meta.cursor - (hasBreak ? newline.length : 0) });
    },
  });
  const first = records[0];
  return {
    delimiter: found,
    records,
    hasHeader: first !== undefined && !first.cells.some(isValue),
    width: Math.max(0, ...widths(records)),
    quotesAll: first !== undefined && isAllQuoted(body.slice(0, first.end - offset), first.cells, found),
    brokenRecord,
  };
}

function* widths(records: readonly CsvRecord[]): Generator<number> {
  // Most records are as wide as the first: spreading hundreds of thousands of numbers would overflow the stack.
  const seen = new Set<number>();
  for (const { cells } of records) {
    if (seen.has(cells.length)) continue;
    seen.add(cells.length);
    yield cells.length;
  }
}

function isAllQuoted(source: string, cells: readonly string[], delimiter: string): boolean {
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  return cells.join('') !== '' && source === quoted;
}
