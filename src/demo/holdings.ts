import type { Catalog, DemoCompany, DemoPdf, DemoReport } from './catalog.ts';

/** A report, and the id that led to it where a rename retired that one. */
export interface ReportHit {
  readonly report: DemoReport;
  readonly legacyId?: number;
}

/** The catalog, and ways to find its records. Changes go through here, so that what is found stays true. */
export class Holdings {
  readonly companies: readonly DemoCompany[];
  readonly reports: DemoReport[];
  readonly #catalog: Catalog;
  #index: ReturnType<typeof indexed> | undefined;
  /** Of reports whose record has changed since their file was made: the record as it was then. */
  readonly #drawnFrom = new WeakMap<DemoReport, DemoReport>();
  #highestId: number;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
    this.companies = catalog.companies;
    this.reports = catalog.reports.sort(byId);
    this.#highestId = this.reports.reduce((top, each) => Math.max(top, each.report_id, ...each.formerIds), 0);
  }

  /** An id that no report has or had. */
  freshId(): number {
    this.#highestId += 1;
    return this.#highestId;
  }

  /** The report with this id, or the one that a merge or a rename led it to (RID-1). */
  find(id: number): ReportHit | undefined {
    const report = this.#found.ids.get(id);
    return report && (report.renamedIds?.includes(id) ? { report, legacyId: id } : { report });
  }

  /** The report with this key, or the one that a rename led it to (RID-2). */
  findByKey(key: string): DemoReport | undefined {
    return this.#found.keys.get(key);
  }

  isPresent(report: DemoReport): boolean {
    return this.#found.ids.get(report.report_id) === report;
  }

  /** The company with this key, present or former. */
  company(key: string): DemoCompany | undefined {
    return this.#found.companies.get(key);
  }

  companyOf(report: DemoReport): DemoCompany | undefined {
    return this.company(report.company_key);
  }

  reportsOf(company: DemoCompany): readonly DemoReport[] {
    return this.#found.byCompany.get(company) ?? [];
  }

  /** The report's PDF. It changes with the file version alone, whatever becomes of the record. */
  pdf(report: DemoReport): Promise<DemoPdf> {
    return this.#catalog.pdf(this.#drawnFrom.get(report) ?? report);
  }

  /** To be called before a record changes: a copy of it as it is. Both keep the file that the report has now. */
  keep(report: DemoReport): DemoReport {
    const copy = { ...report };
    const source = this.#drawnFrom.get(report) ?? copy;
    this.#drawnFrom.set(report, source).set(copy, source);
    return copy;
  }

  replaceFile(report: DemoReport): void {
    this.#drawnFrom.delete(report);
    report.has_file = true;
    report.fileVersion += 1;
  }

  add(report: DemoReport): void {
    if (this.find(report.report_id)?.report.report_id === report.report_id)
      throw new Error(`Report ${report.report_id} is there already.`);
    this.reports.push(report);
    this.reports.sort(byId);
    this.#highestId = Math.max(this.#highestId, report.report_id);
    this.reindex();
  }

  remove(report: DemoReport): void {
    this.reports.splice(this.reports.indexOf(report), 1);
    this.reindex();
  }

  /** To be called when ids or keys have changed. */
  reindex(): void {
    this.#index = undefined;
  }

  get #found() {
    this.#index ??= indexed(this.companies, this.reports);
    return this.#index;
  }
}

function byId(a: DemoReport, b: DemoReport): number {
  return a.report_id - b.report_id;
}

function indexed(all: readonly DemoCompany[], reports: readonly DemoReport[]) {
  // A present name wins over a former one.
  const companies = new Map([...pairs(all, (each) => each.formerKeys), ...pairs(all, (each) => [each.company_key])]);
  return {
    companies,
    ids: new Map([
      ...pairs(reports, ({ formerIds, renamedIds = [] }) => [...formerIds, ...renamedIds]),
      ...pairs(reports, ({ report_id }) => [report_id]),
    ]),
    keys: new Map([...pairs(reports, (each) => each.formerKeys), ...pairs(reports, (each) => [each.report_key])]),
    byCompany: Map.groupBy(reports, ({ company_key }) => companies.get(company_key)),
  };
}

function pairs<K, T>(records: readonly T[], namesOf: (record: T) => readonly K[]): [K, T][] {
  return records.flatMap((record) => namesOf(record).map((name): [K, T] => [name, record]));
}
