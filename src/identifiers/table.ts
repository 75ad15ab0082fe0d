import Papa from 'papaparse';
import { type CsvCellOptions, csvCell } from '../base/cells.ts';
import { l10n } from '../base/l10n.ts';
import { headerKind, type IdentifierKind, recognize } from './recognize.ts';

interface TableRecord {
  readonly cells: readonly string[];
  /** Offset in the text right after its last cell, before the line break. */
  readonly end: number;
}

/** A table of separated values as it stands in a file, so that columns can be added and nothing else changes. */
export interface IdentifierTable {
  readonly delimiter: string;
  /** Without blank lines, and without the lines above the header that belong to no table. */
  readonly records: readonly TableRecord[];
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
  /** Cells of the widest record. */
  readonly width: number;
  /** True when every cell of the first record is in quotes: new ones go in quotes as well. */
  readonly quotesAll: boolean;
  /** Where quotes don't match, from 1: readers will disagree about what the file says. Null when all is well. */
  readonly brokenRecord: number | null;
}

const delimiters = [',', ';', '\t', '|'];
/** Characters, and records of them, that are looked at to find out how a file is written. */
const sampleLength = 100_000;
const sampleSize = 200;
/** Most lines above a header. */
const maxPreamble = 20;

/**
 * Reads a table. Any text is one; what is no table has one column. The delimiter is the one given, that of a first line
 * such as `sep=;`, or a guess; where the guess shows no identifier, the one that shows most.
 */
export function readTable(text: string, given?: string): IdentifierTable {
  const hint = /^\ufeff?sep=(.)(?=[\r\n])/u.exec(text);
  const start = hint?.[0].length ?? (text.startsWith('\ufeff') ? 1 : 0);
  const delimiter = given ?? hint?.[1];
  const first = parse(text, start, delimiter);
  if (delimiter !== undefined || identifiersIn(first) > 0) return withoutPreamble(text, start, first);
  const sample = text.slice(0, sampleLength);
  const others = delimiters.map((each) => ({ each, found: identifiersIn(parse(sample, start, each, sampleSize)) }));
  const best = others.reduce((most, other) => (other.found > most.found ? other : most));
  return withoutPreamble(text, start, best.found > 0 ? parse(text, start, best.each) : first);
}

type Parsed = Pick<IdentifierTable, 'delimiter' | 'records' | 'brokenRecord'>;

function parse(text: string, start: number, delimiter = '', preview = 0): Parsed {
  // Each line may end in its own way. Of two line feeds one is a blank line, and every offset stays.
  const body = text.slice(start).replaceAll('\r\n', '\n\n').replaceAll('\r', '\n');
  const newline = '\n';
  const records: TableRecord[] = [];
  let found = delimiter || ',';
  let brokenRecord: number | null = null;
  Papa.parse<string[]>(body, {
    ...{ delimiter, newline, preview, skipEmptyLines: true },
    step({ data, errors, meta }) {
      found = meta.delimiter;
      if (errors.some(({ type }) => type === 'Quotes')) brokenRecord ??= records.length + 1;
      const hasBreak = meta.cursor > 0 && body.startsWith(newline, meta.cursor - 1);
      records.push({ cells: data, end: start + meta.cursor - (hasBreak ? 1 : 0) });
    },
  });
  return { delimiter: found, records, brokenRecord };
}

function identifiersIn({ records }: Parsed): number {
  return records
    .slice(0, sampleSize)
    .reduce((sum, { cells }) => sum + cells.slice(0, maxColumns).filter(isIdentifier).length, 0);
}

/** None is as short as three characters, and most cells of a long table are. A name such as `FUND_ID` is a header. */
const isIdentifier = (cell: string) =>
  cell.length > 3 && !/_(?:id|code|name|key|date|type|no)$/i.test(cell.trim()) && certainKind(cell) !== null;

/** Records below a header of which one has to fit it: the first ones may lack a code. */
const fitting = 5;

/** The index of the header record, which has no identifiers above it; -1 if there is none. */
function namedHeader(all: readonly TableRecord[]): number {
  return all.slice(0, maxPreamble).findLastIndex(({ cells }, at) => {
    return cells.slice(0, maxColumns).some((name, column) => {
      const kind = headerKind(name);
      // A label before a code is no name of a column.
      if (kind === null || kind === 'name' || /[0-9]{4}/.test(name)) return false;
      const fits = ({ cells }: TableRecord) => certainKind(cells[column] ?? '', name) === kind;
      return all.slice(at + 1, at + 1 + fitting).some(fits) && !all.slice(0, at).some(fits);
    });
  });
}

