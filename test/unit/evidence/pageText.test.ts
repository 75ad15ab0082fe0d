import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { parquetReadObjects } from 'hyparquet';
import { pagesMarkdown, pagesMeant, parquetCode, rowsCode, rowsPlain } from '../../../src/evidence/pageText.ts';
import { pagesParquet } from '../../../src/export/parquet.ts';
import type { PageRow } from '../../../src/text/pages.ts';

const hostile = '=cmd|x "q" \\ </script> $(x) [l](javascript:1) \u202e # h';
const firstRow = { report_key: 'XETR_A_2024_SR', page: 5, label: '2', text: hostile, sha256: 'a'.repeat(64) };
const rows: readonly PageRow[] = [
  firstRow,
  { report_key: 'XETR_A_2024_SR', page: 6, label: null, text: 'Grüße 排出', sha256: 'a'.repeat(64) },
];

describe('the text of pages', () => {
  it('is of the pages that are typed', () => {
    assert.deepEqual(pagesMeant('5', 9), [5]);
    assert.deepEqual(pagesMeant(' 7-9, 1,8 ', 9), [1, 7, 8, 9]);
    assert.deepEqual(pagesMeant('*', 3), [1, 2, 3]);
    for (const typed of ['', '0', '10', '5-3', 'x', '1-', '-2', '1,,2', '1.5', '3-10'])
      assert.equal(pagesMeant(typed, 9), undefined, typed);
  });

  it('becomes rows that Python reads back as they are', () => {
    const code = `${rowsCode(rows, 'python')}import json\nprint(json.dumps(pages))\n`;
    const { stdout, stderr } = spawnSync('python3', ['-'], { input: code, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(stdout), rows, stderr);
    assert.match(rowsCode(rows, 'r'), /^pages <- data\.frame\(\n {2}report_key = c\("XETR.*label = c\("2", NA\)/s);
    assert.match(parquetCode('a "b"/x.parquet', 'python'), /read_parquet\("a \\"b\\"\/x\.parquet"\)/);
  });

  it('is text in every document, whatever a PDF says', () => {
    const markdown = pagesMarkdown(rows, 'reports/A B/x.pdf');
    assert.match(markdown, /^\*\*XETR\\_A\\_2024\\_SR, p\\?\. 2 .*\*\* · \[PDF\]\(reports\/A%20B\/x\.pdf#page=5\)/);
    assert.ok(!markdown.includes('</script>') && !markdown.includes('[l](') && !markdown.includes('\u202e'));
    for (const [text, shown] of [
      ['1. Our strategy', '1\\. Our strategy'],
      ['2) Risks', '2\\) Risks'],
      ['- minus', '\\- minus'],
      ['+ 5 %', '\\+ 5 %'],
      ['2024 report', '2024 report'],
    ] as const)
      assert.ok(pagesMarkdown([{ ...firstRow, text }], 'x.pdf').endsWith(`\n> ${shown}\n`), shown);
    const lines = rowsPlain(rows).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as PageRow).page),
      [5, 6],
    );
  });

  it('becomes a Parquet file', async () => {
    const bytes = pagesParquet(rows);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    assert.deepEqual(await parquetReadObjects({ file }), rows);
  });
});
