import { fiscalYearOf, type Report } from '../api/schemas/report.ts';
import { formatDate, formatPeriod } from './format/dates.ts';
import { formatLanguages } from './format/languages.ts';
import { formatMegabytes } from './format/numbers.ts';
import { visibleText } from './format/visibleText.ts';
import type { Fact, Notice } from './metadata.ts';

/** The header's facts. Fiscal year, period and cover year stand apart: none is ever shown as another (RID-3). */
export function headerFacts(report: Report, locale: string): Fact[] {
  const facts: Fact[] = [
    fiscalYearFact(report),
    fact('Period', formatPeriod(report.period_start_date, report.period_end_date, locale)),
    fact('Cover year', report.report_year === 0 ? 'Undated' : numberText(report.report_year)),
    fact('Published', report.report_pubdate_iso === null ? null : formatDate(report.report_pubdate_iso, locale)),
    fact('Language', report.report_lang === null ? null : formatLanguages(report.report_lang, locale)),
    fact('Pages', report.report_pages === null ? null : new Intl.NumberFormat(locale).format(report.report_pages)),
    fact('Size', report.report_filesize === null ? null : formatMegabytes(report.report_filesize, locale)),
  ];
  return facts;
}

/** The company's own label, and the year it is filed under where that differs (FY-1 to FY-3). */
function fiscalYearFact(report: Report): Fact {
  const filed = fiscalYearOf(report);
  const label = report.fiscal_year_label;
  if (filed === null) return fact('Fiscal year', label, label === null ? 'Undated' : 'filed as undated');
  if (label === null && report.report_fcyear === null)
    return fact('Fiscal year', null, `Not stated; filed under cover year ${filed}`);
  const shown = label ?? String(report.report_fcyear);
  return fact('Fiscal year', shown, shown === String(filed) ? null : `filed under ${filed}`);
}

/** What a reader must know before using this report. */
export function headerNotices(report: Report, withdrawn: boolean): Notice[] {
  const notices: Notice[] = [];
  if (withdrawn)
    notices.push({
      tone: 'warning',
      text: 'Withdrawn: the service no longer serves this report. What was known before is kept here.',
    });
  const part = /\((Extract|Chapter)\)/i.exec(`${report.metadata.title} ${report.report_title ?? ''}`)?.[1];
  if (part !== undefined)
    notices.push({ tone: 'info', text: `Partial document: ${/chapter/i.test(part) ? 'a chapter' : 'an extract'}.` });
  const renamed = renameNotice(report);
  if (renamed !== null) notices.push({ tone: 'info', text: renamed });
  if (typeof report.report_fcyear === 'string' && !/^\d{4}$/.test(report.report_fcyear.trim()))
    notices.push({
      tone: 'info',
      text: `Older record: its fiscal year is held as ${visibleText(report.report_fcyear)} and filed under the first year. Check the period.`,
    });
  return notices;
}

/** Told when a report was asked for by a key or id that a rename or merge retired (RID-1, RID-2). */
function renameNotice(report: Report): string | null {
  const { requested_legacy_report_id: oldId, requested_legacy_report_key: oldKey } = report;
  const newKey = report.canonical_report_key ?? report.report_key;
  const newId = report.canonical_report_id ?? report.report_id;
  if (oldKey !== null && oldKey !== newKey)
    return `Renamed: ${visibleText(oldKey)} is now ${visibleText(newKey)} (report ${newId}).`;
  if (oldId !== null && oldId !== newId) return `Merged: report ${oldId} is now report ${newId}.`;
  const canonical = report.canonical_report_id !== null || report.canonical_report_key !== null;
  return canonical ? `Now served as ${visibleText(newKey)} (report ${newId}).` : null;
}

function fact(label: string, text: string | null, note: string | null = null): Fact {
  return { label, text: text === null ? null : visibleText(text), note };
}

function numberText(value: number | null): string | null {
  return value === null ? null : String(value);
}
