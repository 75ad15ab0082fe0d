import assert from 'node:assert/strict';
import { coverageMarks, typeFamilies } from '../../../src/api/schemas/reportTypes.ts';
import {
  type CoverageLook,
  type CoverageView,
  cellState,
  cellWords,
  type FamilyChoice,
  firstLook,
} from '../../../src/protocol/coverage.ts';
import {
  CellReader,
  coverageExport,
  coverageRows,
  coverageSentence,
  coverageText,
  localMark,
} from '../../../src/protocol/coverageRows.ts';

const { file, metadataOnly, gone, split, downloaded, changed } = coverageMarks;
const years = [0, 2020, 2021, 2022, 2023, 2024];

/** Three companies; a line names what stands in a year and family. */
function view(changes: Partial<CoverageView> = {}): CoverageView {
  const made: CoverageView = {
    scope: 'watchlist',
    filterWords: null,
    names: ['Alder', 'Birke', '=Cmd|x'],
    keys: ['X_A', 'X_B', 'X_C'],
    countries: ['Sweden', null, 'Austria'],
    years,
    counts: new Uint8Array(3 * years.length * typeFamilies.length),
    marks: new Uint8Array(3 * years.length * typeFamilies.length),
    pdfs: new Uint8Array(3 * years.length * typeFamilies.length),
    here: new Uint8Array(3 * years.length * typeFamilies.length),
    ...changes,
  };
  const put = (row: number, year: number, family: (typeof typeFamilies)[number], count: number, marks: number) => {
    const at = (row * years.length + years.indexOf(year)) * typeFamilies.length + typeFamilies.indexOf(family);
    made.counts[at] = count;
    made.pdfs[at] = marks & file ? count : 0;
    made.marks[at] = marks;
    if (marks & downloaded) made.here[at] = 1;
  };
  put(0, 2021, 'SR', 1, file);
  put(0, 2022, 'SR', 1, file | split);
  put(0, 2024, 'SR', 1, metadataOnly);
  put(0, 2024, 'AR1', 2, file);
  put(0, 0, 'specialty', 3, file);
  put(1, 2020, 'IR', 1, file | downloaded);
  put(1, 2024, 'SR', 0, gone);
  return made;
}

const look = (changes: Partial<CoverageLook>): CoverageLook => ({ ...firstLook, ...changes });
const keysOf = (changes: Partial<CoverageLook>) =>
  coverageRows(view(), look(changes)).rows.map((row) => view().keys[row]);

