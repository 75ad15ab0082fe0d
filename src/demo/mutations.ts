import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { DemoCompany, DemoReport } from './catalog.ts';
import type { Holdings } from './holdings.ts';
import { seededRandom } from './random.ts';
import { periodOf } from './seed/reports.ts';
import type { DemoState } from './state.ts';

/** What of a report may be changed without a rename or a new file. `fields` are merged into the present ones. */
type ReportChange = Partial<
  Pick<DemoReport, 'report_type' | 'report_year' | 'report_fcyear' | 'report_title' | 'report_lang' | 'fields'>
>;

/** Changes to the catalog, each with what the change feed says of it. Ids and keys must be present ones. */
export class Mutations {
  protected readonly state: DemoState;

  constructor(state: DemoState) {
    this.state = state;
  }

  /** A new report: a company's next one of a type (SR by default), with whatever is given put over it. Feed: upsert. */
  add(companyKey: string, given: Partial<DemoReport> = {}): DemoReport {
    const { holdings, clock } = this.state;
    const report = nextReport(holdings, this.company(companyKey), given.report_type ?? 'SR', clock.now());
    Object.assign(report, given, { fields: { ...report.fields, ...given.fields } });
    holdings.add(report);
    this.state.feed.record('upsert', report);
    return report;
  }

  /** New metadata, same file. Feed: upsert with the same hash. Licenses that lose the report see nothing. */
  change(reportId: number, { fields, ...direct }: ReportChange): DemoReport {
    const report = this.toChange(reportId);
    Object.assign(report, direct, fields && { fields: { ...report.fields, ...fields } });
    return this.touch(report);
  }

  /** A new PDF for a report, or its first one. Feed: upsert with another hash. */
  replacePdf(reportId: number): DemoReport {
    const report = this.toChange(reportId);
    this.state.holdings.replaceFile(report);
    if (!report.fields.filename) report.fields = { ...report.fields, filename: `${report.report_key}.pdf` };
    return this.touch(report);
  }

  withdraw(reportId: number): DemoReport {
    const report = this.report(reportId);
    this.state.holdings.remove(report);
    this.state.feed.record('withdrawn', report);
    return report;
  }

  /** A present report. Throws when there is none with this id. */
  report(reportId: number): DemoReport {
    const found = this.state.holdings.find(reportId)?.report;
    if (found?.report_id !== reportId) throw new Error(`There is no report ${reportId}.`);
    return found;
  }

  /** A company by its present or former key. Throws when there is none. */
  company(companyKey: string): DemoCompany {
    const company = this.state.holdings.company(companyKey);
    if (!company) throw new Error(`There is no company ${companyKey}.`);
    return company;
  }

  /** A present report that is about to change: what the feed has told of it so far stays as it was (CHG-4). */
  protected toChange(reportId: number): DemoReport {
    const report = this.report(reportId);
    this.state.feed.keep(report, this.state.holdings.keep(report));
    return report;
  }

  protected touch(report: DemoReport): DemoReport {
    report.updated_at = new Date(this.state.clock.now()).toISOString();
    this.state.feed.record('upsert', report);
    return report;
  }
}

