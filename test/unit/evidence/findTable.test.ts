import assert from 'node:assert/strict';
import { checkRecords, type PdfOfReport } from '../../../src/evidence/check.ts';
import { findTable as findIn, joinedPage, movedLines, type TableCells } from '../../../src/evidence/findTable.ts';
import {
  accepted,
  type EvidenceRecord,
  formatEvidence,
  noEvidence,
  parseEvidence,
  type Rectangle,
  type Region,
} from '../../../src/evidence/record.ts';

const findTable = (parts: readonly TableCells[], pages: readonly string[]) => findIn(parts, pages.map(joinedPage));

const cells = [
  ['Emissions', '2023', '2024'],
  ['Scope 1', '39,533', '40,100²'],
  ['Scope 2', '', '(12)'],
];
const page = 'Our emissions Emissions 2023 2024 Scope 1 39,533 40,1002 Scope 2 (12) Some notes';
const other = 'A page about something else with 2023 and 2024';

describe('a table in another version of its PDF', () => {
  it('is found on the page that has all rows', () => {
    assert.deepEqual(findTable([cells], [other, page]), { state: 'found', pages: [2] });
    assert.deepEqual(findTable([cells], [other, page.replace('40,1002', '40,100 2')]), { state: 'found', pages: [2] });
  });

  it('is gone when a figure changed, also to a longer one', () => {
    for (const [was, is] of [
      ['39,533', '39,534'],
      ['39,533', '139,533'],
      ['40,1002', '40,10023'],
      ['(12)', '12'],
      ['39,533', '-39,533'],
    ] as const)
      assert.deepEqual(findTable([cells], [page.replace(was, is)]), { state: 'gone' }, `${was} ${is}`);
  });

  it('asks for a look where it is twice, or its words are in another order', () => {
    assert.deepEqual(findTable([cells], [page, other, page]), { state: 'ambiguous', pages: [1, 3] });
    const mixed = 'Emissions Scope 1 Scope 2 2023 39,533 2024 40,1002 (12)';
    assert.deepEqual(findTable([cells], [mixed]), { state: 'ambiguous', pages: [1] });
    assert.deepEqual(findTable([[['', '']]], [page]), { state: 'ambiguous', pages: [] });
  });

  it('is found where the words of a row are wrapped around its figures', () => {
    const wrapped = [['Greenhouse gases by location', '39,533', '40,100']];
    assert.deepEqual(findTable([wrapped], ['Greenhouse gases 39,533 40,100 by location']), {
      state: 'found',
      pages: [1],
    });
    assert.deepEqual(findTable([wrapped], ['Greenhouse gases 39,533 40,100 by market']), { state: 'gone' });
  });

  it('is not found with its figures at other rows', () => {
    const rows = [
      ['Men', '1,200', '1,300'],
      ['Women', '900', '950'],
    ];
    const swapped = 'Employees Men 900 950 Women 1,200 1,300 end';
    assert.deepEqual(findTable([rows], [swapped]), { state: 'ambiguous', pages: [1] });
    for (const row of [
      ['Men', '1,200', '1,300'],
      ['Women', '9,000'],
    ])
      assert.deepEqual(findTable([[row]], [`${swapped} Men 9,000 Women 8,000`]), { state: 'ambiguous', pages: [1] });
    assert.equal(findTable([rows], ['Men 1,200 1,300 Women 900 950']).state, 'found');
  });

  it('is not found where its figures or words are parts of longer ones', () => {
    const thousands = [
      ['Revenue', '12 500'],
      ['Costs', '8 000'],
    ];
    const longer = 'Revenue 12 500 000 Costs 8 000 000';
    assert.deepEqual(findTable([thousands], [longer]), { state: 'ambiguous', pages: [1] });
    assert.equal(findTable([thousands], ['Revenue 12 500 13 000 Costs 8 000 2023']).state, 'found');
    assert.equal(findTable([[['Scope 1', '500']]], ['Non-Scope 1 500']).state, 'gone');
    assert.equal(findTable([[['Scope 1', '1,500']]], ['Scope 1 1,500th']).state, 'gone');
    assert.notEqual(findTable([[['500', 'tonnes']]], ['Waste 12 500 tonnes']).state, 'found');
    assert.notEqual(findTable([[['500', 'tonnes']]], ['Waste <500 tonnes']).state, 'found');
  });

  it('is checked by its cells, part by part, and accepted with them', async () => {
    const hash = (digit: string) => digit.repeat(64);
    const region = {
      rectangles: [[1, 2, 3, 4]] as [number, number, number, number][],
      columns: [1, 2, 3, 4],
      rows: [4, 3, 2, 1],
    };
    const record: EvidenceRecord = {
      ...{ id: 'table-1', kind: 'table', report_id: 7, report_key: 'K', sha256: hash('a'), selector: null },
      regions: [
        { page: 3, label: '1', cells, ...region },
        { page: 4, label: '2', cells: [['Scope 3', '', '1,234,567']], ...region },
      ],
      ...{ note: '', created_at: '2026-11-23T10:00:00.000Z' },
    };
    assert.deepEqual(parseEvidence(formatEvidence({ ...noEvidence, records: [record] })).records, [record]);
    const check = async (sha256: string, pages: readonly string[]) => {
      const pdf: PdfOfReport = { report_id: 7, sha256, path: 'x' };
      const text = async () => ({ pages: pages.map((text, index) => ({ label: `L${index + 1}`, text })) });
      const [checked] = await checkRecords([record], { here: async () => [pdf], text }, new AbortController().signal);
      assert.ok(checked);
      return checked;
    };
    assert.equal((await check(hash('a'), [])).state, 'same');
    assert.equal((await check(hash('b'), [page])).state, 'gone');
    const found = await check(hash('b'), [other, other, page, other, 'Scope 3 1,234,567']);
    assert.equal(found.state, 'found');
    assert.deepEqual([found.page, found.label], [3, 'L3']);
    const places = [
      { page: 3, label: 'L3' },
      { page: 5, label: 'L5' },
    ];
    assert.deepEqual(found.places, places);
    const next = accepted(record, { sha256: hash('b'), places });
    assert.deepEqual(
      next.regions,
      places.map((place, index) => ({ ...place, rectangles: [], cells: record.regions[index]?.cells })),
    );
    assert.deepEqual(next.former, [{ sha256: hash('a'), regions: record.regions }]);
  });

  it('keeps its lines where all its rows moved as far, and else none', () => {
    const [columns, rows] = [
      [10, 100, 300],
      [400, 380, 300, 280],
    ];
    const region: Region = { page: 3, label: null, rectangles: [[10, 280, 300, 400]], columns, rows, cells };
    const line = (left: number, middle: number): Rectangle => [left, middle - 5, left + 60, middle + 5];
    const found = (...[first, second, last]: readonly Rectangle[][]) =>
      movedLines(region, new Map([first, second, last].map((lines = [], row) => [row, lines])));
    const below = { rectangles: [[10, 230, 300, 350]], columns, rows: [350, 330, 250, 230] };
    // The second row has two lines of text.
    const two = [line(12, 300), line(12, 280)];
    assert.deepEqual(found([line(12, 340), line(240, 340)], two, [line(12, 240)]), below);
    assert.deepEqual(found([line(12, 341)], [], [line(12, 239)]), below);
    assert.equal(found([line(12, 340)], two, [line(12, 200)]), undefined);
    assert.equal(found([line(12, 340)], two, [line(250, 240)]), undefined);
    assert.equal(found([line(12, 340)]), undefined);
    const { columns: _, ...without } = region;
    assert.equal(movedLines(without, new Map([[0, two]])), undefined);
  });
});