describe('a cell of the coverage matrix', () => {
  it('shows the state that matters most', () => {
    const state = (marks: number, pdfs = 1, here = 0) => cellState({ marks, count: 9, pdfs, here });
    assert.equal(state(0), 'none');
    assert.equal(state(gone), 'withdrawn');
    assert.equal(state(gone | metadataOnly), 'metadata');
    assert.equal(state(metadataOnly | file | gone), 'available');
    assert.equal(state(file | downloaded, 1, 1), 'downloaded');
    assert.equal(state(file | downloaded, 5, 5), 'downloaded');
    assert.equal(state(file | downloaded, 5, 3), 'partly');
    assert.equal(state(file | downloaded | changed, 2, 2), 'changed');
  });

  it('says in words what it shows', () => {
    const words = (year: number, count: number, marks: number, here = 0, coveredBySplit = false, pdfs = count) =>
      cellWords(year, { count, pdfs, marks, here, coveredBySplit });
    assert.equal(words(2024, 1, file), '2024: PDF available');
    assert.equal(words(2024, 3, file), '2024: PDF available, 3 reports');
    assert.equal(words(2024, 5, file | downloaded, 3), '2024: Partly downloaded, 3 of 5 downloaded');
    assert.equal(words(2024, 5, file | downloaded, 5), '2024: Downloaded, 5 reports');
    assert.equal(words(2024, 2, file | changed, 1), '2024: Downloaded, newer PDF available, 1 of 2 downloaded');
    assert.equal(words(2019, 1, file | split), '2019: PDF available, two-year report 2019/20 filed under 2019');
    assert.equal(words(1999, 255, metadataOnly | split).includes('1999/00'), true);
    assert.equal(words(0, 0, 0), 'Undated: No report');
    assert.equal(words(2020, 0, 0, 0, true), '2020: covered by the two-year report 2019/20, filed under 2019');
    assert.equal(words(2020, 0, gone, 0, true), '2020: Withdrawn');
  });

  it('is downloaded once every PDF that there is came, whatever has none', () => {
    const words = (count: number, pdfs: number, here: number) =>
      cellWords(2024, { count, pdfs, here, marks: file | metadataOnly | downloaded, coveredBySplit: false });
    assert.equal(words(2, 1, 1), '2024: Downloaded, 2 reports');
    assert.equal(words(3, 2, 1), '2024: Partly downloaded, 1 of 2 downloaded, 3 reports');
    assert.equal(words(255, 255, 1), '2024: Partly downloaded, 1 of 255+ downloaded');
  });

  it('takes a file for changed only with two hashes that differ, and never once it was withdrawn', () => {
    assert.equal(localMark({ isListed: true, sha256: 'a' }, 'a'), downloaded);
    assert.equal(localMark({ isListed: true, sha256: 'b' }, 'a'), changed);
    assert.equal(localMark({ isListed: true, sha256: null }, 'a'), downloaded);
    assert.equal(localMark({ isListed: true, sha256: 'a' }, null), downloaded);
    assert.equal(localMark({ isListed: false, sha256: 'b' }, 'a'), 0);
  });

  it('joins the families of a choice', () => {
    const read = (choice: FamilyChoice) => new CellReader(view(), choice).cell(0, years.indexOf(2024));
    assert.deepEqual(read('all'), { count: 3, pdfs: 2, here: 0, marks: file | metadataOnly, coveredBySplit: false });
    assert.deepEqual(read('sustainability'), {
      count: 1,
      pdfs: 0,
      here: 0,
      marks: metadataOnly,
      coveredBySplit: false,
    });
    assert.deepEqual(read('IR'), { count: 0, pdfs: 0, here: 0, marks: 0, coveredBySplit: false });
  });

  it('is covered by the two-year report of the year before, and by none further off', () => {
    const reader = new CellReader(view(), 'SR');
    assert.equal(reader.cell(0, years.indexOf(2023)).coveredBySplit, true);
    assert.equal(reader.isGap(0, years.indexOf(2023)), false);
    assert.equal(reader.isGap(0, years.indexOf(2020)), true);
    assert.equal(new CellReader(view(), 'IR').isGap(0, years.indexOf(2023)), true);
  });
});

