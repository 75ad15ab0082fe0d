import type { ComparedReport } from '../../../src/panels/compare.ts';
import { hostileReport, sampleReport, sparseReport } from './reports.ts';

const listed = (report: ComparedReport['report']): ComparedReport => ({ report, isGone: false });

/** Three years of one company, the middle one withdrawn. */
export const threeYears: readonly ComparedReport[] = [
  listed(sampleReport()),
  {
    report: sampleReport({
      report_id: 100211,
      report_key: 'XFRA_NWK_2022_SR',
      report_title: 'Nachhaltigkeitsbericht 2021/22',
      report_year: 2022,
      report_fcyear: 2022,
      fiscal_year_label: '2021/22',
      period_start_date: '2021-04-01',
      period_end_date: '2022-03-31',
      report_pages: 96,
      report_lang: 'de',
      standards_esrs: null,
      standards_sasb: null,
      standards_gri: true,
      sdg_alignment: '7;13',
      assurance_level: null,
      assurance_standard: null,
      assurance_provider: null,
      assurance_scope: null,
      independent_assurance_report_included: false,
    }),
    isGone: true,
  },
  listed(
    sampleReport({
      report_id: 100345,
      report_key: 'XFRA_NWK_2023_SR',
      report_title: 'Nachhaltigkeitsbericht 2022/23 der Nordwerk Antriebstechnik SE und ihrer Konzerngesellschaften',
      report_year: 2023,
      report_fcyear: 2023,
      fiscal_year_label: '2022/23',
      period_start_date: '2022-04-01',
      period_end_date: '2023-03-31',
      report_pages: 121,
      standards_esrs: false,
    }),
  ),
];

/** Companies that have little in common, one of them with an Arabic name. */
export const acrossCompanies: readonly ComparedReport[] = [
  listed(sampleReport()),
  listed(sparseReport),
  listed(
    sampleReport({
      report_id: 7,
      company_key: 'XSAU_1',
      company_name: 'شركة الطاقة المتجددة',
      report_title: 'تقرير الاستدامة 2024',
      report_lang: 'ar',
    }),
  ),
];

/** Metadata that tries to be more than text, beside metadata that does not. */
export const hostileComparison: readonly ComparedReport[] = [
  listed(hostileReport),
  listed(sampleReport()),
  listed(sparseReport),
  listed(sampleReport({ report_id: 8 })),
  listed(sampleReport({ report_id: 9 })),
  listed(sampleReport({ report_id: 10 })),
];
