import assert from 'node:assert/strict';
import Papa from 'papaparse';
import type { CheckedQuote } from '../../../../src/editor/evidence/checkEvidence.ts';
import { summary } from '../../../../src/editor/evidence/checkEvidence.ts';
import { quotesAsCsv } from '../../../../src/editor/evidence/results.ts';

const quote = (id: string, state: CheckedQuote['state'], exact: string): CheckedQuote => ({
  root: {} as CheckedQuote['root'],
  record: {
    id,
    kind: 'quote',
    report_id: 7,
    report_key: 'XETR_A_2024_SR',
    sha256: 'a'.repeat(64),
    selector: { type: 'TextQuoteSelector', exact, prefix: '', suffix: '' },
    regions: [{ page: 3, label: 'iii', rectangles: [] }],
    note: '@note',
    created_at: '2026-11-23T10:00:00Z',
  },
  state,
  page: state === 'found' ? 5 : 3,
});

describe('what a check of quotes found', () => {
  const quotes = [
    quote('aaaa', 'same', '=HYPERLINK("x")'),
    quote('bbbb', 'found', 'a, "b"\u202e'),
    quote('cccc', 'same', 'c'),
  ];

  it('is counted by states', () => {
    assert.equal(summary(quotes), '3 quotes · PDF unchanged: 2 · found in the newer PDF: 1');
  });

  it('is a table that no spreadsheet runs', () => {
    const { data } = Papa.parse<Record<string, string>>(quotesAsCsv(quotes), { header: true, skipEmptyLines: true });
    assert.deepEqual(
      data.map(({ id, state, page, found_page }) => [id, state, page, found_page]),
      [
        ['aaaa', 'same', '3', ''],
        ['bbbb', 'found', '3', '5'],
        ['cccc', 'same', '3', ''],
      ],
    );
    assert.equal(data[0]?.quote, '\'=HYPERLINK("x")');
    assert.equal(data[0]?.note, "'@note");
    assert.equal(data[1]?.quote, 'a, "b"');
  });
});