describe('rows of the coverage matrix', () => {
  it('count reports, and the gaps between a company’s first and latest one', () => {
    const { figures } = coverageRows(view(), look({ family: 'SR' }));
    assert.deepEqual(figures(0), { reports: 3, gaps: 0, split: [2022] });
    assert.deepEqual(figures(1), { reports: 0, gaps: 0, split: [] });
    assert.deepEqual(coverageRows(view(), look({})).figures(0), { reports: 8, gaps: 0, split: [2022] });
    assert.deepEqual(coverageRows(view(), look({})).figures(1), { reports: 1, gaps: 0, split: [] });
  });

  it('have the same gaps after a newer year came for another company', () => {
    const families = typeFamilies.length;
    const gaps = (columns: number[], reported: Readonly<Record<number, number>>) => {
      const marks = new Uint8Array(columns.length * families);
      for (const [year, mark] of Object.entries(reported)) marks[columns.indexOf(Number(year)) * families] = mark;
      return new CellReader(
        { years: columns, counts: marks.map(Math.sign), pdfs: marks, marks, here: new Uint8Array(marks.length) },
        'all',
      ).figures(0).gaps;
    };
    const reported = { 2020: file, 2021: file | split, 2024: file };
    assert.equal(gaps([2019, 2020, 2021, 2022, 2023, 2024], reported), 1);
    assert.equal(gaps([0, 2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026], reported), 1);
    assert.equal(gaps([2020, 2021], {}), 0);
  });

  it('are narrowed to those without a report of the family for a year', () => {
    assert.deepEqual(keysOf({ family: 'SR', gapYear: 2024 }), ['X_B', 'X_C']);
    assert.deepEqual(keysOf({ family: 'SR', gapYear: 2023 }), ['X_B', 'X_C']);
    assert.deepEqual(keysOf({ family: 'all', gapYear: 2020 }), ['X_A', 'X_C']);
    assert.deepEqual(keysOf({ gapYear: 1990 }), ['X_A', 'X_B', 'X_C']);
  });

  it('are sorted both ways, what is not stated last, and by name where they are equal', () => {
    assert.deepEqual(keysOf({ sort: 'name', descending: true }), ['X_C', 'X_B', 'X_A']);
    assert.deepEqual(keysOf({ sort: 'country' }), ['X_C', 'X_A', 'X_B']);
    assert.deepEqual(keysOf({ sort: 'reports', descending: true }), ['X_A', 'X_B', 'X_C']);
    assert.deepEqual(keysOf({ sort: 'gaps', descending: true, family: 'AR2' }), ['X_A', 'X_B', 'X_C']);
  });

  it('are found by name, key and country', () => {
    assert.deepEqual(keysOf({ filter: ' bir' }), ['X_B']);
    assert.deepEqual(keysOf({ filter: 'x_c' }), ['X_C']);
    assert.deepEqual(keysOf({ filter: 'swed' }), ['X_A']);
    assert.deepEqual(keysOf({ filter: 'zzz' }), []);
  });
});

describe('an export of the coverage matrix', () => {
  it('holds what is shown, in its order, and nothing that a spreadsheet runs', () => {
    const csv = coverageExport(view(), look({ sort: 'name', descending: true }), 'csv');
    assert.deepEqual(csv.split('\r\n'), [
      'company,company_key,country,reports,gaps,2020,2021,2022,2023,2024,two-year,undated',
      '"\'=Cmd|x",X_C,Austria,0,0,,,,,,,',
      'Birke,X_B,,1,0,downloaded,,,,withdrawn,,',
      'Alder,X_A,Sweden,8,0,,available,available,in two-year record,2 available,2022/23,3 available',
      '',
    ]);
  });

  it('counts PDFs as the grid does, and says withdrawn where a two-year report covers the year too', () => {
    const cells = view();
    const put = (year: number, count: number, pdfs: number, here: number, marks: number) => {
      const at = years.indexOf(year) * typeFamilies.length;
      [cells.counts[at], cells.pdfs[at], cells.here[at], cells.marks[at]] = [count, pdfs, here, marks];
    };
    put(2020, 2, 1, 1, file | metadataOnly | downloaded);
    put(2021, 3, 2, 1, file | metadataOnly | downloaded);
    put(2023, 0, 0, 0, gone);
    const [, alder] = coverageExport(cells, look({ family: 'SR' }), 'csv').split('\r\n');
    assert.match(alder ?? '', /,downloaded,1 of 2 downloaded,available,withdrawn,metadata only,2022\/23,$/);
  });

  it('is a Markdown table with no live markup', () => {
    const hostile = view({ names: ['[x](command:quit)', '<b>', 'a|b'] });
    const markdown = coverageExport(hostile, look({}), 'markdown');
    assert.match(markdown, /\\\[x\\\]\(command:quit\)/);
    assert.match(markdown, /\| \\<b\\> \|/);
    assert.match(markdown, /\| a\\\|b \|/);
  });

  it('says above the table what it is about', () => {
    const filtered = view({ scope: 'filter', filterWords: 'SR · 2024' });
    const text = coverageText(filtered, look({ family: 'SR', gapYear: 2024 }));
    assert.match(text, /^# Coverage\n\nReports filter: SR · 2024\nSustainability Report \(SR\)\n/);
    assert.match(text, /2 of 3 companies without a sustainability report for 2024/);
    assert.equal(coverageSentence(view(), look({}), 3, 3), '3 companies');
  });
});
