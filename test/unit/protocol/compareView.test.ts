import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columns } from '../../../src/api/schemas/fields.ts';
import { type ComparedReport, compareView, inReadingOrder } from '../../../src/protocol/compareView.ts';
import { acrossCompanies, hostileComparison, threeYears } from '../../support/panels/compared.ts';
import { sampleReport } from '../../support/panels/reports.ts';

const rowsOf = (groups: ReturnType<typeof compareView>['different']) => groups.flatMap(({ rows }) => rows);
const listed = (changes: Parameters<typeof sampleReport>[0]): ComparedReport => ({
  report: sampleReport(changes),
  isGone: false,
});

describe('reports side by side', () => {
  it('has every one of the 50 columns and the API-only fields exactly once', () => {
    const view = compareView(threeYears, [], 'en');
    const ids = [...rowsOf(view.different), ...rowsOf(view.same)].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { name } of columns) assert.ok(ids.includes(name), name);
    assert.equal(ids.filter((id) => id.startsWith('api.')).length, 13);
  });

  it('puts apart what differs and what is the same, cell by cell', () => {
    const view = compareView([listed({}), listed({ report_id: 2, report_pages: 9 })], [], 'en');
    assert.deepEqual(
      rowsOf(view.different).map(({ id }) => id),
      ['pages', 'api.report_id'],
    );
    assert.deepEqual(
      rowsOf(view.different)[0]?.cells.map(({ copy }) => copy),
      ['148', '9'],
    );
    assert.ok(rowsOf(view.same).some(({ id }) => id === 'std_gri'));
  });

  it('never takes “no” for “undetermined” (CNV-2)', () => {
    const view = compareView([listed({ standards_gri: false }), listed({ standards_gri: null })], [], 'en');
    const [row] = rowsOf(view.different);
    assert.equal(row?.id, 'std_gri');
    assert.deepEqual(
      row?.cells.map(({ value }) => (value.kind === 'mark' ? value.mark : value.kind)),
      ['no', 'undetermined'],
    );
  });

  it('shows a field that only one report has, as missing in the others', () => {
    const view = compareView([listed({}), listed({ other: { new_field: 'x' } })], [], 'en');
    const row = rowsOf(view.different).find(({ id }) => id === 'other.new_field');
    assert.deepEqual(
      row?.cells.map(({ value }) => value.kind),
      ['missing', 'text'],
    );
  });

  it('orders years of one company by their period, and companies as they were chosen', () => {
    const years = inReadingOrder(threeYears).map(({ report }) => report.fiscal_year_label);
    assert.deepEqual(years, ['2021/22', '2022/23', '2023/24']);
    assert.deepEqual(inReadingOrder(acrossCompanies), acrossCompanies);
    assert.match(compareView(threeYears, [], 'en').title, /^3 reports of Nordwerk Antriebstechnik SE$/);
    assert.equal(compareView(acrossCompanies, [], 'en').title, '3 reports of 3 companies');
  });

  it('never shows a cover year as a fiscal year (RID-3)', () => {
    const compared = [
      listed({ fiscal_year_label: null, report_fcyear: null }),
      listed({ fiscal_year_label: null, report_fcyear: 2023 }),
      listed({}),
    ];
    assert.deepEqual(
      compareView(compared, [], 'en').columns.map(({ fiscalYear }) => fiscalYear),
      ['Cover year 2024', '2023', '2023/24'],
    );
  });

  it('keeps hostile metadata visible, whatever it is', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u202E', '<img>', '](command:x)', '\0'));
    fc.assert(
      fc.property(text, text, fc.dictionary(text, fc.jsonValue()), (title, company, other) => {
        const compared = [listed({ report_title: title, company_name: company, other }), ...hostileComparison];
        const view = compareView(compared.slice(0, 6), [title], 'en');
        const shown = JSON.stringify([view.title, view.columns, view.different, view.same].map(asShown));
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
