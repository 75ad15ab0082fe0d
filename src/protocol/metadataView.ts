import { type Column, columns, fieldGroupLabel, fields, fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report, TriState } from '../api/schemas/report.ts';
import { reportClassName, reportTypeName } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { inALine, visibleText } from '../base/words.ts';
import { markColumnText, markOf, marksNote, markWords, missingIsin, parseGoals } from './format/facts.ts';
import {
  formatDate,
  formatLanguages,
  formatMegabytes,
  formatPeriod,
  formatTimestamp,
  languageCodes,
} from './format/numbers.ts';
import type {
  CellValue,
  Fact,
  MetadataRow,
  MetadataView,
  Notice,
  OtherYear,
  PdfDoubt,
  PdfFileState,
  RowGroup,
} from './metadata.ts';

/**
 * Turns a report into what the panel shows: all 50 columns in their groups, the API-only fields, rename history and
 * unknown fields (RPT-1, RPT-2). `locale` is a BCP 47 tag for dates, numbers and language names; `notKept` says why the
 * report could not be kept on this machine.
 */
export function metadataView(
  report: Report,
  withdrawn: boolean,
  locale: string,
  others: readonly OtherReport[] = [],
  notKept?: string,
  isFavorite = false,
): MetadataView {
  return {
    reportKey: visibleText(report.report_key),
    contentLanguage: contentLanguage(report),
    isFavorite,
    title: visibleTitle(report),
    company: visibleText(report.company_name ?? report.company_key),
    companyDetail: inALine([listing(report), report.company_country]),
    type: typeOf(report),
    typeCode: report.report_type === null ? null : visibleText(report.report_type),
    facts: headerFacts(report, locale),
    notices: headerNotices(report, withdrawn, notKept),
    groups: metadataGroups(report, locale),
    ...otherYears(report, others),
  };
}

export interface OtherReport {
  readonly report_id: number;
  readonly fiscal_year: number | null;
  readonly title: string | null;
  readonly report_key: string;
  readonly language: string | null;
}

/** The nearest years before and after; of several reports of one year the first in this one's language. */
function otherYears(report: Report, others: readonly OtherReport[]): { previous: OtherYear; next: OtherYear } {
  const year = fiscalYearOf(report);
  const isForeign = ({ language }: OtherReport) => (language === report.report_lang ? 0 : 1);
  const dated = others
    .flatMap((other) =>
      other.fiscal_year === null || year === null ? [] : { ...other, fiscal_year: other.fiscal_year },
    )
    .toSorted((a, b) => a.fiscal_year - b.fiscal_year || isForeign(a) - isForeign(b) || a.report_id - b.report_id);
  const firstOf = (wanted: number | undefined): OtherYear => {
    const found = dated.find(({ fiscal_year }) => fiscal_year === wanted);
    if (!found) return null;
    const title = visibleText(found.title ?? found.report_key);
    return { reportId: found.report_id, year: String(wanted), title };
  };
  const years = dated.map(({ fiscal_year }) => fiscal_year);
  return {
    previous: firstOf(years.findLast((each) => each < (year ?? 0))),
    next: firstOf(years.find((each) => each > (year ?? 0))),
  };
}

export function visibleTitle(report: Report): string {
  return visibleText(report.report_title ?? report.metadata.title) || visibleText(report.report_key);
}

export function typeOf({ report_type }: Report): string {
  return report_type === null ? l10n.t('Type unknown') : visibleText(reportTypeName(report_type));
}

/** Everything that is told of a report, in its groups; empty groups are left out. */
export function metadataGroups(report: Report, locale: string): RowGroup[] {
  return [
    ...columnGroups(report, locale),
    fieldGroup('api', report, locale, l10n.t('Sent by the service in addition to the 50 columns.')),
    historyGroup(report, locale),
    otherGroup(report),
  ].filter((candidate) => candidate.rows.length > 0);
}

