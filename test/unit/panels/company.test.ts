import assert from 'node:assert/strict';
import type { Report } from '../../../src/api/schemas/report.ts';
import { type CompanyInput, companyBlocks } from '../../../src/panels/company.ts';
import { blockOf, cellsOf, factsOf, rowOf } from '../../support/panels/blocks.ts';
import { sampleCompanyInput as input, sampleCompany } from '../../support/panels/coverage.ts';
import { sampleReport } from '../../support/panels/reports.ts';

const blocksOf = (changes: Partial<CompanyInput> = {}) => companyBlocks({ ...input, ...changes }, 'en');

/** The panel of one year's reports of one type. */
const ofYear = (changes: readonly Partial<Report>[], here: readonly number[] = []) =>
  blocksOf({
    reports: changes.map((each, index) => ({
      report: sampleReport({ report_id: index + 1, report_type: 'SR', ...each }),
      state: 'listed',
      fiscal_year: 2024,
    })),
    years: [2024],
    downloaded: new Map(here.map((id) => [id, null])),
  });

function cell(blocks: ReturnType<typeof blocksOf>, id: string) {
  const found = blockOf(blocks, 'matrix').rows.flatMap(({ cells }) => cells.filter((each) => each.id === id));
  assert.ok(found[0], id);
  return found[0];
}

describe('a company’s panel', () => {
  const blocks = blocksOf();

  it('says that an ISIN is withheld, and never shows CUSIP or SEDOL', () => {
    assert.equal(factsOf(blocks).ISIN, 'Withheld or unknown; use the LEI or FIGI');
    const american = blocksOf({ company: { ...sampleCompany, country: 'United States' } });
    assert.match(factsOf(american).ISIN ?? '', /^Withheld for US and Canadian issuers/);
    const all = JSON.stringify(blocks).toLowerCase();
    for (const secret of ['123456789', 'b0ybkj7', 'cusip', 'sedol']) assert.equal(all.includes(secret), false);
  });

  for (const [id, words, opens] of [
    ['2016 SR', '2016: No report', null],
    ['2014 SR', '2014: Downloaded', '2014 SR'],
    ['2018 SR', '2018: PDF available, two-year report 2018/19 filed under 2018', '2018 SR'],
    ['2015 AR1', '2015: Withdrawn', '2015 AR1'],
    ['2016 specialty', '2016: Downloaded, newer PDF available, 1 of 3 downloaded', '2016 specialty'],
    ['0 specialty', 'Undated: PDF available', '0 specialty'],
  ] as const)
    it(`says of the cell ${id}: ${words}`, () => {
      const found = cell(blocks, id);
      assert.deepEqual([found.words, found.opens], [words, opens]);
    });

  it('tells metadata without a PDF, and puts undated reports last', () => {
    const listed = blocksOf({ reports: input.reports.map((each) => ({ ...each, state: 'listed' })) });
    assert.equal(cell(listed, '2015 AR1').words, '2015: Metadata only, no PDF');
    assert.equal(blockOf(blocks, 'matrix').columns.at(-1), 'Undated');
  });

  it('counts the PDFs that there are: those at the service, and one here that the service took back', () => {
    const files = [true, false, null].map((has_file) => ({ has_file }));
    assert.equal(cell(ofYear(files, [1]), '2024 SR').words, '2024: Partly downloaded, 1 of 2 downloaded, 3 reports');
    assert.equal(cell(ofYear(files, [1, 2]), '2024 SR').words, '2024: Partly downloaded, 2 of 3 downloaded');
  });

  it('claims no missing report for a year that a two-year report covers', () => {
    const covered = blocksOf({ reports: input.reports.filter(({ fiscal_year }) => fiscal_year !== 2019) });
    assert.deepEqual(
      ['2019 SR', '2019 IR', '2020 SR'].map((id) => cell(covered, id).opens),
      ['2018 SR', null, '2020 SR'],
    );
    const at = 1 + blockOf(covered, 'matrix').columns.indexOf('2019');
    for (const id of ['std_gri', 'assurance_statement'])
      assert.equal(cellsOf(covered, id)[at], 'Covered by the two-year report of the year before');
  });

  it('keeps three answers apart over the years, and a year without a report from all of them', () => {
    const [unsure, no, yes] = ['Undetermined', 'Not applied, according to the report', 'Applied'];
    assert.deepEqual(cellsOf(blocks, 'std_tcfd').slice(1, 7), [unsure, unsure, no, no, no, yes]);
    assert.equal(new Set(cellsOf(blocks, 'std_ungc').slice(1)).size, 1);
    const none = blocksOf({ years: [2013, ...input.years] });
    for (const id of ['std_gri', 'assurance_statement']) assert.equal(cellsOf(none, id)[1], 'No report');
    const looks = [1, 3, 6].map((at) => JSON.stringify(rowOf(blocks, 'std_tcfd').cells[at]));
    assert.equal(new Set(looks).size, 3);
  });

  it('takes yes from any report of a year, and no only where none says yes', () => {
    const of = (...values: (boolean | null)[]) =>
      cellsOf(ofYear(values.map((standards_gri) => ({ standards_gri }))), 'std_gri')[1];
    assert.equal(of(null, false, true), 'Applied');
    assert.equal(of(null, false), 'Not applied, according to the report');
    assert.equal(of(null, null), 'Undetermined');
  });

  it('shows the highest level of assurance, and takes no other words for one of the two', () => {
    const level = (...levels: (string | null)[]) =>
      cellsOf(ofYear(levels.map((assurance_level) => ({ assurance_level }))), 'assurance_level')[1];
    assert.equal(level('limited', 'Reasonable'), 'Reasonable assurance');
    assert.equal(level(null), 'Not stated');
    assert.equal(level('moderate'), 'Other level');
  });

  it('tells a former key', () => {
    const { notices } = blockOf(blocksOf({ askedFor: 'XFRA_\u202EOLD' }), 'notices');
    assert.deepEqual(notices, [{ tone: 'info', text: 'Renamed: XFRA_⟨U+202E⟩OLD is now XFRA_NWK.' }]);
  });

  it('shows hostile words as text', () => {
    const bad = '<b>\u202E\u0000';
    const hostile = blocksOf({ company: { ...sampleCompany, company_name: bad, exchange: bad } });
    const shown = '<b>⟨U+202E⟩⟨U+0000⟩';
    assert.equal(blockOf(hostile, 'title').text, shown);
    assert.equal(factsOf(hostile).Exchange, `${shown} XFRA`);
  });
});
