import { createHash } from 'node:crypto';
import type { Catalog, DemoReport } from '../catalog.ts';
import { drawReport } from '../pdf/report.ts';
import { type CompanyProfile, demoCompanies, licensedCompanies } from './companies.ts';
import { makeReport, planReports } from './reports.ts';

/** Report ids of licensed companies begin here, and those of others above. */
const firstId = 10_001;
const firstOutsideId = 1_000_001;
/** Every so many reports one has taken over the id of a record that was merged into it (RID-1). */
const mergeEvery = 37;

/** Makes the catalog of the demo's companies, the same each time. Reports come in the order of their ids. */
export function createCatalog(profiles: readonly CompanyProfile[] = demoCompanies): Catalog {
  const companies = profiles.map(({ company }) => structuredClone(company));
  let id = firstId;
  // The service has taken them in year by year, so ids do not run company by company.
  const licensed = planReports(profiles.slice(0, licensedCompanies)).map((planned, index) => {
    const formerIds = index % mergeEvery === 11 ? [id++] : [];
    return makeReport(planned, id++, formerIds);
  });
  id = firstOutsideId;
  const outside = profiles.slice(licensedCompanies).flatMap((profile) => planReports([profile]));
  const reports: DemoReport[] = [...licensed, ...outside.map((planned) => makeReport(planned, id++, []))];
  return {
    companies,
    reports,
    async pdf(report) {
      const key = report.company_key;
      const owner = companies.findIndex(({ company_key, formerKeys }) => [company_key, ...formerKeys].includes(key));
      const profile = profiles[owner];
      if (!profile) throw new RangeError(`Report ${report.report_id} is of no company of this catalog.`);
      const { bytes, pages } = drawReport(report, profile);
      // A page of reports draws hundreds in a row; in between, others get their turn.
      await new Promise((resolve) => setImmediate(resolve));
      return { bytes, pages, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}
