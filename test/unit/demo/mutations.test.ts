import assert from 'node:assert/strict';
import { Holdings } from '../../../src/demo/holdings.ts';
import { nextReport } from '../../../src/demo/mutations.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

const now = Date.parse('2026-05-04T03:02:01Z');

function next(...given: readonly Partial<ReturnType<typeof tinyReport>>[]) {
  const company = tinyCompany('XTST_ALFA', { fiscal_year_end_month: 2 });
  const reports = given.map((each, index) => tinyReport(index + 1, 'XTST_ALFA', each));
  return nextReport(new Holdings(tinyCatalog([company], reports)), company, 'SR', now);
}

describe('next report', () => {
  it('follows the latest one of its type by a year', () => {
    const fields = { period_start_date: '2020-03-01', period_end_date: '2021-02-28', fiscal_year_label: '2020/2021' };
    const report = next(
      { report_year: 2020, report_fcyear: 2021, report_title: 'Report 2020/21', fields },
      { report_year: 2019, report_fcyear: 2020 },
      { report_type: 'IR', report_year: 2023, report_fcyear: 2024 },
    );
    assert.deepEqual(
      [report.report_id, report.report_key, report.report_year, report.report_fcyear, report.report_title],
      [4, 'XTST_ALFA_2021_SR', 2021, 2022, 'Report 2021/22'],
    );
    const { period_start_date, period_end_date, fiscal_year_label, report_pubdate_iso, filename } = report.fields;
    assert.deepEqual(
      [period_start_date, period_end_date, fiscal_year_label, report_pubdate_iso, filename],
      ['2021-03-01', '2022-02-28', '2021/2022', '2026-05-04', 'XTST_ALFA_2021_SR.pdf'],
    );
  });

  it('takes a free key', () => {
    const report = next(
      { report_key: 'XTST_ALFA_2020_SR' },
      { report_key: 'XTST_ALFA_2021_SR', report_type: 'IR', report_fcyear: 2000 },
    );
    assert.equal(report.report_key, 'XTST_ALFA_2021_SR_2');
  });
});
