import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCompany } from '../../../../src/api/schemas/company.ts';
import { columns } from '../../../../src/api/schemas/fields.ts';
import { type Report, readReport } from '../../../../src/api/schemas/report.ts';
import { wireReport } from '../wire.ts';

function read(raw: Record<string, unknown>): Report {
  // As it comes off the wire, which is where a field named __proto__ becomes possible.
  const reading = readReport(JSON.parse(JSON.stringify(raw)));
  assert.ok(reading.ok);
  return reading.value;
}

function refusal(raw: Record<string, unknown>): string {
  const reading = readReport(raw);
  assert.ok(!reading.ok);
  return reading.reason;
}

const optional = Object.keys(wireReport(1)).filter(
  (name) => !['report_id', 'report_key', 'company_key', 'metadata'].includes(name),
);
const open = ['download_path', 'formats', 'report_hash', 'document_scope', 'report_period'];
const closed = optional.filter((name) => !open.includes(name));

describe('readReport', () => {
  it('reads every documented field as it came', () => {
    const raw = wireReport(7, { requested_legacy_report_id: 3, canonical_report_key: 'XOSL_NEW_2024_SR' });
    const { other, ...report } = read(raw);
    assert.deepEqual(other, {});
    for (const [name, value] of Object.entries(raw)) assert.deepEqual(report[name as keyof typeof report], value, name);
  });

  it('reads whatever is absent as null, and the 50 columns as empty strings', () => {
    const { other, metadata, ...report } = read({ report_id: 1, report_key: 'a', company_key: 'b' });
    assert.deepEqual(other, {});
    assert.deepEqual(
      Object.keys(metadata),
      columns.map(({ name }) => name),
    );
    assert.ok(Object.values(metadata).every((value) => value === ''));
    for (const name of optional) assert.equal(report[name as keyof typeof report], null, name);
  });

  it('reads an empty text as unknown, but for fields whose type is open', () => {
    const empty = { company_name: '', report_title: '', report_fcyear: '', content_sha256: '', document_scope: '' };
    for (const more of [{}, { report_pages: 'many' }]) {
      const reading = readReport(wireReport(1, { ...empty, ...more }));
      assert.ok(reading.ok);
      const { company_name, report_title, report_fcyear, content_sha256, document_scope } = reading.value;
      assert.deepEqual([company_name, report_title, report_fcyear, content_sha256], [null, null, null, null]);
      assert.equal(document_scope, '');
    }
    const company = readCompany({ company_key: 'XOSL_NOR', company_name: '', ticker: '' });
    assert.ok(company.ok);
    assert.deepEqual([company.value.company_name, company.value.ticker], [null, null]);
    assert.equal(readCompany({ company_key: '' }).ok, false);
  });

  it('keeps unknown fields and codes', () => {
    const report = read(wireReport(1, { report_type: 'ZZZZ', report_class: 'Q', water_score: { a: [1] } }));
    assert.equal(report.report_type, 'ZZZZ');
    assert.equal(report.report_class, 'Q');
    assert.deepEqual(report.other, { water_score: { a: [1] } });
  });

  it('loses nothing and never throws, whatever the optional fields hold', () => {
    const wrong = fc.dictionary(fc.constantFrom(...closed), fc.jsonValue({ maxDepth: 2 }));
    const unknown = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 2 }));
    const known = new Set([...Object.keys(wireReport(1)), 'requested_legacy_report_id', 'requested_legacy_report_key']);
    fc.assert(
      fc.property(wrong, unknown, (changes, more) => {
        const additions = Object.entries(more).filter(([name]) => !known.has(name) && !name.startsWith('canonical_'));
        const raw = JSON.parse(JSON.stringify({ ...wireReport(1), ...changes, ...Object.fromEntries(additions) }));
        const report = read(raw) as unknown as Record<string, unknown> & Report;
        for (const name of Object.keys(raw)) {
          if (name === 'metadata') continue;
          const kept = Object.hasOwn(report.other, name) ? report.other[name] : report[name];
          // An empty text says what null says.
          const isEmpty = raw[name] === '' && closed.includes(name);
          assert.deepEqual(kept, isEmpty && kept === null ? null : raw[name], name);
          if (Object.hasOwn(report.other, name) && known.has(name)) assert.equal(report[name], null);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('tells the fields it does not know in each record by itself, however alike the names before were', () => {
    const wire = wireReport(1);
    for (const strange of [{ a: 1 }, { b: 2 }, {}, { b: 3 }, { b: 4, a: 5 }, { a: 6, b: 7 }]) {
      assert.deepEqual(read({ ...wire, ...strange }).other, strange);
      const metadata = { ...(wire.metadata as object), ...strange };
      const { other } = read({ ...wire, metadata });
      assert.deepEqual(other, Object.keys(strange).length === 0 ? {} : { metadata: strange });
    }
  });

  it('does not mind the order of fields', () => {
    const entries = Object.entries(wireReport(1));
    const expected = read(Object.fromEntries(entries));
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: entries.length }), (shuffled) => {
        assert.deepEqual(read(Object.fromEntries(shuffled)), expected);
      }),
      { numRuns: 20 },
    );
  });

  it('refuses a record whose keys are of no use, and says which', () => {
    for (const id of [0, -1, 1.5, 2 ** 53, '7', null, undefined, {}]) {
      assert.match(refusal(wireReport(1, { report_id: id })), /report_id/);
    }
    for (const key of ['', null, 5]) {
      assert.match(refusal(wireReport(1, { report_key: key })), /report_key/);
      assert.match(refusal(wireReport(1, { company_key: key })), /company_key/);
    }
  });

  it('takes a year or a two-year string as fiscal year, and keeps anything else aside', () => {
    assert.equal(read(wireReport(1, { report_fcyear: '2018/2019' })).report_fcyear, '2018/2019');
    const odd = read(wireReport(1, { report_fcyear: [2018, 2019] }));
    assert.equal(odd.report_fcyear, null);
    assert.deepEqual(odd.other, { report_fcyear: [2018, 2019] });
  });

  it('writes metadata values as strings, keeping what can not be one', () => {
    const metadata = { year: 2024, std_gri: false, std_tcfd: true, title: null, pages: { n: 3 }, new_column: 'x' };
    const report = read(wireReport(1, { metadata }));
    assert.equal(Object.keys(report.metadata).length, 50);
    const { year, std_gri, std_tcfd, title, pages, isin } = report.metadata;
    assert.deepEqual([year, std_gri, std_tcfd, title, pages, isin], ['2024', 'FALSE', 'TRUE', '', '', '']);
    assert.deepEqual(report.other, { metadata: { pages: { n: 3 }, new_column: 'x' } });
  });

  it('keeps metadata of another kind aside', () => {
    for (const metadata of [[], 'x', 5, false]) {
      const report = read(wireReport(1, { metadata }));
      assert.equal(report.metadata.title, '');
      assert.deepEqual(report.other, { metadata });
    }
    assert.deepEqual(read(wireReport(1, { metadata: null })).other, {});
  });

  it('is not moved by a field named __proto__', () => {
    const text = JSON.stringify(wireReport(1)).replace('{', '{"__proto__":{"report_title":"evil","polluted":1},');
    const reading = readReport(JSON.parse(text));
    assert.ok(reading.ok);
    assert.equal(Object.getPrototypeOf(reading.value), Object.prototype);
    assert.equal(Object.getPrototypeOf(reading.value.other), Object.prototype);
    assert.equal(reading.value.report_title, 'text');
    assert.deepEqual(Object.getOwnPropertyDescriptor(reading.value.other, '__proto__')?.value, {
      report_title: 'evil',
      polluted: 1,
    });
    assert.equal('polluted' in {}, false);
  });
});
