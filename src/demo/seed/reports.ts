import { isCoreReportType } from '../../api/schemas/reportTypes.ts';
import type { DemoReport } from '../catalogue.ts';
import { hashOf, Random } from '../random.ts';
import { assuranceOf } from './assurance.ts';
import type { Period } from './calendar.ts';
import { isoDate, labelOf, periodOf, publishingOf, timestamp } from './calendar.ts';
import { disclosuresOf } from './disclosures.ts';
import type { PlannedReport } from './plan.ts';
import { specialTitleOf } from './specialTitles.ts';
import { titleOf } from './titles.ts';

/** Makes the record of a planned report. */
export function makeReport(planned: PlannedReport, id: number, formerIds: number[], seed: number): DemoReport {
  return new SeededReport(planned, id, formerIds, seed);
}

/**
 * Works title and fields out when they are first read, so that many reports cost little. The two are properties of
 * the record itself, not of its class, so that a copy of the record has them too.
 */
class SeededReport implements DemoReport {
  report_id: number;
  report_key: string;
  formerKeys: string[];
  formerIds: number[];
  company_key: string;
  report_type: string;
  report_year: number;
  report_fcyear: number | string | null;
  declare report_title: string;
  report_lang: string;
  has_file: boolean;
  fileVersion = 0;
  created_at: string;
  updated_at: string;
  declare fields: Readonly<Record<string, unknown>>;
  readonly #planned: PlannedReport;
  readonly #seed: number;
  #title: string | undefined;
  #fields: Readonly<Record<string, unknown>> | undefined;

  constructor(planned: PlannedReport, id: number, formerIds: number[], seed: number) {
    const publishing = publishingOf(periodFor(planned), publishingRandom(planned, seed));
    this.report_id = id;
    this.report_key = planned.key;
    this.formerKeys = [...planned.formerKeys];
    this.formerIds = formerIds;
    this.company_key = planned.profile.company.company_key;
    this.report_type = planned.type;
    this.report_year = planned.coverYear;
    this.report_fcyear = fiscalYearValue(planned);
    this.report_lang = planned.lang;
    this.has_file = planned.hasFile;
    this.created_at = timestamp(publishing.created);
    this.updated_at = publishing.updated === publishing.created ? this.created_at : timestamp(publishing.updated);
    this.#planned = planned;
    this.#seed = seed;
    Object.defineProperties(this, SeededReport.#onReading);
  }

  static readonly #onReading: PropertyDescriptorMap & ThisType<SeededReport> = {
    report_title: {
      enumerable: true,
      get() {
        this.#title ??= reportTitle(this.#planned, periodFor(this.#planned));
        return this.#title;
      },
      set(value: string) {
        this.#title = value;
      },
    },
    fields: {
      enumerable: true,
      get() {
        this.#fields ??= makeFields(this.#planned, this.report_id, this.#seed);
        return this.#fields;
      },
      set(value: Readonly<Record<string, unknown>>) {
        this.#fields = value;
      },
    },
  };
}

function periodFor(planned: PlannedReport): Period {
  return periodOf(planned.fiscalYear ?? (planned.coverYear || 2021), planned.profile.company.fiscal_year_end_month);
}

function publishingRandom(planned: PlannedReport, seed: number): Random {
  return new Random(seed, 'published', planned.key);
}

/** The title on the cover; partial documents are marked (CNV-7). */
export function reportTitle(planned: PlannedReport, period: Period): string {
  const year = planned.coverYear === 0 ? '' : coverLabel(planned, period);
  const title = planned.title ?? specialTitleOf(planned.key) ?? titleOf(planned.type, planned.lang, year);
  if (planned.scope === 'full') return title;
  return `${title} ${planned.scope === 'extract' ? '(Extract)' : '(Chapter)'}`;
}

/** What the cover says of the year: a span where the company speaks of its year so and prints it when it ends. */
function coverLabel(planned: PlannedReport, period: Period): string {
  const { coverLead, yearLabel } = planned.profile;
  if (planned.fiscalYear === null || coverLead !== 0 || yearLabel !== 'span' || !period.split) {
    return String(planned.coverYear);
  }
  return labelOf(planned.fiscalYear, period, yearLabel);
}

function fiscalYearValue({ fiscalYear, twoYearRecord, key }: PlannedReport): number | string | null {
  if (fiscalYear === null || !twoYearRecord) return fiscalYear;
  return hashOf(`form ${key}`) % 3 === 0
    ? `${fiscalYear - 1}-${String(fiscalYear).slice(2)}`
    : `${fiscalYear - 1}/${fiscalYear}`;
}

function makeFields(planned: PlannedReport, id: number, seed: number): Record<string, unknown> {
  const { profile, type, fiscalYear } = planned;
  const facts = { profile, type, fiscalYear };
  const dated = fiscalYear !== null;
  const period = periodFor(planned);
  const publishing = publishingOf(period, publishingRandom(planned, seed));
  const stated = planned.coverYear !== 0 && publishing.precision > 0;
  const published = stated ? isoDate(publishing.published).slice(0, publishing.precision) : null;
  const edition = hashOf(`edition ${profile.company.company_key} ${type}`) % 4 === 0 ? planned.issue + 5 : null;
  return {
    filename: planned.hasFile ? `${planned.key}.pdf` : null,
    download_path: planned.hasFile ? `/reports/${id}/download` : null,
    formats: planned.hasFile ? ['pdf'] : [],
    report_hash: hashOf(`record ${planned.key}`).toString(16).padStart(8, '0'),
    report_class: classOf(type),
    document_scope: planned.scope,
    fiscal_year_label: dated ? labelOf(fiscalYear, period, profile.yearLabel) : null,
    period_start_date: dated ? period.start : null,
    period_end_date: dated ? period.end : null,
    report_period: dated ? `${period.start}/${period.end}` : null,
    report_pubdate: published === null ? null : `${published}-01-01`.slice(0, 10),
    report_pubdate_iso: published,
    edition_number: edition,
    report_edition: edition === null ? null : String(edition),
    ...disclosuresOf(facts),
    ...assuranceOf(facts),
  };
}

/** The class that goes with a type (TYP-2). */
function classOf(type: string): string {
  if (type === 'SR') return 'D';
  if (type === 'AR1') return 'F';
  return isCoreReportType(type) ? 'E' : 'S';
}
