import type { Catalogue, DemoCompany, DemoReport, SeedOptions } from '../catalogue.ts';
import { handWrittenCompanies } from './companies.ts';
import { generatedProfile } from './generated.ts';
import { PdfStore } from './pdf/store.ts';
import type { PlannedReport } from './plan.ts';
import { planReports } from './plan.ts';
import { KnownPlans } from './plans.ts';
import { makeReport } from './reports.ts';

/** Report ids of the companies written by hand begin here, and those of generated ones above. */
const firstId = 10_001;
const firstGeneratedId = 1_000_001;
const mostCompanies = 50_000;
/** Every so many reports one has taken over the id of a record that was merged into it (RID-1). */
const mergeEvery = 37;

/**
 * Makes the demo catalogue. Reports come in the order of their ids. Making the records takes microseconds each; PDFs
 * are drawn when asked for.
 * @throws RangeError when `companies` is not a whole number from 1 to 50,000.
 */
export function createCatalogue(options: SeedOptions): Catalogue {
  const { companies: count, seed } = options;
  if (!Number.isInteger(count) || count < 1 || count > mostCompanies) {
    throw new RangeError(`A catalogue has 1 to ${mostCompanies} companies, not ${count}.`);
  }
  const profiles = handWrittenCompanies.slice(0, count);
  const companies: DemoCompany[] = profiles.map((profile) => structuredClone(profile.company));
  const reports: DemoReport[] = [];
  const plans = new Map<number, PlannedReport>();

  let id = firstId;
  // The service has taken them in year by year, so ids do not run company by company.
  const byYear = profiles.flatMap(planReports).sort((a, b) => planYear(a) - planYear(b));
  byYear.forEach((planned, index) => {
    const formerIds = index % mergeEvery === 11 ? [id++] : [];
    plans.set(id, planned);
    reports.push(makeReport(planned, id, formerIds, seed));
    id++;
  });

  const firstIds: number[] = [];
  id = firstGeneratedId;
  for (let index = 0; index < count - profiles.length; index++) {
    const profile = generatedProfile(index, seed);
    firstIds.push(id);
    companies.push(profile.company);
    for (const planned of planReports(profile)) reports.push(makeReport(planned, id++, [], seed));
  }
  firstIds.push(id);

  const store = new PdfStore(new KnownPlans(plans, firstIds, companies, profiles, seed));
  return { companies, reports, pdf: (report) => store.pdf(report) };
}

function planYear(planned: PlannedReport): number {
  return planned.fiscalYear ?? (planned.coverYear || 9999);
}
