import { type Column, columns, fieldGroupLabel, fields } from '../api/schemas/fields.ts';
import type { Report, TriState } from '../api/schemas/report.ts';
import { reportClassName, reportTypeName } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import type { Inline } from '../protocol/blocks.ts';
import {
  type Goal,
  markColumnText,
  markIcons,
  markOf,
  marksNote,
  markWords,
  missingIsin,
  parseGoals,
} from '../protocol/format/facts.ts';
import { formatDate, formatLanguages, formatMegabytes, formatTimestamp } from '../protocol/format/numbers.ts';
import { missing } from './pieces.ts';

/** A field of a report and what it says. */
export interface ReportField {
  readonly id: string;
  readonly label: string;
  /** Column of the bulk delivery file, or the API field where there is none; null for neither. */
  readonly name: string | null;
  /** Null for a field outside the 50 columns, which has no place in the schema dictionary. */
  readonly meaning: string | null;
  readonly value: readonly Inline[];
  readonly isMark?: boolean;
  /** The metadata column's value where it differs from the typed field. */
  readonly columnText: string | null;
  /** What copying it gives: raw text, never altered. Null when there is nothing to copy. */
  readonly copy: string | null;
}

export interface ReportFieldGroup {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  readonly fields: readonly ReportField[];
}

/** All fields of a report in groups, without empty groups. */
export function fieldGroups(report: Report, locale: string): ReportFieldGroup[] {
  return [
    ...columnGroups(report, locale),
    apiGroup('api', report, locale, l10n.t('Sent by the service in addition to the 50 columns.')),
    historyGroup(report, locale),
    otherGroup(report),
  ].filter((candidate) => candidate.fields.length > 0);
}

function columnGroups(report: Report, locale: string): ReportFieldGroup[] {
  return (['report', 'company', 'disclosure'] as const).map((id) => ({
    id,
    title: fieldGroupLabel(id),
    note: id === 'disclosure' ? marksNote() : null,
    fields: columns.filter((column) => column.group === id).map((column) => columnField(column, report, locale)),
  }));
}

/** The fields of a group that stand beside the 50 columns. */
function apiGroup(id: 'api' | 'history', report: Report, locale: string, note: string | null): ReportFieldGroup {
  const formats: Readonly<Record<string, (text: string, locale: string) => string>> = {
    timestamp: formatTimestamp,
    date: formatDate,
  };
  const shown = fields
    .filter(({ group }) => group === id)
    .map(({ apiField, type, label }) => {
      const raw = report[apiField];
      const format = typeof raw === 'string' ? formats[type] : undefined;
      const value = format && words(format(raw as string, locale), raw as string);
      return rawField(`${id}.${apiField}`, label, apiField, raw, value);
    });
  return { id, title: fieldGroupLabel(id), note, fields: shown };
}

/** Empty unless the report was asked for by a retired id or key (RID-2). */
function historyGroup(report: Report, locale: string): ReportFieldGroup {
  const group = apiGroup('history', report, locale, null);
  return { ...group, fields: group.fields.some(({ copy }) => copy !== null) ? group.fields : [] };
}

function otherGroup(report: Report): ReportFieldGroup {
  const shown = Object.entries(report.other).map(([name, raw]) =>
    rawField(`other.${name}`, visibleText(name), null, raw),
  );
  const note = l10n.t(
    'Fields that this version of the extension does not know, or whose value had an unexpected type.',
  );
  return { id: 'other', title: l10n.t('Other fields'), note, fields: shown };
}

/** For a value that is missing in the report. */
const noValue = (): readonly Inline[] => [missing(l10n.t('No value'))];

/** JSON that is no longer stands on one line, in characters. */
const longestJsonLine = 60;

/** The row of one of the 50 columns: the typed field in words, and the column's own string where they disagree. */
export function columnField(column: Column, report: Report, locale: string): ReportField {
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
    isMark: column.type === 'boolean',
    columnText: agrees ? null : stated === '' ? l10n.t('(empty)') : visibleText(stated),
    copy: shown === null ? null : columnTextOf(column, shown),
  };
}

/** A field outside the 50 columns. Without a value in words, the raw one is shown as what it is. */
function rawField(
  id: string,
  label: string,
  name: string | null,
  raw: unknown,
  value: readonly Inline[] = rawValue(raw),
): ReportField {
  const isMissing = raw === null || raw === undefined || raw === '';
  const copy = isMissing ? null : typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2);
  return { id, label, name, meaning: null, value, columnText: null, copy };
}

/** A value of which only the JSON type is known. */
function rawValue(raw: unknown): readonly Inline[] {
  if (raw === null || raw === undefined || raw === '') return noValue();
  if (typeof raw === 'string') return words(raw, null);
  if (typeof raw === 'number') return words(String(raw), null);
  if (typeof raw === 'boolean') return words(raw ? l10n.t('Yes') : l10n.t('No'), null);
  const line = JSON.stringify(raw);
  const text = line.length <= longestJsonLine ? line : JSON.stringify(raw, null, 2);
  return [{ json: visibleText(text) }];
}

function columnValue(column: Column, value: unknown, report: Report, locale: string): readonly Inline[] {
  if (column.type === 'boolean') {
    const mark = markOf(typeof value === 'boolean' ? value : null);
    return [{ text: markWords(mark), icon: markIcons[mark], look: `answer answer-${mark}` }];
  }
  if (value === null) return column.name === 'isin' ? [{ text: isinNote(report), look: 'quiet' }] : noValue();
  const text = String(value);
  switch (column.name) {
    case 'sdg_goals':
      return [{ list: parseGoals(text).map(goalPieces), look: 'goals' }];
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
      return [{ text: visibleText(text), breaks: true, ...(column.isCode && { look: 'mono' }) }];
  }
}

/** Plain words, with the code behind them where it says something else. */
function words(text: string, detail: string | null): readonly Inline[] {
  const shown = visibleText(text);
  const code = detail === null ? null : visibleText(detail);
  return [
    { text: shown, breaks: true },
    ...(code === null || code === shown ? [] : [{ text: code, look: 'quiet mono detail' }]),
  ];
}

/** The number and the name of a goal; what is no goal's number has no name. */
function goalPieces({ number, name }: Goal): Inline[] {
  return [{ text: visibleText(number), look: 'goal-number' }, ...(name === null ? [] : [name])];
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
