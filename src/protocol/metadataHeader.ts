import { fiscalYearOf, type Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { formatDate, formatPeriod } from './format/dates.ts';
import { formatLanguages } from './format/languages.ts';
import { formatMegabytes } from './format/numbers.ts';
import { visibleText } from './format/visibleText.ts';
import type { Fact, Notice } from './metadata.ts';

/** The header's facts. Fiscal year, period and cover year stand apart: none is ever shown as another (RID-3). */
export function headerFacts(report: Report, locale: string): Fact[] {
  const facts: Fact[] = [
    fiscalYearFact(report),
    fact(l10n.t('Period'), formatPeriod(report.period_start_date, report.period_end_date, locale)),
    fact(l10n.t('Cover year'), report.report_year === 0 ? l10n.t('Undated') : numberText(report.report_year)),
    fact(
      l10n.t('Published'),
      report.report_pubdate_iso === null ? null : formatDate(report.report_pubdate_iso, locale),
    ),
    fact(l10n.t('Language'), report.report_lang === null ? null : formatLanguages(report.report_lang, locale)),
    fact(
      l10n.t('Pages'),
      report.report_pages === null ? null : new Intl.NumberFormat(locale).format(report.report_pages),
    ),
    fact(l10n.t('Size'), report.report_filesize === null ? null : formatMegabytes(report.report_filesize, locale)),
  ];
  return facts;
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

/** What a reader must know before using this report. */
export function headerNotices(report: Report, withdrawn: boolean): Notice[] {
  const notices: Notice[] = [];
  if (withdrawn)
    notices.push({
      tone: 'warning',
      text: l10n.t('Withdrawn: the service no longer serves this report. What was known before is kept here.'),
    });
  const part = /\((Extract|Chapter)\)/i.exec(`${report.metadata.title} ${report.report_title ?? ''}`)?.[1];
  if (part !== undefined)
    notices.push({
      tone: 'info',
      text: /chapter/i.test(part) ? l10n.t('Partial document: a chapter.') : l10n.t('Partial document: an extract.'),
    });
  const renamed = renameNotice(report);
  if (renamed !== null) notices.push({ tone: 'info', text: renamed });
  if (typeof report.report_fcyear === 'string' && !/^\d{4}$/.test(report.report_fcyear.trim()))
    notices.push({
      tone: 'info',
      text: l10n.t(
        'Older record: its fiscal year is held as {0} and filed under the first year. Check the period.',
        visibleText(report.report_fcyear),
      ),
    });
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

function numberText(value: number | null): string | null {
  return value === null ? null : String(value);
}