/** A title, a date and blank cells above a header are no records. */
function withoutPreamble(text: string, start: number, { delimiter, records: all, brokenRecord }: Parsed) {
  const filled = ({ cells }: TableRecord) => cells.filter((cell) => cell.trim() !== '').length;
  const named = namedHeader(all);
  const above = all.slice(0, maxPreamble).findIndex((record) => filled(record) > 1);
  const isTitled = above > 0 && !all.slice(0, above + 1).some(({ cells }) => cells.some(isIdentifier));
  const begin = named >= 0 ? named : isTitled ? above : 0;
  const records = all.slice(begin);
  const [first] = records;
  const from = all[begin - 1]?.end ?? start;
  return {
    ...{ delimiter, records, brokenRecord },
    hasHeader: named >= 0 || (first !== undefined && !first.cells.some(isIdentifier)),
    width: records.reduce((widest, { cells }) => Math.max(widest, cells.length), 0),
    quotesAll: first !== undefined && isAllQuoted(text.slice(from, first.end).trimStart(), first.cells, delimiter),
  };
}

function isAllQuoted(source: string, cells: readonly string[], delimiter: string): boolean {
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  return cells.join('') !== '' && source === quoted;
}

/** A replacement in a text: its offset, the number of characters it replaces, and the new text. */
export interface Insertion {
  readonly offset: number;
  readonly replaced: number;
  readonly text: string;
}

/** Columns to add at the right of a table. */
interface AddedColumns {
  readonly names: readonly string[];
  /** The new cells of a record of values; undefined leaves them empty, or as they are. */
  valuesOf(cells: readonly string[]): readonly string[] | undefined;
  readonly formulas: CsvCellOptions['formulas'];
  /** The table's own text, where columns that have these names already are updated instead. */
  readonly updated?: string | undefined;
}

/**
 * What to insert so that the text gets new columns at its right. Nothing else changes: not a quote, not a line break.
 * Short records are filled up first, so that the new cells stand in their columns. Blank lines stay blank.
 */
export function addColumns(
  table: IdentifierTable,
  { names, valuesOf, formulas = 'neutralize', updated }: AddedColumns,
): Insertion[] {
  const { delimiter, width, quotesAll, hasHeader } = table;
  const write = (text: string) => csvCell(text, { delimiter, formulas, quoteAll: quotesAll });
  const header = updated === undefined ? [] : headerOf(table);
  const text = updated?.replaceAll('\r\n', '\n\n').replaceAll('\r', '\n') ?? '';
  const fresh = names.filter((name) => !header.includes(name));
  return table.records.flatMap((record, index) => {
    const isHeader = hasHeader && index === 0;
    const values = isHeader ? undefined : valuesOf(record.cells);
    const changes = names.flatMap((name, at) => {
      const value = values?.[at];
      const place = value === undefined ? undefined : cellPlace(text, record, header.indexOf(name));
      return place && value !== undefined ? [{ ...place, text: write(value) }] : [];
    });
    const added = isHeader ? freeNames(fresh, table) : fresh.map((name) => values?.[names.indexOf(name)] ?? '');
    const filling = fresh.length === 0 ? '' : delimiter.repeat(width - record.cells.length);
    const end = `${filling}${added.map((cell) => `${delimiter}${write(cell)}`).join('')}`;
    return [
      ...changes.toSorted((a, b) => a.offset - b.offset),
      ...(end === '' ? [] : [{ offset: record.end, replaced: 0, text: end }]),
    ];
  });
}

/** The range of a cell in its table's text, with its quotes; undefined if the record is too short. */
function cellPlace(text: string, { cells, end }: TableRecord, index: number): Omit<Insertion, 'text'> | undefined {
  if (index < 0 || index >= cells.length) return undefined;
  let at = end;
  for (let cell = cells.length - 1; ; cell -= 1) {
    const own = cells[cell] ?? '';
    const quoted = `"${own.replaceAll('"', '""')}"`;
    const replaced = text.endsWith(quoted, at) ? quoted.length : own.length;
    if (cell === index) return { offset: at - replaced, replaced };
    at -= replaced + 1;
  }
}

/** The text with the insertions made, which are in order. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  let at = 0;
  const parts = insertions.flatMap(({ offset, replaced, text: added }) => {
    const before = text.slice(at, offset);
    at = offset + replaced;
    return [before, added];
  });
  return `${parts.join('')}${text.slice(at)}`;
}

/** The names of a table's columns; none for a table without a header. */
export function headerOf({ hasHeader, records }: IdentifierTable): string[] {
  return hasHeader ? (records[0]?.cells.map((name) => name.trim()) ?? []) : [];
}

/** The names that new columns get: as they are, or with a number where the table has a column of that name. */
export function freeNames(names: readonly string[], table: IdentifierTable): string[] {
  const used = new Set(headerOf(table));
  return names.map((name) => {
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
    used.add(free);
    return free;
  });
}

/** The cells below a column's header that are not blank, each without blanks around it. */
export function valuesIn({ records, hasHeader }: IdentifierTable, index: number): string[] {
  return (hasHeader ? records.slice(1) : records).flatMap(({ cells }) => cells[index]?.trim() || []);
}

/** What is known of one column before anybody is asked. */
export interface ColumnGuess {
  readonly index: number;
  /** Its name, or `Column 3` where the table has no header. */
  readonly header: string;
  /** Cells that are not empty. */
  readonly filled: number;
  /** Cells looked at; fewer than filled in a long table. */
  readonly sampled: number;
  /** Of these, how many are identifiers by their form, or by the header. */
  readonly recognized: number;
  /** The kinds among them, most frequent first. */
  readonly kinds: readonly { readonly kind: IdentifierKind; readonly count: number }[];
  readonly samples: readonly string[];
  /** The higher, the likelier; below 0.3 it is a guess in the dark. */
  readonly score: number;
}

