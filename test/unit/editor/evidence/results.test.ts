import assert from 'node:assert/strict';
import Papa from 'papaparse';
import * as vscode from 'vscode';
import type { Report } from '../../../../src/api/schemas/report.ts';
import type { CheckedQuote } from '../../../../src/editor/evidence/checkEvidence.ts';
import { quotesAsCsv, summary } from '../../../../src/editor/evidence/checkEvidence.ts';
import type { EvidencePorts } from '../../../../src/editor/evidence/context.ts';
import { evidenceLabel } from '../../../../src/editor/evidence/openEvidence.ts';
import { EvidenceTree } from '../../../../src/editor/evidence/tree.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

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

const { record } = quote('dddd', 'same', '-');
const table: CheckedQuote = {
  root: {} as CheckedQuote['root'],
  record: {
    ...record,
    kind: 'table',
    selector: { type: 'TextQuoteSelector', exact: '2024 =1+1 (5)', prefix: '', suffix: '' },
    regions: [
      {
        page: 3,
        label: 'iii',
        rectangles: [],
        cells: [
          ['', '2024'],
          ['=1+1', '(5)'],
        ],
      },
    ],
  },
  state: 'same',
  page: 3,
};

describe('what a check of quotes and tables found', () => {
  const quotes = [
    quote('aaaa', 'same', '=HYPERLINK("x")'),
    quote('bbbb', 'found', 'a, "b"\u202e'),
    quote('cccc', 'same', 'c'),
  ];

  it('is counted by states', () => {
    assert.equal(summary(quotes), '3 quotes · PDF unchanged: 2 · found in the newer PDF: 1');
    assert.equal(summary([...quotes, table]), '3 quotes, 1 table · PDF unchanged: 3 · found in the newer PDF: 1');
    assert.equal(summary([table, table]), '2 tables · PDF unchanged: 2');
    assert.equal(summary([]), '0 quotes');
  });

  it('is a table that no spreadsheet runs', () => {
    const { data } = Papa.parse<Record<string, string>>(quotesAsCsv([...quotes, table]), {
      header: true,
      skipEmptyLines: true,
    });
    assert.deepEqual(
      data.map(({ id, kind, state, page, found_page }) => [id, kind, state, page, found_page]),
      [
        ['aaaa', 'quote', 'same', '3', ''],
        ['bbbb', 'quote', 'found', '3', '5'],
        ['cccc', 'quote', 'same', '3', ''],
        ['dddd', 'table', 'same', '3', ''],
      ],
    );
    assert.equal(data[0]?.quote, '\'=HYPERLINK("x")');
    assert.equal(data[0]?.note, "'@note");
    assert.equal(data[1]?.quote, 'a, "b"');
    assert.equal(data[3]?.quote, '2024 =1+1 (5)');
    assert.equal(evidenceLabel(table.record), 'Table: 2024 =1+1 (5)');
  });

  it('names the report of each quote in its row, or its key where the library has another one', async () => {
    const rowOf = async (known: Report) => {
      const ports = { report: async () => known } as unknown as EvidencePorts;
      const same = { ...table, root: { uri: vscode.Uri.file('/a'), folder: '', isWorkspace: true } };
      const check = async () => ({ quotes: [same], problems: [] });
      const tree = new EvidenceTree(ports, check, { message: '', visible: false }, async () => {});
      const { description, accessibilityInformation } = await tree.getTreeItem(same);
      tree.dispose();
      return [description, accessibilityInformation?.label];
    };
    const named = sampleReport({
      report_key: 'XETR_A_2024_SR',
      company_name: 'Example AG',
      report_title: 'Sustainability Report',
      fiscal_year_label: '2024',
    });
    assert.deepEqual(await rowOf(named), [
      'p. iii (3) · 2024 =1+1 (5) · @note · Example AG, Sustainability Report, 2024',
      'PDF unchanged, Table: 2024 =1+1 (5), Example AG, Sustainability Report, 2024, p. iii (PDF page 3), @note',
    ]);
    const [description] = await rowOf({ ...named, report_key: 'another' });
    assert.match(String(description), /@note · XETR_A_2024_SR$/);
  });
});
