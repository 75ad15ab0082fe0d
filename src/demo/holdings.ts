import type { Catalogue, DemoCompany, DemoPdf, DemoReport } from './catalogue.ts';

/** A report, and the id that led to it where a rename retired that one. */
export interface ReportHit {
  readonly report: DemoReport;
  readonly legacyId?: number;
}

/** The catalogue with its indexes. Changes go through here, so that the indexes stay true. */
export class Holdings {
  readonly catalogue: Catalogue;
  readonly #byId = new Map<number, DemoReport>();
  readonly #byKey = new Map<string, DemoReport>();
  readonly #retiredIds = new Map<number, DemoReport>();
  readonly #retiredKeys = new Map<string, DemoReport>();
  readonly #companies = new Map<string, DemoCompany>();
  readonly #retiredCompanies = new Map<string, DemoCompany>();
  readonly #byCompany = new Map<DemoCompany, DemoReport[]>();
  readonly #ordered: DemoReport[];
  /** Of reports whose record has changed since their file was made: the record as it was then. */
  readonly #drawnFrom = new WeakMap<DemoReport, DemoReport>();
  #highestId: number;

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
    for (const company of catalogue.companies) this.indexCompany(company);
    this.#ordered = catalogue.reports.toSorted((a, b) => a.report_id - b.report_id);
    for (const report of this.#ordered) this.#index(report);
    this.#highestId = this.#ordered.reduce((top, each) => Math.max(top, each.report_id, ...each.formerIds), 0);
  }

  get companies(): readonly DemoCompany[] {
    return this.catalogue.companies;
  }

  get reports(): readonly DemoReport[] {
    return this.#ordered;
  }

  /** An id that no report has or had. */
  freshId(): number {
    this.#highestId += 1;
    return this.#highestId;
  }

  /** The report with this id, or the one that a merge or a rename led it to (RID-1). */
  find(id: number): ReportHit | undefined {
    const report = this.#byId.get(id);
    if (report) return { report };
    const survivor = this.#retiredIds.get(id);
    if (!survivor || !this.isPresent(survivor)) return undefined;
    return survivor.renamedIds?.includes(id) ? { report: survivor, legacyId: id } : { report: survivor };
  }

  /** The report with this key, or the one that a rename led it to (RID-2). */
  findByKey(key: string): DemoReport | undefined {
    const report = this.#byKey.get(key) ?? this.#retiredKeys.get(key);
    return report && this.isPresent(report) ? report : undefined;
  }

  isPresent(report: DemoReport): boolean {
    return this.#byId.get(report.report_id) === report;
  }

  /** The company with this key, present or former. */
  company(key: string): DemoCompany | undefined {
    return this.#companies.get(key) ?? this.#retiredCompanies.get(key);
  }

  companyOf(report: DemoReport): DemoCompany | undefined {
    return this.company(report.company_key);
  }

  reportsOf(company: DemoCompany): readonly DemoReport[] {
    return this.#byCompany.get(company) ?? [];
  }

  /** The report's PDF. It changes with the file version alone, whatever becomes of the record. */
  pdf(report: DemoReport): Promise<DemoPdf> {
    return this.catalogue.pdf(this.#drawnFrom.get(report) ?? report);
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
    if (this.#byId.has(report.report_id)) throw new Error(`Report ${report.report_id} is there already.`);
    this.catalogue.reports.push(report);
    this.#ordered.splice(firstAfter(this.#ordered, report.report_id), 0, report);
    this.#highestId = Math.max(this.#highestId, report.report_id);
    this.#index(report);
  }

  remove(report: DemoReport): void {
    drop(this.catalogue.reports, report);
    drop(this.#ordered, report);
    this.#byId.delete(report.report_id);
    this.#byKey.delete(report.report_key);
    const company = this.companyOf(report);
    if (company) drop(this.#byCompany.get(company) ?? [], report);
  }

  /** Finds a company by its present key and its former ones. To be called again when they change. */
  indexCompany(company: DemoCompany): void {
    this.#companies.set(company.company_key, company);
    for (const key of company.formerKeys) this.#retiredCompanies.set(key, company);
  }

  #index(report: DemoReport): void {
    this.#byId.set(report.report_id, report);
    this.#byKey.set(report.report_key, report);
    for (const id of [...report.formerIds, ...(report.renamedIds ?? [])]) this.#retiredIds.set(id, report);
    for (const key of report.formerKeys) this.#retiredKeys.set(key, report);
    const company = this.companyOf(report);
    if (!company) return;
    const siblings = this.#byCompany.get(company);
    if (siblings) siblings.splice(firstAfter(siblings, report.report_id), 0, report);
    else this.#byCompany.set(company, [report]);
  }
}

/** Index of the first report whose id is greater than `id`, in a list ordered by id. */
export function firstAfter(ordered: readonly DemoReport[], id: number): number {
  return ordered.findLastIndex(({ report_id }) => report_id <= id) + 1;
}

function drop<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
