import assert from 'node:assert/strict';
import { coverageMarks } from '../../../src/api/schemas/reportTypes.ts';
import { yearMarkLabel } from '../../../src/protocol/company.ts';
import { companyView } from '../../../src/protocol/companyView.ts';
import { sampleCompanyInput as input, sampleCompany } from '../../support/panels/coverage.ts';
import { sampleReport } from '../../support/panels/reports.ts';

const { file, metadataOnly, gone, split, downloaded, changed } = coverageMarks;
describe('a company’s panel', () => {
  const view = companyView(input, 'en');
  const cell = (family: string, year: number) =>
    view.families.find((each) => each.family === family)?.cells[view.years.indexOf(year)];

  it('says that an ISIN is withheld, and never shows CUSIP or SEDOL', () => {
    const isin = view.facts.find(({ id }) => id === 'isin');
    assert.deepEqual([isin?.text, isin?.note], [null, 'Withheld or unknown; use the LEI or FIGI']);
    const american = companyView({ ...input, company: { ...sampleCompany, country: 'United States' } }, 'en');
    assert.match(american.facts.find(({ id }) => id === 'isin')?.note ?? '', /^Withheld for US and Canadian issuers/);
    const all = JSON.stringify(view);
    for (const secret of ['123456789', 'B0YBKJ7', 'cusip', 'sedol'])
      assert.equal(all.toLowerCase().includes(secret), false);
  });

  it('tells none, metadata only, available, downloaded, changed, withdrawn and two-year apart', () => {
    assert.deepEqual(cell('SR', 2016), { marks: 0, count: 0, pdfs: 0, here: 0, coveredBySplit: false });
    assert.deepEqual(cell('SR', 2014), { marks: file | downloaded, count: 1, pdfs: 1, here: 1, coveredBySplit: false });
    assert.deepEqual(cell('SR', 2018), { marks: file | split, count: 1, pdfs: 1, here: 0, coveredBySplit: false });
    assert.deepEqual(cell('AR1', 2015), { marks: gone, count: 0, pdfs: 0, here: 0, coveredBySplit: false });
    assert.deepEqual(cell('specialty', 2016), {
      marks: file | changed,
      count: 3,
      pdfs: 3,
      here: 1,
      coveredBySplit: false,
    });
    const without = companyView(
      { ...input, reports: input.reports.map((each) => ({ ...each, state: 'listed' })) },
      'en',
    );
    assert.equal(without.families.find(({ family }) => family === 'AR1')?.cells[1]?.marks, metadataOnly);
  });

  it('counts the PDFs that there are: those at the service, and one here that the service took back', () => {
    const pdfsAndHere = (here: readonly number[]) => {
      const reports = [true, false, null].map((has_file, index) => ({
        report: sampleReport({ report_id: index + 1, report_type: 'SR', has_file }),
        state: 'listed' as const,
        fiscal_year: 2024,
      }));
      const made = companyView(
        { ...input, reports, years: [2024], downloaded: new Map(here.map((id) => [id, null])) },
        'en',
      );
      const found = made.families.find(({ family }) => family === 'SR')?.cells[0];
      return [found?.count, found?.pdfs, found?.here];
    };
    assert.deepEqual(pdfsAndHere([1]), [3, 2, 1]);
    assert.deepEqual(pdfsAndHere([1, 2]), [3, 3, 2]);
  });

  it('says that a two-year report covers a year, not what that report states', () => {
    assert.equal(yearMarkLabel('covered'), 'Covered by the two-year report of the year before');
  });

  it('claims no missing report for a year that a two-year report covers', () => {
    const reports = input.reports.filter(({ fiscal_year }) => fiscal_year !== 2019);
    const covered = companyView({ ...input, reports }, 'en');
    const at = covered.years.indexOf(2019);
    const sr = covered.families.find(({ family }) => family === 'SR');
    assert.deepEqual(sr?.cells[at], { marks: 0, count: 0, pdfs: 0, here: 0, coveredBySplit: true });
    assert.equal(covered.families.find(({ family }) => family === 'IR')?.cells[at]?.coveredBySplit, false);
    assert.equal(sr?.cells[at + 1]?.coveredBySplit, false);
    assert.deepEqual([covered.standards[0]?.marks[at], covered.assurance[at]?.statement], ['covered', 'covered']);
  });

  it('puts undated reports after the years', () => {
    assert.equal(view.years.at(-1), 0);
    assert.deepEqual(cell('specialty', 0), { marks: file, count: 1, pdfs: 1, here: 0, coveredBySplit: false });
  });

  it('keeps three answers apart over the years, and a year without a report from all of them', () => {
    const marks = (id: string) => view.standards.find((standard) => standard.id === id)?.marks;
    assert.deepEqual(marks('std_tcfd')?.slice(0, 6), ['undetermined', 'undetermined', 'no', 'no', 'no', 'yes']);
    assert.ok(marks('std_ungc')?.every((mark) => mark === 'undetermined'));
    const none = companyView({ ...input, years: [2013, ...input.years] }, 'en');
    assert.equal(none.standards[0]?.marks[0], 'none');
    assert.equal(none.assurance[0]?.statement, 'none');
  });

  it('takes yes from any report of a year, and no only where none says yes', () => {
    const of = (...values: (boolean | null)[]) => {
      const reports = values.map((standards_gri, index) => ({
        report: sampleReport({ report_id: index + 1, standards_gri }),
        state: 'listed' as const,
        fiscal_year: 2024,
      }));
      return companyView({ ...input, reports, years: [2024] }, 'en').standards[0]?.marks[0];
    };
    assert.equal(of(null, false, true), 'yes');
    assert.equal(of(null, false), 'no');
    assert.equal(of(null, null), 'undetermined');
  });

  it('shows the highest level of assurance, and takes no other words for one of the two', () => {
    const level = (...levels: (string | null)[]) => {
      const reports = levels.map((assurance_level, index) => ({
        report: sampleReport({ report_id: index + 1, assurance_level }),
        state: 'listed' as const,
        fiscal_year: 2024,
      }));
      return companyView({ ...input, reports, years: [2024] }, 'en').assurance[0]?.level;
    };
    assert.equal(level('limited', 'Reasonable'), 'reasonable');
    assert.equal(level(null), null);
    assert.equal(level('moderate'), 'other');
  });

  it('tells a former key', () => {
    const renamed = companyView({ ...input, askedFor: 'XFRA_\u202EOLD' }, 'en');
    assert.deepEqual(renamed.notices, ['Renamed: XFRA_⟨U+202E⟩OLD is now XFRA_NWK.']);
  });

  it('shows hostile words as text', () => {
    const bad = '<b>\u202E\u0000';
    const hostile = companyView({ ...input, company: { ...sampleCompany, company_name: bad, exchange: bad } }, 'en');
    assert.equal(hostile.title, '<b>⟨U+202E⟩⟨U+0000⟩');
    assert.equal(hostile.facts.find(({ id }) => id === 'exchange')?.text, hostile.title);
  });
});
