import * as vscode from 'vscode';
import { type FieldName, fields, type TriStateField } from '../../api/schemas/fields.ts';
import { reportClassName } from '../../api/schemas/reportTypes.ts';
import { countText, visibleText } from '../../base/words.ts';
import type { Favorites } from '../../favorites/favorites.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { TableRow } from '../../library/reportQuery.ts';
import { markColumnText, markOf, markWords } from '../../protocol/format/facts.ts';
import { formatDate, formatLanguages, formatMegabytes } from '../../protocol/format/numbers.ts';
import { csvTable, markdownTable, tsvTable } from '../../protocol/format/table.ts';
import {
  type CopyForm,
  columnLook,
  type ShownColumn,
  type ShownRow,
  type TableColumn,
} from '../../protocol/reportTable.ts';
import { typeLabel } from '../common/reportNode.ts';
import { facetWords } from '../common/reportsFilter.ts';

export interface RowMarks {
  isSelected(id: number): boolean;
  isHere(id: number): boolean;
  readonly favorites: Pick<Favorites, 'has'>;
}

/** A row as the page shows it, with the texts of these columns only. */
export function shownRow(row: TableRow, columns: readonly ShownColumn[], marks: RowMarks): ShownRow {
  return {
    id: row.report_id,
    cells: Object.fromEntries(columns.map(({ id }) => [id, cellWords(row, id)])),
    isSelected: marks.isSelected(row.report_id),
    isStarred: marks.favorites.has(row),
    isHere: marks.isHere(row.report_id),
  };
}

function cellWords(row: TableRow, column: TableColumn): string | null {
  const value = statedBy(row, column);
  if (value === null || typeof value === 'boolean') return isFact(column) ? markOf(value as boolean | null) : null;
  const { language } = vscode.env;
  switch (column) {
    case 'type':
      return visibleText(typeLabel(String(value)));
    case 'class':
      return visibleText(reportClassName(String(value)) ?? String(value));
    case 'language':
      return languageWords(String(value), language);
    case 'published':
      return visibleText(formatDate(String(value), language));
    case 'filesize':
      return formatMegabytes(Number(value), language);
    case 'pages':
      return countText(Number(value));
    case 'assurance_level':
      return visibleText(facetWords('assurance_level', String(value)));
    default:
      return visibleText(String(value));
  }
}

function isFact(column: TableColumn): column is TriStateField {
  return columnLook(column).kind === 'mark';
}

/** The value of a column; a fact that is undetermined, and what is not stated, is null. */
function statedBy(row: TableRow, column: TableColumn): string | number | boolean | null {
  if (isFact(column)) return row.facts[column];
  return column === 'company'
    ? (row.company_name ?? row.company_key)
    : row[column as Exclude<typeof column, 'company'>];
}

const languages = new Map<string, string>();

/** Languages in words, each said once: making them takes long. */
function languageWords(codes: string, locale: string): string {
  const known = languages.get(codes);
  if (known !== undefined) return known;
  const words = visibleText(formatLanguages(codes, locale));
  if (languages.size < 500) languages.set(codes, words);
  return words;
}

/** Fields of the columns whose own names are others. */
const fieldsOf: Readonly<Partial<Record<TableColumn, FieldName>>> = {
  ...{ company: 'company_name', title: 'report_title', type: 'report_type', fiscal_year: 'report_fcyear' },
  ...{ published: 'report_pubdate_iso', country: 'company_country', sector: 'company_sector' },
  ...{ industry: 'company_industry', language: 'report_lang', class: 'report_class', pages: 'report_pages' },
  filesize: 'report_filesize',
};

/** What programs call a column: its name in the dictionary, else that of the field. */
function nameOf(column: TableColumn): string {
  const field = fieldsOf[column] ?? column;
  return fields.find(({ apiField }) => apiField === field)?.name ?? field;
}

/**
 * Rows as text: for programs with the dictionary's names and the service's values, for people in their words. Every
 * cell that a spreadsheet would run is guarded.
 */
export function rowsAsText(rows: readonly TableRow[], columns: readonly TableColumn[], form: CopyForm): string {
  if (form === 'markdown') {
    const words = (row: TableRow, column: TableColumn) => {
      const value = cellWords(row, column);
      return value !== null && isFact(column)
        ? markWords(markOf(statedBy(row, column) as boolean | null))
        : (value ?? '');
    };
    return markdownTable([
      columns.map((column) => columnLook(column).label),
      ...rows.map((row) => columns.map((column) => words(row, column))),
    ]);
  }
  const raw = (row: TableRow, column: TableColumn) => {
    const value = statedBy(row, column);
    return isFact(column) ? markColumnText[markOf(value as boolean | null)] : String(value ?? '');
  };
  const table = [
    ['report_id', ...columns.map(nameOf)],
    ...rows.map((row) => [String(row.report_id), ...columns.map((column) => raw(row, column))]),
  ];
  return form === 'csv' ? csvTable(table) : tsvTable(table);
}

/** One identifier of each company that these reports are of: the first that is known, its name, or its key. */
export async function identifiersOf(
  library: Pick<LibraryCalls, 'groupReports' | 'company'>,
  ids: readonly number[],
  onProgress: (done: number, total: number) => void,
): Promise<string[]> {
  const groups = await library.groupReports({ among: [{ ids, is: true }], state: 'all' }, 'company');
  const found: string[] = [];
  for (const { value } of groups) {
    const key = String(value);
    found.push(identifierOf(await library.company(key)) ?? key);
    onProgress(found.length, groups.length);
  }
  return found;
}

function identifierOf(company: LibraryCompany | null): string | null {
  if (!company) return null;
  const { isin, lei, figi, cik, mic, ticker, company_name } = company;
  return isin ?? lei ?? figi ?? cik ?? (mic && ticker ? `${mic}:${ticker}` : company_name);
}
