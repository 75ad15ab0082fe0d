import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columns } from '../../../src/api/schemas/fields.ts';
import { type ComparedReport, compareBlocks, comparisonTitle, inReadingOrder } from '../../../src/panels/compare.ts';
import { type BlockGroup, piecesText } from '../../../src/protocol/blocks.ts';
import { blockOf, cellsOf, copyIn, rowOf } from '../../support/panels/blocks.ts';
import { acrossCompanies, hostileComparison, threeYears } from '../../support/panels/compared.ts';
import { sampleReport } from '../../support/panels/reports.ts';

const sheet = (compared: readonly ComparedReport[]) => blockOf(compareBlocks(compared, [], 'en'), 'comparison');
const ids = (groups: readonly BlockGroup[]) => groups.flatMap(({ rows }) => rows.map(({ id }) => id));
const listed = (changes: Parameters<typeof sampleReport>[0]): ComparedReport => ({
  report: sampleReport(changes),
  isGone: false,
});

describe('reports side by side', () => {
  it('has every one of the 50 columns and the API-only fields exactly once', () => {
    const { different, same } = sheet(threeYears);
    const all = ids([...different, ...same]);
    assert.equal(new Set(all).size, all.length);
    for (const { name } of columns) assert.ok(all.includes(name), name);
    assert.equal(all.filter((id) => id.startsWith('api.')).length, 13);
  });

  it('puts apart what differs and what is the same, cell by cell', () => {
    const { different, same } = sheet([listed({}), listed({ report_id: 2, report_pages: 9 })]);
    assert.deepEqual(ids(different), ['pages', 'api.report_id']);
    assert.deepEqual(different[0]?.rows[0]?.cells.slice(1).map(copyIn), ['148', '9']);
    assert.ok(ids(same).includes('std_gri'));
  });

  it('never takes “no” for “undetermined” (CNV-2)', () => {
    const compared = [listed({ standards_gri: false }), listed({ standards_gri: null })];
    assert.deepEqual(ids(sheet(compared).different), ['std_gri']);
    const [, no, unsure] = rowOf(compareBlocks(compared, [], 'en'), 'std_gri').cells;
    assert.match(JSON.stringify(no), /"icon":"circle-slash"/);
    assert.match(JSON.stringify(unsure), /"icon":"question"/);
  });

  it('shows a field that only one report has, as missing in the others', () => {
    const blocks = compareBlocks([listed({}), listed({ other: { new_field: 'x' } })], [], 'en');
    assert.deepEqual(cellsOf(blocks, 'other.new_field'), ['new_field', 'No value', 'x']);
  });

  it('orders years of one company by their period, and companies as they were chosen', () => {
    const years = inReadingOrder(threeYears).map(({ report }) => report.fiscal_year_label);
    assert.deepEqual(years, ['2021/22', '2022/23', '2023/24']);
    assert.deepEqual(inReadingOrder(acrossCompanies), acrossCompanies);
    assert.equal(comparisonTitle(threeYears), '3 reports of Nordwerk Antriebstechnik SE');
    assert.equal(comparisonTitle(acrossCompanies), '3 reports of 3 companies');
  });

  it('never shows a cover year as a fiscal year (RID-3)', () => {
    const compared = [
      listed({ fiscal_year_label: null, report_fcyear: null }),
      listed({ fiscal_year_label: null, report_fcyear: 2023 }),
      listed({}),
    ];
    const heads = sheet(compared).columns.map((head) => piecesText(head.slice(2)).split(' · ')[0]);
    assert.deepEqual(heads, ['Cover year 2024', '2023', '2023/24']);
  });

  it('keeps hostile metadata visible, whatever it is', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u202E', '<img>', '](command:x)', '\0'));
    fc.assert(
      fc.property(text, text, fc.dictionary(text, fc.jsonValue()), (title, company, other) => {
        const compared = [listed({ report_title: title, company_name: company, other }), ...hostileComparison];
        const shown = JSON.stringify(compareBlocks(compared.slice(0, 6), [], 'en').map(asShown));
        assert.doesNotMatch(shown, /[\u202A-\u202E\u2066-\u2069]/);
      }),
      { numRuns: 50 },
    );
  });
});

/** Ids name rows in messages, and what is copied goes into the clipboard as it came: neither is ever shown. */
function asShown(value: unknown): unknown {
  const shown = (key: string, inner: unknown) => (key === 'id' || key === 'copy' ? undefined : inner);
  return JSON.parse(JSON.stringify(value, shown) ?? 'null');
}
