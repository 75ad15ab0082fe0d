import Papa from 'papaparse';
import * as vscode from 'vscode';
import { breather } from '../../base/clock.ts';
import { countText } from '../../base/words.ts';
import { cleanText } from '../../identifiers/codes.ts';
import { findIdentifiers } from '../../identifiers/find.ts';
import { type IdentifierKind, recognise } from '../../identifiers/recognise.ts';
import { type CsvCellOptions, csvCell } from '../../protocol/format/table.ts';
import { knownDelimiter } from '../common/csvDocument.ts';
import { fileName } from '../common/messages.ts';

interface CsvRecord {
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
interface CsvReadOptions {
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
    width: records.reduce((widest, { cells }) => Math.max(widest, cells.length), 0),
    quotesAll: first !== undefined && isAllQuoted(body.slice(0, first.end - offset), first.cells, found),
    brokenRecord,
  };
}

function isAllQuoted(source: string, cells: readonly string[], delimiter: string): boolean {
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  return cells.join('') !== '' && source === quoted;
}

/** Longer texts would hold up the editor while they are read. In characters. */
export const maxDocumentText = 2_000_000;

/**
 * The text of a document as it stands in the editor, saved or not.
 * @throws Error when it is too long to be read here
 */
export function documentText(document: vscode.TextDocument): string {
  const { end } = document.lineAt(document.lineCount - 1).range;
  if (document.offsetAt(end) > maxDocumentText) throw tooLong(document.uri);
  return document.getText();
}

/** Says of a document that it is too long, and what to do. */
export function tooLong(document: vscode.Uri): Error {
  return new Error(
    vscode.l10n.t(
      '{0} is too large: up to {1} characters can be read. Split it, or copy the part you need and use the clipboard.',
      fileName(document),
      countText(maxDocumentText),
    ),
  );
}

/** The document as a table, as it stands in the editor, saved or not. */
export function readCsvDocument(document: vscode.TextDocument): CsvTable {
  return readCsv(documentText(document), {
    delimiter: knownDelimiter(document),
    isValue: (cell) => certainKind(cell) !== null,
  });
}

export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** Columns to add at the right of a CSV document. */
interface AddedColumns {
  readonly names: readonly string[];
  /** The new cells of a record of values, by what stands in its identifier column; undefined leaves them empty. */
  valuesOf(cells: readonly string[]): readonly string[] | undefined;
  readonly formulas: CsvCellOptions['formulas'];
}

/**
 * What to insert so that the document gets new columns at its right. Nothing that is there changes: not a quote, not a
 * line break. Short records are filled up first, so that the new cells stand in their columns. Blank lines stay blank.
 */
export function addColumns(table: CsvTable, { names, valuesOf, formulas = 'neutralise' }: AddedColumns): Insertion[] {
  const { delimiter, width, quotesAll, hasHeader } = table;
  const write = (text: string) => csvCell(text, { delimiter, formulas, quoteAll: quotesAll });
  return table.records.map((record, index) => {
    const isHeader = hasHeader && index === 0;
    const added = isHeader ? freeNames(names, table) : (valuesOf(record.cells) ?? names.map(() => ''));
    const filling = delimiter.repeat(width - record.cells.length);
    return { offset: record.end, text: `${filling}${added.map((text) => `${delimiter}${write(text)}`).join('')}` };
  });
}

/** The names that new columns get: as they are, or with a number where the document has a column of that name. */
export function freeNames(names: readonly string[], { hasHeader, records }: CsvTable): string[] {
  const used = new Set(hasHeader ? records[0]?.cells.map((name) => name.trim()) : []);
  return names.map((name) => {
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
    used.add(free);
    return free;
  });
}

/** What is known of one column before anybody is asked. */
export interface ColumnGuess {
  readonly index: number;
  /** Its name, or `Column 3` where the document has no header. */
  readonly header: string;
  /** Cells that are not empty. */
  readonly filled: number;
  /** Cells looked at; fewer than filled in a long document. */
  readonly sampled: number;
  /** Of these, how many are identifiers by their form. */
  readonly recognised: number;
  /** The kinds among them, most frequent first. */
  readonly kinds: readonly { readonly kind: IdentifierKind; readonly count: number }[];
  readonly samples: readonly string[];
  /** The higher, the likelier; below 0.3 it is a guess in the dark. */
  readonly score: number;
}

const maxSampled = 500;
const maxColumns = 200;
const headerWords: readonly (readonly [pattern: RegExp, bonus: number])[] = [
  [/\b(?:isin|lei|figi|cik|identifier|company_?key|mic_?ticker)\b/i, 0.4],
  // A table of reports that also names its companies is more often resolved by company.
  [/\breport_?keys?\b/i, 0.35],
  [/\b(?:id|ids|ticker|symbol|security|instrument|ric)\b/i, 0.25],
  [/\b(?:company|issuer|name|holding|entity|keys?|reports?)\b/i, 0.15],
];

/** The columns of a table, the likeliest first. A column of numbers counts as CIKs only when its name says so. */
export function guessColumns(table: CsvTable): ColumnGuess[] {
  const { records, hasHeader, width } = table;
  const names = hasHeader ? records[0]?.cells : undefined;
  const values = hasHeader ? records.slice(1) : records;
  return Array.from({ length: Math.min(width, maxColumns) }, (_, index) => {
    const header = names?.[index]?.trim() || vscode.l10n.t('Column {0}', index + 1);
    const filled = values.flatMap(({ cells }) => cells[index]?.trim() || []);
    return guess(index, header, filled);
  }).sort((a, b) => b.score - a.score || a.index - b.index);
}

