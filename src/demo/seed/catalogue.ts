import { createHash } from 'node:crypto';
import type { Catalogue, DemoCompany, DemoPdf, DemoReport } from '../catalogue.ts';
import { drawReport } from '../pdf/report.ts';
import { type CompanyProfile, handWrittenCompanies } from './companies.ts';
import { generatedProfile } from './generated.ts';
import { planReports, planYear } from './plan.ts';
import { makeReport } from './reports.ts';

/** Report ids of the companies written by hand begin here, and those of generated ones above. */
const firstId = 10_001;
const firstGeneratedId = 1_000_001;
const maxCompanies = 50_000;
/** Every so many reports one has taken over the id of a record that was merged into it (RID-1). */
const mergeEvery = 37;

/**
 * Makes the demo catalogue; the same options give the same one. The first 24 companies are written by hand, more are
 * generated. Reports come in the order of their ids. Making the records takes microseconds each; PDFs
 * are drawn when asked for.
 * @throws RangeError when `companies` is not a whole number from 1 to 50,000.
 */
export function createCatalogue({ companies: count, seed }: { companies: number; seed: number }): Catalogue {
  if (!Number.isInteger(count) || count < 1 || count > maxCompanies)
    throw new RangeError(`A catalogue has 1 to ${maxCompanies} companies, not ${count}.`);
  const written = handWrittenCompanies.slice(0, count);
  const profileAt = (index: number) => written[index] ?? generatedProfile(index - written.length, seed);
  const companies: DemoCompany[] = written.map(({ company }) => structuredClone(company));
  const reports: DemoReport[] = [];

  let id = firstId;
  // The service has taken them in year by year, so ids do not run company by company.
  const byYear = written.flatMap(planReports).sort((a, b) => planYear(a) - planYear(b));
  byYear.forEach((planned, index) => {
    const formerIds = index % mergeEvery === 11 ? [id++] : [];
    reports.push(makeReport(planned, id++, formerIds, seed));
  });
  id = firstGeneratedId;
  for (let index = written.length; index < count; index++) {
    const profile = profileAt(index);
    companies.push(profile.company);
    for (const planned of planReports(profile)) reports.push(makeReport(planned, id++, [], seed));
  }
  const indexByKey = new Map(companies.map(({ company_key }, index) => [company_key, index]));
  const profileOf = ({ report_id, company_key: key }: DemoReport): CompanyProfile => {
    const index = indexByKey.get(key) ?? companies.findIndex(({ company_key }) => company_key === key);
    if (index < 0) throw new RangeError(`Report ${report_id} is of no company of this catalogue.`);
    return profileAt(index);
  };
  return { companies, reports, pdf: (report) => draw(report, profileOf) };
}

async function draw(report: DemoReport, profileOf: (report: DemoReport) => CompanyProfile): Promise<DemoPdf> {
  if (!report.has_file) throw new RangeError(`Report ${report.report_id} has no file.`);
  const { bytes, pages } = drawReport(report, profileOf(report));
  // A page of reports draws hundreds in a row; in between, others get their turn.
  await new Promise((resolve) => setImmediate(resolve));
  return { bytes, pages, sha256: createHash('sha256').update(bytes).digest('hex') };
}
