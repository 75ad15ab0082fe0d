import type { DemoCompany, DemoReport } from '../../../src/demo/catalog.ts';
import type { Holdings } from '../../../src/demo/holdings.ts';
import { Mutations } from '../../../src/demo/mutations.ts';
import { namedKey } from './keys.ts';

/** What befalls a real catalog beside what the demo does by itself. */
export class EveryMutation extends Mutations {
  /** Another report key, and id if one is given; the former ones lead here (RID-2). Feed: upsert; withdrawn for the id. */
  renameReport(reportId: number, key: string, id = reportId): DemoReport {
    const report = this.toChange(reportId);
    if (id !== reportId) this.state.feed.record('withdrawn', report);
    rename(this.state.holdings, report, key, id);
    return this.touch(report);
  }

  /** Another company key, in every report key of the company too (COM-1). Feed: an upsert for each report. */
  renameCompany(companyKey: string, key: string): DemoCompany {
    const company = this.company(companyKey);
    for (const report of this.state.holdings.reportsOf(company)) this.toChange(report.report_id);
    const former = company.company_key;
    if (this.state.holdings.company(key)?.company_key === key) throw new Error(`The key ${key} is taken.`);
    company.formerKeys.push(former);
    company.company_key = key;
    this.state.holdings.reindex();
    for (const report of [...this.state.holdings.reportsOf(company)]) {
      report.company_key = key;
      if (report.report_key.startsWith(`${former}_`))
        rename(this.state.holdings, report, key + report.report_key.slice(former.length));
    }
    for (const report of this.state.holdings.reportsOf(company)) this.touch(report);
    return company;
  }

  /** Two records become one; the retired id leads to the survivor (RID-1). Feed: upsert and withdrawn. */
  merge(retiredId: number, survivorId: number): DemoReport {
    const retired = this.report(retiredId);
    const survivor = this.toChange(survivorId);
    if (retired === survivor) throw new Error('A report can not be merged with itself.');
    const { holdings } = this.state;
    holdings.remove(retired);
    holdings.remove(survivor);
    survivor.formerIds.push(retired.report_id, ...retired.formerIds);
    survivor.formerKeys.push(retired.report_key, ...retired.formerKeys);
    holdings.add(survivor);
    this.state.feed.record('withdrawn', retired);
    return this.touch(survivor);
  }

  /** A company joins the license of a key. Feed: its reports as upserts, for that license alone (CHG-5). */
  license(companyKey: string, keyLabel = 'full'): void {
    const company = this.company(companyKey);
    const { license } = namedKey(this.state.keys, keyLabel);
    license.companies.add(company);
    for (const report of this.state.holdings.reportsOf(company)) this.state.feed.record('upsert', report, license);
  }

  /** Every report is stamped anew and nothing else changes. Feed: upserts with the hashes they had (CHG-5). */
  maintenance(): void {
    for (const report of this.state.holdings.reports) this.touch(this.toChange(report.report_id));
  }

  /** The report is taken out of the catalog, and the feed says nothing (CHG, rule 7). */
  removeSilently(reportId: number): DemoReport {
    const report = this.report(reportId);
    this.state.holdings.remove(report);
    return report;
  }
}

/** Gives a report a new key, and a new id where one is given; the former ones lead to it. */
export function rename(holdings: Holdings, report: DemoReport, key: string, id = report.report_id): void {
  if (holdings.findByKey(key)?.report_key === key) throw new Error(`The key ${key} is taken.`);
  holdings.remove(report);
  if (id !== report.report_id) report.renamedIds = [...(report.renamedIds ?? []), report.report_id];
  report.formerKeys.push(report.report_key);
  report.report_id = id;
  report.report_key = key;
  holdings.add(report);
}
