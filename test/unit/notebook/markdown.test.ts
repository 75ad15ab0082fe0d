import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  describeReports,
  escapeMarkdown,
  type InsertedReport,
  insertedReport,
  licenseLine,
  markdownCode,
  markdownLinks,
  markdownTarget,
} from '../../../src/notebook/markdown.ts';
import { oddText } from '../../support/languages/oddText.ts';
import { hostileReport, sampleReport, sparseReport } from '../../support/panels/reports.ts';

const report = insertedReport(sampleReport());

describe('the Markdown of a report', () => {
  it('names title, company, type, fiscal year, period, key, hash, day and license', () => {
    assert.equal(
      describeReports([report], '2026-11-21'),
      [
        '### Bewegung mit Maß: Nachhaltigkeitsbericht für das Geschäftsjahr 2023/24',
        '',
        '**Nordwerk Antriebstechnik SE** · Sustainability Report (SR) · fiscal year 2024 (2023/24) · 2023-04-01 to 2024-03-31 · published 2024-05',
        '',
        'Report key `XFRA_NWK_2024_SR`  ',
        'SHA-256 `9f2c1e0b7a64…`<!-- 9f2c1e0b7a645d38c1f09e2ab4d7563810ce94af27b6d1350f8e7ac2946bd013 -->',
        '',
        `*Inserted 2026-11-21. ${licenseLine}*`,
      ].join('\n'),
    );
  });

  it('says so when a report is undated or its hash unknown, and never takes the year of the key for the fiscal year', () => {
    const text = describeReports([insertedReport(sparseReport)], '2026-11-21');
    assert.match(text, /fiscal year undated/);
    assert.match(text, /SHA-256 not published/);
    const late = insertedReport(sampleReport({ report_year: 2025, report_fcyear: 2023, fiscal_year_label: null }));
    assert.match(describeReports([late], '2026-11-21'), /fiscal year 2023 ·/);
  });

  it('keeps a hash that is none within its code', () => {
    const sha256 = `${'a'.repeat(64)} --> <img src=x onerror=alert(1)>`;
    const text = describeReports([{ ...report, sha256 }], '2026-11-21');
    assert.ok(text.includes(`SHA-256 \`${sha256}\``));
    assert.ok(!text.includes('<!--'));
  });

  it('is one table for several', () => {
    const text = describeReports([report, insertedReport(sparseReport)], '2026-11-21');
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    assert.equal(rows.length, 3);
    const columns = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
    assert.deepEqual([...new Set(columns)], [10]);
  });

  it('is a link with a citation in a document, a list for several', () => {
    const link = markdownLinks([{ report, path: '../reports/X (1)/a b#.pdf' }]);
    assert.equal(
      link,
      '[Bewegung mit Maß: Nachhaltigkeitsbericht für das Geschäftsjahr 2023/24](../reports/X%20%281%29/a%20b%23.pdf), Nordwerk Antriebstechnik SE, Sustainability Report (SR), fiscal year 2024 (2023/24), published 2024-05, `XFRA_NWK_2024_SR`',
    );
    const both = markdownLinks([
      { report, path: 'a.pdf' },
      { report, path: null },
    ]).split('\n');
    assert.match(both[0] ?? '', /^- \[/);
    assert.match(both[1] ?? '', /^- \*Bewegung/);
  });
});

/** What is left of Markdown when every escaped character and every code span is taken away, whichever comes first. */
function bare(text: string): string {
  return text.replace(/\\[!-/:-@[-`{-~]|(`+)(?:(?!\1).)+\1/gsu, '').replace(/&(?:amp|lt|gt|#9[26]);/g, '');
}

describe('hostile text in Markdown', () => {
  it('keeps no character that means something', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        const left = bare(escapeMarkdown(text));
        assert.doesNotMatch(left, /[\\`*_{}[\]<>#|~$!@^&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|:\/\/|www\./iu);
      }),
      // An escaped backtick opens no code.
      { examples: [['``']] },
    );
  });

  it('is no formula of Jupyter and no code of knitr', () => {
    const escaped = escapeMarkdown('\\(x\\) \\[y\\] `r system("id")`');
    assert.equal(escaped, '&#92;(x&#92;) &#92;\\[y&#92;\\] &#96;r system("id")&#96;');
    assert.equal(markdownCode('r system("id")'), '` r system("id") `');
    assert.equal(markdownCode('{r} 1 + `r 2`'), '` {r} 1 + ˋr 2ˋ `');
  });

  it('stays within code', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        const code = markdownCode(text);
        const [fence = ''] = /^`+/.exec(code) ?? [];
        assert.ok(code.endsWith(fence));
        const runs = code.slice(fence.length, -fence.length).match(/`+/g) ?? [];
        assert.ok(runs.every((run) => run.length < fence.length) && !code.includes('|') && !code.includes('\n'));
      }),
    );
  });

  it('stays within a target', () => {
    fc.assert(fc.property(oddText, (path) => assert.match(markdownTarget(path), /^[\w.~/%-]*$/)));
  });

  it('adds no line, heading or column', () => {
    const of = (given: InsertedReport) => describeReports([given], '2026-11-21').split('\n').length;
    assert.equal(of(insertedReport(hostileReport)), of(report));
    const odd = fc.record({ title: oddText, company: oddText, type: oddText, report_key: oddText });
    fc.assert(
      fc.property(odd, (texts) => {
        assert.equal(of({ ...report, ...texts }), of(report));
        const rows = describeReports([{ ...report, ...texts }, report], 'd')
          .split('\n')
          .filter((line) => line.startsWith('|'));
        assert.ok(rows.every((row) => row.replace(/\\./g, '').split('|').length === 10));
      }),
    );
  });
});
