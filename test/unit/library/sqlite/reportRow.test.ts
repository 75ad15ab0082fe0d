import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columns } from '../../../../src/api/schemas/fields.ts';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { triStateFields } from '../../../../src/library/reportQuery.ts';
import {
  decodeMetadata,
  decodeReport,
  encodeReport,
  filterColumns,
  flagsMask,
  summaryOf,
} from '../../../../src/library/sqlite/reportRow.ts';
import { read, report, wireReport } from '../support/wireReports.ts';

function roundTrip(given: Report): Report {
  const body = encodeReport(given);
  const back = decodeReport(given.report_id, body);
  const { title, ...summary } = summaryOf([given.report_id, 2024, 0, body]);
  assert.deepEqual(decodeMetadata(body), given.metadata);
  // A list shows what the whole report says.
  assert.equal(title, given.metadata.title || given.report_title);
  for (const [name, field] of shown) assert.deepEqual(summary[name], given[field], name);
  return back;
}

const shown = [
  ['report_key', 'report_key'],
  ['company_key', 'company_key'],
  ['company_name', 'company_name'],
  ['type', 'report_type'],
  ['class', 'report_class'],
  ['fiscal_year_label', 'fiscal_year_label'],
  ['year', 'report_year'],
  ['language', 'report_lang'],
  ['pages', 'report_pages'],
  ['filesize', 'report_filesize'],
  ['published', 'report_pubdate_iso'],
  ['period_end', 'period_end_date'],
  ['has_file', 'has_file'],
  ['sha256', 'content_sha256'],
] as const;

const oddText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '0', '00', '1e3', '2023', '-5', 'NaN', ' 7', 'TRUE', '\0', '\ud800', '__proto__', '2023-12-31'),
);
// JSON has no negative zero, so no service can send one.
const oddJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('a stored report', function () {
  this.timeout(20_000);
  it('gives realistic reports back exactly', () => {
    for (let n = 1; n <= 200; n++) assert.deepEqual(roundTrip(report(n)), report(n));
  });

  it('notices each single field that differs from its other spelling, whatever it holds instead', () => {
    const wire = wireReport(7);
    const { report_id: _, metadata, ...fields } = wire;
    for (const value of [null, '', 'other', '0', '2023', 0, 7, 1.5, true, false, 'a\ud800', 'TRUE', { deep: 1 }]) {
      for (const name of Object.keys(fields)) {
        // What only says how it was asked for is taken from a report before it is stored.
        if (/^(requested|canonical)_/.test(name)) continue;
        if (['report_key', 'company_key'].includes(name) && (typeof value !== 'string' || value === '')) continue;
        const odd = read({ ...wire, [name]: value });
        assert.deepEqual(roundTrip(odd), odd, `${name}: ${String(value)}`);
      }
      for (const name of Object.keys(metadata as object)) {
        const odd = read({ ...wire, metadata: { ...(metadata as object), [name]: value } });
        assert.deepEqual(roundTrip(odd), odd, `metadata ${name}: ${String(value)}`);
      }
    }
  });

  it('gives back whatever the typed fields hold', () => {
    const names = columns.map(({ apiField }) => apiField);
    const changes = fc.dictionary(fc.constantFrom(...names, 'created_at', 'updated_at'), fc.oneof(oddText, oddJson));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), changes, (n, change) => {
        const given = read({ ...wireReport(n), ...change, company_key: 'K', report_key: 'K_1_SR' });
        assert.deepEqual(roundTrip(given), given);
      }),
      { numRuns: 300 },
    );
  });

  it('gives back whatever the metadata holds', () => {
    const cells = fc.dictionary(fc.constantFrom(...columns.map(({ name }) => name)), oddText);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), cells, (n, change) => {
        const wire = wireReport(n);
        const given = read({ ...wire, metadata: { ...(wire.metadata as object), ...change } });
        assert.deepEqual(roundTrip(given), given);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps fields of open type and fields it does not know', () => {
    const open = fc.record({
      formats: oddJson,
      document_scope: oddJson,
      report_period: oddJson,
      download_path: oddJson,
      report_hash: oddJson,
    });
    fc.assert(
      fc.property(open, fc.dictionary(fc.string({ maxLength: 8 }), oddJson), (fields, unknown) => {
        const wire = wireReport(7);
        const given = read({ ...unknown, ...wire, ...fields });
        assert.deepEqual(roundTrip(given), given);
      }),
      { numRuns: 200 },
    );
  });

  it('gives a report without any metadata back', () => {
    const { metadata: _, ...bare } = wireReport(3);
    const given = read(bare);
    assert.deepEqual(roundTrip(given), given);
  });
});

describe('three-valued facts', () => {
  it('leave room below what a number holds exactly', () => assert.ok(triStateFields.length <= 26));

  it('are found by a question about each value, and by no other', () => {
    const values = fc.constantFrom(true, false, null);
    const facts = fc.record(Object.fromEntries(triStateFields.map((field) => [field, values])));
    fc.assert(
      fc.property(facts, fc.constantFrom(...triStateFields), values, (given, field, asked) => {
        const { flags } = filterColumns({ ...report(1), ...given });
        const { mask, value } = flagsMask({ [field]: asked });
        // As SQLite does it, on 64 bits.
        assert.equal(Number(BigInt(flags) & BigInt(mask)) === value, given[field] === asked);
      }),
    );
  });
});

describe('what filters ask of a report', () => {
  it('is empty where the report does not say, and holds each of two languages by itself', () => {
    const bare = { report_type: null, report_lang: null, assurance_level: null, report_fcyear: null, report_year: 0 };
    const { fy, type, lang, level } = filterColumns(report(1, bare));
    assert.deepEqual({ fy, type, lang, level }, { fy: 0, type: '', lang: '', level: '' });
    assert.equal(filterColumns(report(1, { report_lang: 'de / SV' })).lang, ',de,sv,');
  });

  it('tells two-year records apart', () => {
    const [two, one] = ['2018/2019', 2018].map((report_fcyear) => filterColumns(report(1, { report_fcyear })));
    assert.deepEqual([two?.fy, one?.fy], [2018, 2018]);
    assert.equal((two?.flags ?? 0) - (one?.flags ?? 0), 2 ** 52);
  });
});