const maxSampled = 500;
const maxColumns = 200;
const headerWords: readonly (readonly [pattern: RegExp, bonus: number])[] = [
  [/(?:\b|_)(?:isin|lei|figi|cik|identifier|company_?key|mic_?ticker)(?:\b|_)/i, 0.4],
  // A table of reports that also names its companies is more often resolved by company.
  [/\breport_?keys?\b/i, 0.35],
  [/\b(?:id|ids|ticker|symbol|security|instrument|ric)\b/i, 0.25],
  [/\b(?:company|issuer|name|holding|entity|keys?|reports?)\b/i, 0.15],
];

/** The columns of a table, the likeliest first. A column of numbers counts as CIKs only when its name says so. */
export function guessColumns(table: IdentifierTable): ColumnGuess[] {
  const names = table.hasHeader ? table.records[0]?.cells : undefined;
  return Array.from({ length: Math.min(table.width, maxColumns) }, (_, index) => {
    const header = names?.[index]?.trim() || l10n.t('Column {0}', index + 1);
    return guess(index, header, valuesIn(table, index));
  }).sort((a, b) => b.score - a.score || a.index - b.index);
}

function guess(index: number, header: string, filled: readonly string[]): ColumnGuess {
  const step = Math.max(1, filled.length / maxSampled);
  const sampled = Array.from({ length: Math.min(filled.length, maxSampled) }, (_, at) => filled[Math.floor(at * step)]);
  const found = sampled.flatMap((cell) => (cell === undefined ? [] : (certainKind(cell, header) ?? [])));
  const kinds = [...Map.groupBy(found, (kind) => kind)].map(([kind, all]) => ({ kind, count: all.length }));
  const bonus = headerWords.find(([pattern]) => pattern.test(header))?.[1] ?? 0;
  return {
    ...{ index, header, filled: filled.length, sampled: sampled.length, recognized: found.length },
    kinds: kinds.sort((a, b) => b.count - a.count),
    samples: [...new Set(filled)].slice(0, 4),
    score: filled.length === 0 ? -1 : found.length / sampled.length + bonus,
  };
}

const certainKinds: ReadonlySet<IdentifierKind> = new Set(['isin', 'lei', 'figi', 'ticker', 'report-key']);

/** The kind of a text that is an identifier or a report key by its form, or a CIK by its label or header; else null. */
export function certainKind(text: string, header?: string): IdentifierKind | null {
  // Keys are written in capitals; `paid_out` is none.
  if (/^[a-z0-9]{4}_/i.test(text) && /^[^_]*[a-z]/.test(text)) return null;
  const { kind, problem } = recognize(text, header);
  const isCik = kind === 'cik' && (/^\W*cik\D*[0-9]{4}/i.test(text) || headerKind(header ?? '') === 'cik');
  const isCertain = certainKinds.has(kind) || isCik;
  return problem === undefined && isCertain ? kind : null;
}

/** Text of a file, and how its bytes say it. */
export interface DecodedText {
  /** With its byte order mark, if the file has one. */
  readonly text: string;
  readonly encoding: 'UTF-8' | 'UTF-16 LE' | 'UTF-16 BE' | 'Windows-1252';
}

/**
 * A file's text by its byte order mark, or by the zeros that UTF-16 has beside the letters of a header; else as UTF-8,
 * else, where the bytes are none, as Windows-1252.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  const read = (label: string, fatal = false) => new TextDecoder(label, { fatal, ignoreBOM: true }).decode(bytes);
  if (first === 0xff && second === 0xfe) return { text: read('utf-16le'), encoding: 'UTF-16 LE' };
  if (first === 0xfe && second === 0xff) return { text: read('utf-16be'), encoding: 'UTF-16 BE' };
  if (first && second === 0) return { text: read('utf-16le'), encoding: 'UTF-16 LE' };
  if (first === 0 && second) return { text: read('utf-16be'), encoding: 'UTF-16 BE' };
  try {
    return { text: read('utf-8', true), encoding: 'UTF-8' };
  } catch {
    // The bytes are no UTF-8.
    return { text: read('windows-1252'), encoding: 'Windows-1252' };
  }
}

/** @throws RangeError for a character that Windows-1252 lacks */
export function encodeText(text: string, encoding: DecodedText['encoding']): Uint8Array {
  if (encoding === 'UTF-8') return Buffer.from(text, 'utf8');
  if (encoding === 'UTF-16 LE') return Buffer.from(text, 'utf16le');
  if (encoding === 'UTF-16 BE') return Buffer.from(text, 'utf16le').swap16();
  const all = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, code) => code));
  const codes = new Map([...all].map((character, code) => [character, code]));
  return Uint8Array.from(text, (character) => {
    const code = codes.get(character);
    if (code === undefined) throw new RangeError(`Windows-1252 has no ${character}.`);
    return code;
  });
}
