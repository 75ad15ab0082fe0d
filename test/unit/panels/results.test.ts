import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lookupTable, type ResolveEntry, resolveTable } from '../../../src/panels/lookups.ts';
import { lookupRows, resolveRows } from '../../../src/panels/results.ts';
import { type BlockRow, piecesText } from '../../../src/protocol/blocks.ts';
import { csvTable, markdownTable } from '../../../src/protocol/format/table.ts';
import { lookedUpSample, resolvedSample } from '../../support/panels/resolved.ts';

const cells = (row: BlockRow | undefined) => (row?.cells ?? []).map(piecesText);
const resolveCsv = (entries: readonly ResolveEntry[]) => csvTable(resolveTable(entries));
const resolveMarkdown = (entries: readonly ResolveEntry[]) => markdownTable(resolveTable(entries));

describe('resolve results', () => {
  it('keeps the input order and tells five outcomes apart (RES-2)', () => {
    const rows = resolveRows(resolvedSample);
    assert.deepEqual(
      rows.map(({ place, status }) => [place, status]),
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
    assert.equal(new Set(rows.slice(1, 6).map(({ said }) => said)).size, 5);
  });

  it('is ambiguous where several companies of the library may be meant, and unmatched with one or none', () => {
    const entry = resolvedSample[6];
    assert.ok(entry);
    const candidate = { name: 'Orlestone', text: 'XLON:ORLS' };
    const statuses = [[], [candidate], [candidate, { ...candidate, text: 'XLON:ORLM' }]].map(
      (candidates) => resolveRows([{ ...entry, candidates }])[0]?.status,
    );
    assert.deepEqual(statuses, ['unmatched', 'unmatched', 'ambiguous']);
  });

  it('gives no details of a company outside the license, and says that an ISIN is withheld (COM-2)', () => {
    const told = resolvedSample[0]?.result;
    assert.ok(told);
    const [row] = resolveRows([{ query: 'x', problem: null, result: { ...told, entitled: false } }]);
    assert.deepEqual(cells(row).slice(3), ['', '']);
    assert.match(cells(resolveRows(resolvedSample)[1])[4] ?? '', /^ISIN withheld LEI /);
  });

  it('keeps the kind of what was given after a row was refined, and says what was asked instead', () => {
    const [matched, , , before] = resolvedSample;
    assert.ok(matched && before);
    const refined: ResolveEntry = { ...matched, query: before.query, refined: { text: 'XFRA:NWK', before } };
    const [was, row] = resolveRows([before, refined]);
    assert.equal(cells(row)[1], `${cells(was)[1]} looked up as XFRA:NWK · Undo`);
    assert.equal(row?.status, 'entitled');
    assert.match(resolveCsv([refined]), /\r\nAtlas Group,name,chosen,Nordwerk Antriebstechnik SE,.*,XFRA:NWK\r\n/);
  });

  it('writes CSV that no spreadsheet runs', () => {
    const lines = resolveCsv(resolvedSample).split('\r\n');
    assert.equal(lines.length, resolvedSample.length + 2);
    assert.match(lines[1] ?? '', /^DE000NWK0014,isin,entitled,Nordwerk Antriebstechnik SE,XFRA_NWK,Germany,/);
    assert.equal(lines[7], `"'=HYPERLINK(""http://x"",""y"")",name,unmatched,,,,,,,,`);
  });

  it('writes cells that start no formula, and a table of one line a row, for any query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const entry: ResolveEntry = { query, result: null, problem: 'odd' };
        const cell = resolveCsv([entry]).slice(resolveCsv([]).length);
        assert.doesNotMatch(cell, /^"?\s*(?:[=@]|[+-](?![\d.,]*"?,))/);
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

describe('looked up report keys', () => {
  it('tell found, renamed, missing and malformed apart, in input order (LKP-1, RID-2)', () => {
    const rows = lookupRows(lookedUpSample);
    assert.deepEqual(
      rows.map(({ place, status }) => [place, status]),
      [
        [1, 'found'],
        [2, 'renamed'],
        [3, 'found'],
        [4, 'found'],
        [5, 'not-found'],
        [6, 'malformed'],
      ],
    );
  });

  it('show the old key and the new one of a rename, and what is known here of the report', () => {
    const [, renamed, unknown, gone] = lookupRows(lookedUpSample).map(cells);
    assert.deepEqual(renamed?.slice(1, 3), ['XFRA_OLD_2024_SR', 'Renamed: now XFRA_NWK_2024_SR']);
    assert.match(renamed?.[3] ?? '', /Fiscal year 2024/);
    assert.equal(unknown?.[3], 'XNYS_CDRL_2021_AR1 not on this computer yet');
    assert.equal(gone?.[2], 'Found, withdrawn since');
  });

  it('go to CSV with the id and the present key', () => {
    const lines = csvTable(lookupTable(lookedUpSample)).split('\r\n');
    assert.equal(lines[0], 'query,status,report_id,report_key,title,company_name');
    assert.match(lines[2] ?? '', /^XFRA_OLD_2024_SR,renamed,1,XFRA_NWK_2024_SR,/);
    assert.equal(lines[5], 'XFRA_NWK_1901_SR,not-found,,,,');
  });
});