/** A company's next report of a type: like its latest one, a year later. It is not added to the holdings. */
export function nextReport(holdings: Holdings, company: DemoCompany, type: string, now: number): DemoReport {
  const reports = holdings.reportsOf(company).filter((report) => fiscalYearOf(report) !== null);
  const sameType = reports.filter((report) => report.report_type === type);
  const model = latest(sameType.length > 0 ? sameType : reports);
  const label = model?.fields.fiscal_year_label;
  const stamp = new Date(now).toISOString();
  const modelYear = model && fiscalYearOf(model);
  const fiscalYear = modelYear ? modelYear + 1 : new Date(now).getUTCFullYear() - 1;
  const coverYear = model && modelYear ? model.report_year + (fiscalYear - modelYear) : fiscalYear;
  const key = freeKey(holdings, `${company.company_key}_${coverYear}_${type}`);
  const period = periodOf(fiscalYear, company.fiscal_year_end_month);
  const title =
    model && sameType.length > 0 ? yearLater(model.report_title) : `${company.company_name} ${type} ${coverYear}`;
  return {
    ...{ report_id: holdings.freshId(), report_key: key, formerKeys: [], formerIds: [] },
    ...{ company_key: company.company_key, report_type: type, report_year: coverYear, report_fcyear: fiscalYear },
    ...{ report_title: title, report_lang: model?.report_lang ?? company.languages[0] ?? 'en' },
    ...{ has_file: true, fileVersion: 0, created_at: stamp, updated_at: stamp },
    fields: {
      ...model?.fields,
      filename: `${key}.pdf`,
      fiscal_year_label: typeof label === 'string' ? yearLater(label) : String(fiscalYear),
      period_start_date: period.start,
      period_end_date: period.end,
      report_pubdate: stamp.slice(0, 10),
      report_pubdate_iso: stamp.slice(0, 10),
    },
  };
}

/** The report of the latest fiscal year. */
function latest(reports: readonly DemoReport[]): DemoReport | undefined {
  return reports.toSorted((a, b) => (fiscalYearOf(a) ?? 0) - (fiscalYearOf(b) ?? 0)).at(-1);
}

function freeKey(holdings: Holdings, wanted: string): string {
  let key = wanted;
  for (let copy = 2; holdings.findByKey(key); copy++) key = `${wanted}_${copy}`;
  return key;
}

/** Every year in a text moved on by one: `2021/2022` becomes `2022/2023`, `FY2021-22` becomes `FY2022-23`. */
function yearLater(text: string): string {
  return text.replace(/(\d{4})([-/])(\d{2})(?!\d)|\d{4}/g, (whole, first?: string, mark?: string, second?: string) =>
    first && mark && second
      ? `${Number(first) + 1}${mark}${String((Number(second) + 1) % 100).padStart(2, '0')}`
      : String(Number(whole) + 1),
  );
}

/** What happens, in turn: more comes than goes. */
const kinds = ['add', 'metadata', 'pdf', 'add', 'withdraw', 'metadata', 'add', 'pdf'] as const;

/** Changes the catalog every so many ms until the signal aborts; the first change comes earlier. */
export async function live(state: DemoState, every: number, signal: AbortSignal): Promise<void> {
  const random = seededRandom(1);
  try {
    for (let turn = 0; ; turn++) {
      await state.clock.sleep(turn === 0 ? every / 12 : every, signal);
      changeOnce(kinds[turn % kinds.length] ?? 'add', state, random);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function changeOnce(kind: (typeof kinds)[number], state: DemoState, random: () => number): void {
  const { holdings } = state;
  const mutations = new Mutations(state);
  const among = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (kind === 'add') {
    // Only a company that has not reported on the present year yet brings something new.
    const present = new Date(state.clock.now()).getUTCFullYear();
    const behind = holdings.companies.filter((company) =>
      holdings.reportsOf(company).every((report) => (fiscalYearOf(report) ?? 0) < present),
    );
    const company = among(behind.length > 0 ? behind : holdings.companies);
    const reports = company ? holdings.reportsOf(company) : [];
    // The type that it publishes most.
    const types = [...Map.groupBy(reports, ({ report_type }) => report_type)];
    const [usual = 'SR'] = types.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    if (company) mutations.add(company.company_key, { report_type: usual });
    return;
  }
  const report = among(kind === 'pdf' ? holdings.reports.filter(({ has_file }) => has_file) : holdings.reports);
  if (!report) return;
  const { report_id, fields } = report;
  if (kind === 'pdf') mutations.replacePdf(report_id);
  else if (kind === 'withdraw') mutations.withdraw(report_id);
  else mutations.change(report_id, { fields: { has_materiality_matrix: fields.has_materiality_matrix !== true } });
}
