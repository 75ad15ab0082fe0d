import type { Catalog } from '../../../src/demo/catalog.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../demo/tinyCatalog.ts';

/** Reports of the company that makes up the bulk: enough that one of them missing is no reason to ask. */
export const bulk = 20;

/** Two companies that a person could read through, one of them with an undated and a partial report, and one with many. */
export function smallCatalog(): Catalog {
  const companies = ['XTST_ALFA', 'XTST_BETA', 'XTST_MANY'].map((key) => tinyCompany(key));
  const reports = [
    tinyReport(1, 'XTST_ALFA'),
    tinyReport(2, 'XTST_ALFA', { report_type: 'AR1', report_title: 'Report 2' }),
    tinyReport(3, 'XTST_ALFA', {
      report_type: 'CODE',
      report_key: 'XTST_ALFA_0_CODE',
      report_year: 0,
      report_fcyear: null,
      has_file: false,
    }),
    tinyReport(4, 'XTST_BETA', { report_title: 'Report 4', fields: { document_scope: 'extract' } }),
    ...Array.from({ length: bulk }, (_, index) =>
      tinyReport(101 + index, 'XTST_MANY', { report_key: `XTST_MANY_2020_SR_${index + 1}` }),
    ),
  ];
  return tinyCatalog(companies, reports);
}
