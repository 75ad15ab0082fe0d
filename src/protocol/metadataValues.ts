import type { Column } from '../api/schemas/fields.ts';
import type { Report, TriState } from '../api/schemas/report.ts';
import { reportClassName, reportTypeName } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import { markColumnText, markOf, markWords, missingIsin, parseGoals } from './format/facts.ts';
import { formatDate, formatLanguages, formatMegabytes } from './format/numbers.ts';
import type { CellValue, MetadataRow } from './metadata.ts';

/** JSON that is no longer stands on one line, in characters. */
const longestJsonLine = 60;

/** The row of one of the 50 columns: the typed field in words, and the column's own string where they disagree. */
export function columnRow(column: Column, report: Report, locale: string): MetadataRow {
  const typed: unknown = (report as unknown as Record<string, unknown>)[column.apiField] ?? null;
  const stated = report.metadata[column.name];
  // An unknown typed field beside a filled column shows the column: it is all that is known.
  const shown = typed === null && stated !== '' ? fromColumnText(column, stated) : typed;
  const agrees = sameFact(column, columnTextOf(column, shown), stated);
  return {
    id: column.name,
    label: column.label,
    name: column.name,
    meaning: column.meaning,
    value: columnValue(column, shown, report, locale),
    columnText: agrees ? null : stated === '' ? l10n.t('(empty)') : visibleText(stated),
    copy: shown === null ? null : columnTextOf(column, shown),
  };
}

/** The row of a field outside the 50 columns. Without a value in words, the raw one is shown as what it is. */
export function fieldRow(id: string, label: string, name: string | null, raw: unknown, value?: CellValue): MetadataRow {
  const missing = raw === null || raw === undefined || raw === '';
  const copy = missing ? null : typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2);
  return { id, label, name, meaning: null, value: value ?? fieldValue(raw), columnText: null, copy };
}

/** A value of which only the JSON type is known. */
function fieldValue(raw: unknown): CellValue {
  if (raw === null || raw === undefined || raw === '') return { kind: 'missing', note: null };
  if (typeof raw === 'string') return words(raw, null);
  if (typeof raw === 'number') return words(String(raw), null);
  if (typeof raw === 'boolean') return words(raw ? l10n.t('Yes') : l10n.t('No'), null);
  const line = JSON.stringify(raw);
  const text = line.length <= longestJsonLine ? line : JSON.stringify(raw, null, 2);
  return { kind: 'json', text: visibleText(text) };
}

function columnValue(column: Column, value: unknown, report: Report, locale: string): CellValue {
  if (column.type === 'boolean') {
    const mark = markOf(typeof value === 'boolean' ? value : null);
    return { kind: 'mark', mark, words: markWords(mark) };
  }
  if (value === null) return { kind: 'missing', note: column.name === 'isin' ? isinNote(report) : null };
  const text = String(value);
  switch (column.name) {
    case 'sdg_goals':
      return {
        kind: 'goals',
        goals: parseGoals(text).map(({ number, name }) => ({ number: visibleText(number), name })),
      };
    case 'type':
      return words(reportTypeName(text), text);
    case 'class':
      return words(reportClassName(text) ?? text, text);
    case 'language':
      return words(formatLanguages(text, locale), text);
    case 'filesize':
      return typeof value === 'number' ? words(formatMegabytes(value, locale), null) : words(text, null);
    case 'year':
      return value === 0 ? words(l10n.t('Undated'), '0') : words(text, null);
    case 'publication_date':
    case 'period_start':
    case 'period_end':
      return words(formatDate(text, locale), text);
    default:
      return { kind: 'text', text: visibleText(text), detail: null, mono: column.isCode };
  }
}

/** Plain words, with the code behind them where it says something else. */
export function words(text: string, detail: string | null): CellValue {
  const shown = visibleText(text);
  const code = detail === null ? null : visibleText(detail);
  return { kind: 'text', text: shown, detail: code === shown ? null : code, mono: false };
}

function isinNote(report: Report): string {
  return missingIsin({ country: report.company_country, lei: report.company_lei, figi: report.company_figi });
}

/** How a typed value stands in its metadata column (CNV-4). */
function columnTextOf(column: Column, value: unknown): string {
  if (column.type === 'boolean') return markColumnText[markOf(typeof value === 'boolean' ? value : null)];
  return value === null ? '' : String(value);
}

function fromColumnText(column: Column, text: string): TriState | number | string {
  if (column.type === 'boolean') return text === 'TRUE' ? true : text === 'FALSE' ? false : null;
  if (column.type === 'integer' || column.type === 'float') {
    const number = Number(text);
    return Number.isFinite(number) ? number : text;
  }
  return text;
}

function sameFact(column: Column, expected: string, stated: string): boolean {
  if (expected === stated) return true;
  const numeric = column.type === 'integer' || column.type === 'float';
  return numeric && expected !== '' && stated.trim() !== '' && Number(expected) === Number(stated);
}
