import type { Catalogue, DemoCompany, DemoPdf, DemoReport } from './catalogue.ts';

/** A report, and the retired id or key that led to it. */
export interface FoundReport {
  readonly report: DemoReport;
  readonly legacyId?: number;
  readonly legacyKey?: string;
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
  /** Present reports, ordered by id. */
  readonly #ordered: DemoReport[];
  /** Reports whose record has changed since their file was made, as they were then. */
  readonly #drawnFrom = new WeakMap<DemoReport, DemoReport>();
  #highestId: number;

  constructor(catalogue: Catalogue) {
    this.catalogue = catalogue;
    for (const company of catalogue.companies) this.#indexCompany(company);
    this.#ordered = catalogue.reports.toSorted((a, b) => a.report_id - b.report_id);
    for (const report of this.#ordered) this.#index(report);
    this.#highestId = this.#ordered.reduce((top, each) => Math.max(top, each.report_id, ...each.formerIds), 0);
  }

  get companies(): readonly DemoCompany[] {
    return this.catalogue.companies;
  }

  /** Every present report, ordered by id. */
  get reports(): readonly DemoReport[] {
    return this.#ordered;
  }

  /** An id that no report has or had. */
  freshId(): number {
    this.#highestId += 1;
    return this.#highestId;
  }

  /** The report with this id, or the one that a merge led it to (RID-1). */
  find(id: number): FoundReport | undefined {
    const report = this.#byId.get(id);
    if (report) return { report };
    const survivor = this.#retiredIds.get(id);
    return survivor && this.isPresent(survivor) ? { report: survivor, legacyId: id } : undefined;
  }

  /** The report with this key, or the one that a rename led it to (RID-2). */
  findByKey(key: string): FoundReport | undefined {
    const report = this.#byKey.get(key);
    if (report) return { report };
    const renamed = this.#retiredKeys.get(key);
    return renamed && this.isPresent(renamed) ? { report: renamed, legacyKey: key } : undefined;
  }

  isPresent(report: DemoReport): boolean {
    return this.#byId.get(report.report_id) === report;
  }

  /** The company with this key, present or former. */
  company(key: string): DemoCompany | undefined {
    return this.#companies.get(key) ?? this.#retiredCompanies.get(key);
  }

  companyOf(report: DemoReport): DemoCompany | undefined {
    return this.#companies.get(report.company_key);
  }

  reportsOf(company: DemoCompany): readonly DemoReport[] {
    return this.#byCompany.get(company) ?? [];
  }

  /** The report's PDF. It changes with the file version alone, whatever becomes of the record. */
  pdf(report: DemoReport): Promise<DemoPdf> {
    return this.catalogue.pdf(this.#drawnFrom.get(report) ?? report);
  }

  /** To be called before a record changes without its file. */
  keepFile(report: DemoReport): void {
    if (!this.#drawnFrom.has(report)) this.#drawnFrom.set(report, { ...report });
  }

  /** Replaces the report's file by one drawn from the record as it is now. */
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

  /** Takes `retired` out; its ids and keys lead to `survivor` from now on. */
  merge(retired: DemoReport, survivor: DemoReport): void {
    this.remove(retired);
    survivor.formerIds.push(retired.report_id, ...retired.formerIds);
    survivor.formerKeys.push(retired.report_key, ...retired.formerKeys);
    this.#index(survivor, false);
  }

  rename(report: DemoReport, key: string): void {
    if (this.#byKey.has(key)) throw new Error(`The key ${key} is taken.`);
    this.keepFile(report);
    this.#byKey.delete(report.report_key);
    report.formerKeys.push(report.report_key);
    report.report_key = key;
    this.#index(report, false);
  }

  /** Gives a company and all its reports a new key. */
  renameCompany(company: DemoCompany, key: string): void {
    if (this.#companies.has(key)) throw new Error(`The key ${key} is taken.`);
    const former = company.company_key;
    this.#companies.delete(former);
    company.formerKeys.push(former);
    company.company_key = key;
    this.#indexCompany(company);
    for (const report of this.reportsOf(company)) {
      this.keepFile(report);
      report.company_key = key;
      if (report.report_key.startsWith(`${former}_`)) this.rename(report, key + report.report_key.slice(former.length));
    }
  }

  #indexCompany(company: DemoCompany): void {
    this.#companies.set(company.company_key, company);
    for (const key of company.formerKeys) this.#retiredCompanies.set(key, company);
  }

  #index(report: DemoReport, fresh = true): void {
    this.#byId.set(report.report_id, report);
    this.#byKey.set(report.report_key, report);
    for (const id of report.formerIds) this.#retiredIds.set(id, report);
    for (const key of report.formerKeys) this.#retiredKeys.set(key, report);
    const company = this.companyOf(report);
    if (!fresh || !company) return;
    const siblings = this.#byCompany.get(company);
    if (siblings) siblings.splice(firstAfter(siblings, report.report_id), 0, report);
    else this.#byCompany.set(company, [report]);
  }
}

/** Index of the first report whose id is greater than `id`, in a list ordered by id. */
export function firstAfter(ordered: readonly DemoReport[], id: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] as DemoReport).report_id > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

function drop<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}