function columnGroups(report: Report, locale: string): RowGroup[] {
  return (['report', 'company', 'disclosure'] as const).map((id) => ({
    id,
    title: fieldGroupLabel(id),
    note: id === 'disclosure' ? marksNote() : null,
    rows: columns.filter((column) => column.group === id).map((column) => columnRow(column, report, locale)),
  }));
}

/** The fields of a group that stand beside the 50 columns. */
function fieldGroup(id: 'api' | 'history', report: Report, locale: string, note: string | null): RowGroup {
  const formats: Readonly<Record<string, (text: string, locale: string) => string>> = {
    timestamp: formatTimestamp,
    date: formatDate,
  };
  const rows = fields
    .filter(({ group }) => group === id)
    .map(({ apiField, type, label }) => {
      const raw = report[apiField];
      const format = typeof raw === 'string' ? formats[type] : undefined;
      const value = format && words(format(raw as string, locale), raw as string);
      return fieldRow(`${id}.${apiField}`, label, apiField, raw, value);
    });
  return { id, title: fieldGroupLabel(id), note, rows };
}

/** Empty unless the report was asked for by a retired id or key (RID-2). */
function historyGroup(report: Report, locale: string): RowGroup {
  const group = fieldGroup('history', report, locale, null);
  return { ...group, rows: group.rows.some(({ copy }) => copy !== null) ? group.rows : [] };
}

function otherGroup(report: Report): RowGroup {
  const rows = Object.entries(report.other).map(([name, raw]) =>
    fieldRow(`other.${name}`, visibleText(name), null, raw),
  );
  const note = l10n.t(
    'Fields that this version of the extension does not know, or whose value had an unexpected type.',
  );
  return { id: 'other', title: l10n.t('Other fields'), note, rows };
}

function listing(report: Report): string | null {
  const parts = [report.company_mic, report.company_ticker].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(':') : null;
}

/** The language of a report's own words, where it has one: a BCP 47 tag. */
export function contentLanguage(report: Report): string | null {
  const codes = report.report_lang === null ? [] : languageCodes(report.report_lang);
  const [code] = codes;
  return codes.length === 1 && code !== undefined && /^[a-z]{2,3}$/i.test(code) ? code.toLowerCase() : null;
}

/** The header's facts. Fiscal year, period and cover year stand apart: none is ever shown as another (RID-3). */
function headerFacts(report: Report, locale: string): Fact[] {
  const { report_year, report_pubdate_iso, report_lang, report_pages, report_filesize } = report;
  const period = formatPeriod(report.period_start_date, report.period_end_date, locale);
  const amount = new Intl.NumberFormat(locale);
  return [
    fiscalYearFact(report),
    fact(l10n.t('Period'), period),
    fact(l10n.t('Cover year'), report_year === 0 ? l10n.t('Undated') : (report_year?.toString() ?? null)),
    fact(l10n.t('Published'), report_pubdate_iso && formatDate(report_pubdate_iso, locale)),
    fact(l10n.t('Language'), report_lang && formatLanguages(report_lang, locale)),
    fact(l10n.t('Pages'), report_pages === null ? null : amount.format(report_pages)),
    fact(l10n.t('Size'), report_filesize === null ? null : formatMegabytes(report_filesize, locale)),
  ];
}

/** The company's own label, and the year it is filed under where that differs (FY-1 to FY-3). */
function fiscalYearFact(report: Report): Fact {
  const filed = fiscalYearOf(report);
  const label = report.fiscal_year_label;
  if (filed === null)
    return fact(l10n.t('Fiscal year'), label, label === null ? l10n.t('Undated') : l10n.t('filed as undated'));
  if (label === null && report.report_fcyear === null)
    return fact(l10n.t('Fiscal year'), null, l10n.t('Not stated; filed under cover year {0}', filed));
  const shown = label ?? String(report.report_fcyear);
  return fact(l10n.t('Fiscal year'), shown, shown === String(filed) ? null : l10n.t('filed under {0}', filed));
}