function guess(index: number, header: string, filled: readonly string[]): ColumnGuess {
  const step = Math.max(1, filled.length / maxSampled);
  const sampled = Array.from({ length: Math.min(filled.length, maxSampled) }, (_, at) => filled[Math.floor(at * step)]);
  const counts = new Map<IdentifierKind, number>();
  for (const cell of sampled) {
    const kind = cell === undefined ? null : kindOf(cell, header);
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const recognised = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const bonus = headerWords.find(([pattern]) => pattern.test(header))?.[1] ?? 0;
  return {
    index,
    header,
    filled: filled.length,
    sampled: sampled.length,
    recognised,
    kinds: [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count),
    samples: [...new Set(filled)].slice(0, 4),
    score: filled.length === 0 ? -1 : recognised / sampled.length + bonus,
  };
}

function kindOf(cell: string, header: string): IdentifierKind | null {
  if (/\bcik\b/i.test(header) && /^[0-9]{1,10}$/.test(cell)) return 'cik';
  return certainKind(cell);
}

/** `11 of 13 recognised: 5 ISIN, 2 LEI, 4 MIC:TICKER`, for a person who confirms the guess. */
export function guessWords({ filled, sampled, recognised, kinds }: ColumnGuess): string {
  if (filled === 0) return vscode.l10n.t('empty');
  const looked = sampled < filled ? vscode.l10n.t('a sample of {0}', countText(sampled)) : countText(sampled);
  const found = kinds.map(({ kind, count }) => `${countText(count)} ${kindWords[kind]}`).join(', ');
  const share = vscode.l10n.t('{0} of {1} recognised', countText(recognised), looked);
  return found === '' ? share : `${share}: ${found}`;
}

const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}', '<': '>' };

const dividers = /[,;\t\r\n]+/;

/** One piece for each line, and for each part that commas, semicolons or tabs divide. */
export function splitPieces(text: string): string[] {
  return text
    .split(dividers)
    .map(bare)
    .filter((piece) => piece !== '');
}

/** What somebody typed asks for: a list, where blanks divide too if nothing but identifiers stands between them. */
export function typedPieces(text: string): string[] {
  return splitPieces(text).flatMap((piece) => {
    const parts = piece.split(/\s+/);
    return parts.every((part) => certainKind(part) !== null) ? parts : [piece];
  });
}

/**
 * What a text asks for. A list gives its pieces; a piece that merely holds identifiers, such as a line of code, gives
 * those. In a program or a prose text nothing but the identifiers in it counts, if it has any.
 */
export async function askedIn(text: string, form: 'list' | 'prose'): Promise<string[]> {
  const rest = breather();
  const found: string[] = [];
  if (form === 'prose') {
    for (const line of text.split(/\r\n|\r|\n/)) {
      found.push(...held(line));
      await rest();
    }
    if (found.length > 0) return found;
  }
  for (const part of text.split(dividers)) {
    const piece = bare(part);
    const inside = piece === '' || certainKind(piece) !== null ? [] : held(piece);
    if (piece !== '') found.push(...(inside.length > 0 ? inside : [piece]));
    await rest();
  }
  return found;
}

function held(text: string): string[] {
  return findIdentifiers(text).map(({ kind, value }) => (kind === 'cik' ? `CIK ${value}` : value));
}

/** Longer pieces are no identifiers, whatever stands around them. */
const longestPiece = 1_000;

/** A piece without the quotes, brackets and bullets that lists in programs and documents have around it. */
function bare(piece: string): string {
  let rest = cleanText(piece.replace(/^\s*[-*•]\s+/u, ''));
  while (rest.length <= longestPiece) {
    const open = rest[0] ?? '';
    const close = brackets[open];
    const last = rest.at(-1) ?? '';
    const opening = Object.keys(brackets).find((each) => brackets[each] === last);
    const before = rest;
    if (close !== undefined && !rest.includes(close)) rest = cleanText(rest.slice(1));
    else if (close !== undefined && last === close && rest.indexOf(close) === rest.length - 1) {
      rest = cleanText(rest.slice(1, -1));
    } else if (opening !== undefined && !rest.includes(opening)) rest = cleanText(rest.slice(0, -1));
    if (rest === before || rest === '') return rest;
  }
  return rest;
}

const certainKinds: ReadonlySet<IdentifierKind> = new Set(['isin', 'lei', 'figi', 'ticker', 'report-key']);

/** The kind of a text that is an identifier or a report key by its form alone; null for what may be anything. */
export function certainKind(text: string): IdentifierKind | null {
  const { kind, problem } = recognise(text);
  return problem === undefined && certainKinds.has(kind) ? kind : null;
}

export const kindWords: Readonly<Record<IdentifierKind, string>> = {
  isin: 'ISIN',
  lei: 'LEI',
  figi: 'FIGI',
  cik: 'CIK',
  ticker: 'MIC:TICKER',
  symbol: vscode.l10n.t('symbol'),
  name: vscode.l10n.t('name'),
  'report-key': vscode.l10n.t('report key'),
};
