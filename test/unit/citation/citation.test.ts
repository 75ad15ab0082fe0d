import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CitedReport, citation, citationForms, citedReport } from '../../../src/citation/citation.ts';
import { oddText } from '../../support/languages/oddText.ts';
import { hostileReport, sampleReport, sparseReport } from '../../support/panels/reports.ts';

const cited = citedReport(sampleReport({ report_title: 'Bewegung & Maß: 100 % {neu}' }));
const sha256 = '9f2c1e0b7a645d38c1f09e2ab4d7563810ce94af27b6d1350f8e7ac2946bd013';

describe('a citation', () => {
  it('is a footnote', () => {
    assert.equal(
      citation('footnote', [cited]),
      'Nordwerk Antriebstechnik SE, “Bewegung & Maß: 100 % {neu}”, Sustainability Report, fiscal year 2023/24, May 2024, 148 pages, XFRA_NWK_2024_SR.',
    );
    assert.equal(
      citation('footnote', [citedReport(sparseReport)]),
      'Cedarline Logistics Inc., “Code of Conduct”, XNYS_CDRL_0_CODE.',
    );
  });

  it('is BibTeX, with a key each and texts escaped for LaTeX', () => {
    const text = citation('bibtex', [cited, cited]);
    assert.match(text, /^@techreport\{XFRA-NWK-2024-SR,\n {2}author = \{\{Nordwerk Antriebstechnik SE\}\},\n/);
    assert.match(text, /title = \{\{Bewegung \\& Maß: 100 \\% \\\{neu\\\}\}\},/);
    assert.match(text, /number = \{XFRA\\_NWK\\_2024\\_SR\},\n {2}year = \{2024\},\n {2}month = \{5\},/);
    assert.match(text, /@techreport\{report-100482,/);
  });

  it('is CSL-JSON, its date as precise as the report’s', () => {
    const [item] = JSON.parse(citation('csl-json', [cited])) as Record<string, unknown>[];
    assert.deepEqual(item?.issued, { 'date-parts': [[2024, 5]] });
    assert.deepEqual([item?.type, item?.language, item?.['number-of-pages']], ['report', 'de', 148]);
    assert.equal(item?.note, `Fiscal year 2023/24. SHA-256 ${sha256}`);
    const [sparse] = JSON.parse(citation('csl-json', [citedReport(sparseReport)])) as Record<string, unknown>[];
    assert.equal(sparse?.issued, undefined);
  });

  it('is RIS, a tag a line', () => {
    const lines = citation('ris', [cited, cited]).split('\r\n');
    assert.deepEqual(lines.slice(0, 3), ['TY  - RPRT', 'ID  - XFRA_NWK_2024_SR', 'AU  - Nordwerk Antriebstechnik SE']);
    assert.equal(lines.filter((line) => line === 'ER  - ').length, 2);
    assert.ok(lines.includes('DA  - 2024/05/'));
  });

  it('takes the cover year where no publication date is stated, and refuses one that is none', () => {
    assert.deepEqual(citedReport(sampleReport({ report_pubdate_iso: null, report_year: 2023 })).date, [2023]);
    assert.deepEqual(citedReport(sampleReport({ report_pubdate_iso: '2024-13-01', report_year: 0 })).date, null);
    assert.deepEqual(citedReport(sampleReport({ report_pubdate_iso: '2024-02-09' })).date, [2024, 2, 9]);
  });

  it('holds hostile text within its entry, in every form', () => {
    const shapes = (reports: readonly CitedReport[]) =>
      citationForms.map((form) => citation(form, reports).split(/\r?\n/).length);
    const odd = fc.record({
      report_title: oddText,
      company_name: oddText,
      report_key: oddText.map((key) => `k${key}`),
    });
    fc.assert(
      fc.property(odd, (texts) => {
        const report = citedReport(sampleReport(texts));
        assert.deepEqual(shapes([report]), shapes([cited]));
        assert.equal(JSON.parse(citation('csl-json', [report])).length, 1);
        const entry = citation('bibtex', [report]);
        assert.doesNotMatch(entry, /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        let depth = 0;
        for (const character of entry.trimEnd().slice(0, -1)) {
          depth += character === '{' ? 1 : character === '}' ? -1 : 0;
          assert.ok(depth >= 0);
        }
        assert.equal(depth, 1);
      }),
    );
    assert.equal(shapes([citedReport(hostileReport)])[0], 1);
  });
});
