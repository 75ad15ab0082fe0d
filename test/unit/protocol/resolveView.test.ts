import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveCsv, resolveMarkdown } from '../../../src/protocol/resolveExport.ts';
import { resolveViewSchema } from '../../../src/protocol/resolveResults.ts';
import { type ResolveEntry, resolveRows } from '../../../src/protocol/resolveView.ts';
import { resolvedSample } from '../../support/panels/resolved.ts';

describe('resolve results', () => {
  it('keeps the input order and tells five outcomes apart (RES-2)', () => {
    const rows = resolveRows(resolvedSample);
    assert.deepEqual(
      rows.map(({ number, status }) => [number, status]),
      [
        [1, 'entitled'],
        [2, 'entitled'],
        [3, 'not-licensed'],
        [4, 'ambiguous'],
        [5, 'unmatched'],
        [6, 'malformed'],
        [7, 'unmatched'],
        [8, 'entitled'],
      ],
    );
    assert.equal(new Set(rows.slice(1, 6).map(({ words }) => words)).size, 5);
    resolveViewSchema.parse({ rows });
  });

  it('gives no details of a company outside the licence, and says that an ISIN is withheld (COM-2)', () => {
    const told = resolvedSample[0]?.result;
    assert.ok(told);
    const [row] = resolveRows([{ query: 'x', problem: null, result: { ...told, entitled: false } }]);
    assert.equal(row?.company, null);
    assert.deepEqual(resolveRows(resolvedSample)[1]?.company?.identifiers[0], {
      name: 'ISIN',
      value: 'withheld',
      isNote: true,
    });
  });

  it('writes CSV that no spreadsheet runs', () => {
    const lines = resolveCsv(resolvedSample).split('\r\n');
    assert.equal(lines.length, resolvedSample.length + 2);
    assert.match(lines[1] ?? '', /^DE000NWK0014,isin,entitled,Nordwerk Antriebstechnik SE,XFRA_NWK,Germany,/);
    assert.equal(lines[7], `"'=HYPERLINK(""http://x"",""y"")",name,unmatched,,,,,,,`);
  });

  it('writes cells that start no formula, and a table of one line a row, for any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const entry: ResolveEntry = { query, result: null, problem: 'odd' };
        const cell = resolveCsv([entry]).slice(resolveCsv([]).length);
        assert.doesNotMatch(cell, /^"?\s*[=+\-@]/);
        assert.equal(resolveMarkdown([entry]).split('\n').length, 4);
      }),
      { numRuns: 3000 },
    );
  });

  it('writes Markdown without markup from the service', () => {
    const markdown = resolveMarkdown(resolvedSample);
    assert.match(markdown, /Nordwerk \\\| \\<b\\>x\\<\/b\\> ⟨U\+202E⟩gnp/);
    assert.match(markdown, /http\\:\/\/x/);
  });
});