function headerNotices(report: Report, withdrawn: boolean, notKept: string | undefined): Notice[] {
  const notices: Notice[] = [];
  const tell = (tone: Notice['tone'], text: string) => notices.push({ tone, text });
  if (notKept !== undefined) tell('warning', l10n.t('This report is not kept on this machine. {0}', notKept));
  if (withdrawn)
    tell(
      'warning',
      l10n.t('Withdrawn: the service no longer serves this report. Its last known metadata is shown here.'),
    );
  const part = /\((Extract|Chapter)\)/i.exec(`${report.metadata.title} ${report.report_title ?? ''}`)?.[1];
  if (part?.toLowerCase() === 'chapter') tell('info', l10n.t('Partial document: a chapter.'));
  else if (part !== undefined) tell('info', l10n.t('Partial document: an extract.'));
  const renamed = renameNotice(report);
  if (renamed !== null) tell('info', renamed);
  const year = report.report_fcyear;
  if (typeof year === 'string' && !/^\d{4}$/.test(year.trim()))
    tell(
      'info',
      l10n.t('Older record: its fiscal year is {0}, filed under the first year. Check the period.', visibleText(year)),
    );
  return notices;
}

/** Told when a report was asked for by a key or id that a rename or merge retired (RID-1, RID-2). */
function renameNotice(report: Report): string | null {
  const { requested_legacy_report_id: oldId, requested_legacy_report_key: oldKey } = report;
  const newKey = report.canonical_report_key ?? report.report_key;
  const newId = report.canonical_report_id ?? report.report_id;
  if (oldKey !== null && oldKey !== newKey)
    return l10n.t('Renamed: {0} is now {1} (report {2}).', visibleText(oldKey), visibleText(newKey), newId);
  if (oldId !== null && oldId !== newId) return l10n.t('Merged: report {0} is now report {1}.', oldId, newId);
  const canonical = report.canonical_report_id !== null || report.canonical_report_key !== null;
  return canonical ? l10n.t('Now served as {0} (report {1}).', visibleText(newKey), newId) : null;
}

function fact(label: string, text: string | null, note: string | null = null): Fact {
  return { label, text: text === null ? null : visibleText(text), note };
}

/** What this machine knows about a report beside what the service tells. */
export interface LocalReport {
  /** The service no longer serves it (ST-2). */
  readonly withdrawn: boolean;
  /** Its PDF in the workspace, if there is one. */
  readonly file: LocalFile | null;
}

export interface LocalFile {
  /** As a person knows it, relative to the workspace folder. */
  readonly path: string;
  /** The bytes were read and agree with the SHA-256 that is published. */
  readonly verified: boolean;
  readonly doubt?: PdfDoubt;
  /** The SHA-256 that they had when they came; null when unknown. */
  readonly sha256: string | null;
  /** The file is no longer what was downloaded. */
  readonly edited: boolean;
}

/** Where a report's PDF stands while nothing is under way. Says why before any request is made (ST-4). */
export function fileStateOf(report: Pick<Report, 'has_file' | 'content_sha256'>, local: LocalReport): PdfFileState {
  const { file, withdrawn } = local;
  if (file) {
    const { verified, doubt, edited, sha256 } = file;
    const published = report.content_sha256;
    const outdated = !withdrawn && published !== null && sha256 !== null && published !== sha256;
    const path = visibleText(file.path);
    return { kind: 'downloaded', path, verified, ...(doubt && { doubt }), outdated, served: !withdrawn, edited };
  }
  if (withdrawn) return { kind: 'none', reason: l10n.t('Withdrawn: the service no longer serves the PDF.') };
  if (report.has_file === false) return { kind: 'none', reason: l10n.t('The service has no PDF for this report.') };
  return { kind: 'available' };
}

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
function fieldRow(id: string, label: string, name: string | null, raw: unknown, value?: CellValue): MetadataRow {
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
function words(text: string, detail: string | null): CellValue {
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
