import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { l10n } from '../../../src/base/l10n.ts';
import {
  citedPages,
  pageWords,
  type QuotedPassage,
  quoteCode,
  quoteCsl,
  quoteFootnote,
  quoteMarkdown,
  quotePlain,
} from '../../../src/evidence/forms.ts';
import { evidenceName, maxRecords, parseEvidence } from '../../../src/evidence/record.ts';

const hostile =
  '# 1. [x](javascript:alert(1)) </script><img src=x> $(bug) `code` =cmd|\' \u202eevil *b* www.a.example "q" \\';
const quote = (change: Partial<QuotedPassage> = {}): QuotedPassage => ({
  id: 'abcd1234',
  exact: 'We cut emissions by 12 %.',
  report: {
    id: 1042,
    key: 'XETR_A_2024_SR',
    title: 'Sustainability Report',
    company: 'Aarhorn Pharma AG',
    type: 'Sustainability Report',
    date: [2025, 3],
    fiscalYear: '2024',
    language: 'en',
    pages: 90,
    sha256: null,
  },
  sha256: 'a'.repeat(64),
  page: 3,
  label: 'iii',
  last: null,
  link: 'vscode://report-library.report-library/evidence/abcd1234',
  path: 'reports/A B/x.pdf',
  ...change,
});

describe('a quote in a document', () => {
  it('is a block with its source, its page as printed and as counted, and both links', () => {
    assert.equal(
      quoteMarkdown(quote()),
      [
        '> “We cut emissions by 12 %.”',
        '>',
        '> — Aarhorn Pharma AG, *Sustainability Report*, fiscal year 2024, p. iii (PDF page 3) · [Show quote](vscode://report-library.report-library/evidence/abcd1234) · [PDF](reports/A%20B/x.pdf#page=3)',
      ].join('\n'),
    );
    const undated = quoteMarkdown(quote({ report: { ...quote().report, fiscalYear: null } }));
    assert.match(undated, /Report\*, p\. iii/);
    assert.equal(pageWords(3, '3'), 'p. 3');
    assert.equal(pageWords(3, null), 'p. 3');
    assert.match(quotePlain(quote({ last: { page: 4, label: 'iv' } })), /, pp\. iii–iv \(PDF pages 3–4\)\. vscode:/);
    const pages = (label: string | null, last: string | null) =>
      citedPages({ page: 3, label, last: { page: 4, label: last } });
    assert.equal(pages(null, '4'), 'pp. 3–4');
    assert.match(quoteCsl(quote({ last: { page: 4, label: null } })), /"locator": "iii–4"/);
    assert.equal(pages('iii', null), 'pp. iii–4 (PDF pages 3–4)');
    assert.equal(pages(null, '1'), 'pp. 3–1 (PDF pages 3–4)');
    l10n.speak('de', { 'p. {0} (PDF page {1})': 'S. {0} (PDF-Seite {1})' });
    try {
      assert.equal(pageWords(3, 'iii'), 'S. iii (PDF-Seite 3)');
      assert.match(quotePlain(quote()), /p\. iii \(PDF page 3\)/);
    } finally {
      l10n.speak('en', undefined);
    }
    assert.match(
      quoteFootnote(quote()),
      /^“We cut emissions by 12 %\.”\[\^quote-abcd1234\]\n\n\[\^quote-abcd1234\]: Aarhorn/,
    );
    assert.match(
      quotePlain(quote()),
      /^“We cut emissions by 12 %\.” — Aarhorn.*, XETR_A_2024_SR, p\. iii \(PDF page 3\)\. vscode:/,
    );
  });

  it('stays text, whatever a PDF says', () => {
    const written = quote({ exact: hostile, label: hostile });
    const markdown = quoteMarkdown(written);
    assert.equal(markdown.split('\n').length, 3);
    for (const live of ['<img', '</script', ' [x](', '`code`', '*b*', '\u202e', ' $(bug)', ' www.a'])
      assert.ok(!markdown.includes(live), live);
    assert.ok(!quotePlain(written).includes('\u202e'));
    const [item] = JSON.parse(quoteCsl(written)) as [{ annote: string; locator: string; label: string }];
    assert.equal(item.label, 'page');
    assert.ok(!item.annote.includes('\u202e') && !item.locator.includes('\u202e'));
  });

  it('is whole: a long one is not cut', () => {
    const exact = 'words and '.repeat(400).trim();
    assert.ok(quoteMarkdown(quote({ exact })).includes(exact));
    assert.ok(quotePlain(quote({ exact })).includes(exact));
  });

  it('is code that runs and holds exactly the words', () => {
    const code = quoteCode(quote({ exact: hostile, label: null }), 'python');
    const { stdout, stderr } = spawnSync(
      'python3',
      ['-c', `${code}\nimport json; print(json.dumps([quote["text"], quote["page"], quote["page_label"]]))`],
      { encoding: 'utf8' },
    );
    assert.deepEqual(JSON.parse(stdout || 'null'), [hostile, 3, null], stderr);
    assert.match(quoteCode(quote(), 'r'), /^quote <- list\(\n {2}text = "We cut[^\n]*",\n {2}company = "Aarhorn/);
  });
});

describe('the schema of the evidence file', () => {
  it('is contributed for its name, and allows what the code does', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [own] = contributes.jsonValidation.filter((one: { fileMatch: string }) => one.fileMatch === evidenceName);
    const schema = JSON.parse(readFileSync(own.url, 'utf8'));
    assert.equal(schema.properties.evidence.maxItems, maxRecords);
    const isValid = new Ajv({ allowUnionTypes: true }).compile(schema);
    const region = { page: 1, label: null, rectangles: [[0, 0, 1, 1]] };
    const record = {
      ...{ id: 'abcd', kind: 'table', report_id: 1, report_key: 'K', sha256: 'a'.repeat(64) },
      selector: { type: 'TextQuoteSelector', exact: 'Scope 1', prefix: '', suffix: '' },
      ...{ regions: [region], note: '', created_at: '' },
    };
    for (const [change, isRecord] of [
      [{}, true],
      [{ rectangles: [[-1e6, 0, 1e6, 1]], columns: [1e6], rows: [-1e6] }, true],
      [{ rectangles: [[0, 0, 1e6 + 1, 1]] }, false],
      [{ columns: [1e7] }, false],
      [{ rows: [-1e7] }, false],
      [{ cells: [Array(5000).fill('')] }, true],
      [{ cells: [Array(5001).fill('')] }, false],
      [{ cells: [['x'.repeat(10_001)]] }, false],
      [{ page: 0 }, false],
    ] as const) {
      const written = { version: 1, evidence: [{ ...record, regions: [{ ...region, ...change }] }] };
      assert.equal(isValid(written), isRecord, JSON.stringify(change).slice(0, 80));
      assert.equal(parseEvidence(JSON.stringify(written)).records.length === 1, isRecord);
    }
    const without = { version: 1, evidence: [{ ...record, selector: null }] };
    assert.equal(isValid(without), false);
    assert.equal(parseEvidence(JSON.stringify(without)).records.length, 0);
    assert.deepEqual(schema.definitions.record.required, [
      ...['id', 'kind', 'report_id', 'report_key', 'sha256', 'selector', 'regions', 'note', 'created_at'],
    ]);
  });
});
