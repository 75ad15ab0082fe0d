import { isCoreReportType, reportTypeName } from '../../api/schemas/reportTypes.ts';
import type { DemoReport } from '../catalogue.ts';
import patterns from '../data/titles.json' with { type: 'json' };
import { hashNumber, Random } from '../random.ts';
import { isoDate, labelOf, type Period, periodOf, publishingOf, timestamp } from './calendar.ts';
import { assuranceOf, disclosuresOf } from './disclosures.ts';
import type { PlannedReport } from './plan.ts';

/** Makes the record of a planned report. Title and fields are worked out when first read: many reports cost little. */
export function makeReport(planned: PlannedReport, id: number, formerIds: number[], seed: number): DemoReport {
  const { profile, fiscalYear, coverYear, key } = planned;
  const period = periodOf(fiscalYear ?? (coverYear || 2021), profile.company.fiscal_year_end_month);
  const publishing = publishingOf(period, new Random(seed, 'published', key));
  let title: string | undefined;
  let fields: DemoReport['fields'] | undefined;
  return {
    report_id: id,
    report_key: key,
    formerKeys: [...planned.formerKeys],
    formerIds,
    company_key: profile.company.company_key,
    report_type: planned.type,
    report_year: coverYear,
    report_fcyear: fiscalYearValue(planned),
    get report_title() {
      title ??= reportTitle(planned, period);
      return title;
    },
    set report_title(value) {
      title = value;
    },
    report_lang: planned.lang,
    has_file: planned.hasFile,
    fileVersion: 0,
    created_at: timestamp(publishing.created),
    updated_at: timestamp(publishing.updated),
    get fields() {
      fields ??= makeFields(planned, period, publishing);
      return fields;
    },
    set fields(value) {
      fields = value;
    },
  };
}

/** The title on the cover; partial documents are marked (CNV-7). */
function reportTitle(planned: PlannedReport, period: Period): string {
  const year = planned.coverYear === 0 ? '' : coverLabel(planned, period);
  const title = specialTitles[planned.key] ?? titleInLanguages(planned.type, planned.lang, year);
  if (planned.scope === 'full') return title;
  return `${title} ${planned.scope === 'extract' ? '(Extract)' : '(Chapter)'}`;
}

/** What the cover says of the year: a span where the company speaks of its year so and prints it when it ends. */
function coverLabel(planned: PlannedReport, period: Period): string {
  const { coverLead, yearLabel } = planned.profile;
  if (planned.fiscalYear === null || coverLead !== 0 || yearLabel !== 'span' || !period.split)
    return String(planned.coverYear);
  return labelOf(planned.fiscalYear, period, yearLabel);
}

function fiscalYearValue({ fiscalYear, twoYearRecord, key }: PlannedReport): number | string | null {
  if (fiscalYear === null || !twoYearRecord) return fiscalYear;
  return hashNumber(`form ${key}`) % 3 === 0
    ? `${fiscalYear - 1}-${String(fiscalYear).slice(2)}`
    : `${fiscalYear - 1}/${fiscalYear}`;
}

function makeFields(
  planned: PlannedReport,
  period: Period,
  publishing: ReturnType<typeof publishingOf>,
): Record<string, unknown> {
  const { profile, type, fiscalYear } = planned;
  const dated = fiscalYear !== null;
  const stated = planned.coverYear !== 0 && publishing.precision > 0;
  const published = stated ? isoDate(publishing.published).slice(0, publishing.precision) : null;
  const hasEdition = hashNumber(`edition ${profile.company.company_key} ${type}`) % 4 === 0;
  return {
    filename: planned.hasFile ? `${planned.key}.pdf` : null,
    report_class: classOf(type),
    document_scope: planned.scope,
    fiscal_year_label: dated ? labelOf(fiscalYear, period, profile.yearLabel) : null,
    period_start_date: dated ? period.start : null,
    period_end_date: dated ? period.end : null,
    report_pubdate: published === null ? null : `${published}-01-01`.slice(0, 10),
    report_pubdate_iso: published,
    edition_number: hasEdition ? planned.issue + 5 : null,
    ...disclosuresOf(planned),
    ...assuranceOf(planned),
  };
}

/** The class that goes with a type (TYP-2). */
function classOf(type: string): string {
  if (type === 'SR') return 'D';
  if (type === 'AR1') return 'F';
  return isCoreReportType(type) ? 'E' : 'S';
}

const { special, ...byLanguage } = patterns;
const patternsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = byLanguage;
/** Titles that follow no pattern: a very long one, and one of a type that the interface does not know. */
const specialTitles: Readonly<Record<string, string>> = special;

/**
 * The title of a report in its language; both languages for a bilingual one, English where no pattern is at hand.
 * @param year what the cover says: a year, a span, or an empty string on undated documents.
 */
function titleInLanguages(type: string, lang: string, year: string): string {
  const titles = lang.split(';').map((language) => titleIn(type, language, year));
  return [...new Set(titles)].join(' / ');
}

export function titleIn(type: string, language: string, year: string): string {
  const pattern = patternsOf[language]?.[type] ?? patternsOf.en?.[type] ?? `${reportTypeName(type)} #`;
  return pattern.replace('#', year).trim();
}
