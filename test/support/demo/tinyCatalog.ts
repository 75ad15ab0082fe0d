import { createHash } from 'node:crypto';
import type { Catalog, DemoCompany, DemoReport } from '../../../src/demo/catalog.ts';

/** A company with plain values for whatever is not given. */
export function tinyCompany(key: string, given: Partial<DemoCompany> = {}): DemoCompany {
  const [mic = '', ticker = ''] = key.split('_');
  return {
    ...{ company_key: key, formerKeys: [], company_name: `${ticker} Works`, aliases: [], ticker, mic },
    ...{ isin: `XX00000${ticker.padEnd(4, '0')}0`, isinWithheld: false, lei: `LEI-${ticker}`, figi: `FIGI-${ticker}` },
    ...{ cik: null, fiscal_year_end_month: 12, exchange: `Exchange ${mic}`, country: 'Freedonia' },
    ...{ sector: 'Industry', industry: 'Machines', nace_code: '28', naics_code: '333', languages: ['en'] },
    ...given,
  };
}

/** A report of fiscal year 2020 with plain values for whatever is not given. */
export function tinyReport(id: number, companyKey: string, given: Partial<DemoReport> = {}): DemoReport {
  return {
    report_id: id,
    report_key: `${companyKey}_${given.report_year ?? 2020}_${given.report_type ?? 'SR'}`,
    ...{ formerKeys: [], formerIds: [], company_key: companyKey, report_type: 'SR', report_lang: 'en' },
    ...{ report_year: 2020, report_fcyear: 2020, report_title: `Report ${id}`, has_file: true, fileVersion: 0 },
    ...{ created_at: '2021-01-01T00:00:00Z', updated_at: '2021-01-01T00:00:00Z' },
    ...given,
    fields: { report_class: 'D', filename: `${id}.pdf`, document_scope: 'full', ...given.fields },
  };
}

/** A catalog of just these records. Its PDFs are a few bytes, made from id, title and file version. */
export function tinyCatalog(companies: DemoCompany[], reports: DemoReport[]): Catalog {
  return {
    companies,
    reports,
    pdf(report) {
      const text = `%PDF-1.4\n${report.report_id} ${report.report_title} v${report.fileVersion}\n%%EOF`;
      const bytes = new TextEncoder().encode(text);
      return Promise.resolve({ bytes, pages: 1, sha256: createHash('sha256').update(bytes).digest('hex') });
    },
  };
}

/** Two companies, the second outside every license, and `count` reports of the first, ids from 1. */
export function plainCatalog(count: number): Catalog {
  const reports = Array.from({ length: count }, (_, index) =>
    tinyReport(index + 1, 'XTST_ALFA', { report_key: `XTST_ALFA_2020_SR_${index + 1}` }),
  );
  return tinyCatalog(
    [tinyCompany('XTST_ALFA'), tinyCompany('XTST_OMEG')],
    [...reports, tinyReport(9_000, 'XTST_OMEG')],
  );
}

/** The company of {@link plainCatalog} that no license holds. */
export const outsideCompany = 'XTST_OMEG';
