import assert from 'node:assert/strict';
import fc from 'fast-check';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { pack } from '../../../src/library/packing/pack.ts';
import { SharedFacts } from '../../../src/library/packing/sharedFacts.ts';
import { flagAt, flagsMask, packFlags, triStateFields } from '../../../src/library/packing/triStates.ts';
import { unpack } from '../../../src/library/packing/unpack.ts';
import { unpackSummary } from '../../../src/library/packing/unpackSummary.ts';
import { isWorthSharing, type Words } from '../../../src/library/packing/words.ts';
import { summarise } from '../../../src/library/summarise.ts';
import { read, report, wireReport } from './support/wireReports.ts';

class PlainWords implements Words {
  readonly kept: string[] = [''];

  mustHave(text: string): number {
    const at = this.kept.indexOf(text, 1);
    return at > 0 ? at : this.kept.push(text) - 1;
  }

  mayHave(text: string): number | null {
    return this.find(text) ?? (isWorthSharing(text, this.kept.length) ? this.mustHave(text) : null);
  }

  text(id: number): string {
    return this.kept[id] ?? '';
  }

  find(text: string): number | null {
    const at = this.kept.indexOf(text, 1);
    return at > 0 ? at : null;
  }
}

function roundTrip(given: Report): Report {
  const words = new PlainWords();
  const packed = pack(given, words);
  const back = unpack(packed, words);
  const summary = unpackSummary(packed, 'listed', words, { json: '', facts: [] });
  assert.deepEqual(summary, summarise(back, packed.fy, 'listed'), 'a list shows what the whole report says');
  return back;
}

const oddText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '0', '00', '1e3', '2023', '-5', 'NaN', ' 7', 'TRUE', '\0', '\ud800', '__proto__', '2023-12-31'),
);
// JSON has no negative zero, so no service can send one.
const oddJson = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('packing of reports', function () {
  this.timeout(20_000);
  it('gives realistic reports back exactly', () => {
    for (let n = 1; n <= 200; n++) assert.deepEqual(roundTrip(report(n)), report(n));
  });

  it('gives the same fields back, in whatever order they came', () => {
    const given = report(7);
    const back = roundTrip(given);
    assert.deepEqual(Object.keys(back).sort(), Object.keys(given).sort());
    assert.deepEqual(Object.keys(back.metadata), Object.keys(given.metadata));
    const turned = Object.fromEntries(Object.entries(given).reverse()) as unknown as Report;
    assert.deepEqual(roundTrip({ ...turned, report_pages: 9999 }), { ...given, report_pages: 9999 });
  });

  it('notices each single field that differs from its other spelling, whatever it holds instead', () => {
    const wire = wireReport(7);
    const { report_id: _, metadata, ...fields } = wire;
    for (const value of [null, '', 'other', '0', '2023', 0, 7, 1.5, true, false, 'a\ud800', 'TRUE', { deep: 1 }]) {
      for (const name of Object.keys(fields)) {
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

  it('shares the text of facts between reports of a company that say the same, and only those', () => {
    const words = new PlainWords();
    const shared = new SharedFacts();
    const moved = report(2, { company_sector: 'Moved' });
    for (const one of [report(1), report(2), moved, report(3)]) {
      assert.deepEqual(unpack(pack(one, words, shared), words), one);
    }
  });

  it('stores a realistic report in a tenth of its JSON', () => {
    const words = new PlainWords();
    let packed = 0;
    let json = 0;
    for (let n = 1; n <= 100; n++) {
      const { body, extra } = pack(report(n), words);
      packed += body.length + (extra?.length ?? 0);
      json += JSON.stringify(wireReport(n)).length;
    }
    assert.ok(packed < json / 10, `${packed} of ${json}`);
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

  it('gives timestamps and numbers back that only look plain', () => {
    const times = ['2024-01-02T03:04:05Z', '0024-01-02T03:04:05Z', '2024-01-02T03:04:05z', '2024-01-02 03:04:05Z'];
    for (const time of [
      ...times,
      '2024-01-02T03:04:5ZZ',
      '２024-01-02T03:04:05Z',
      '9999-99-99T99:99:99Z',
      '2024-01-02',
    ]) {
      const given = report(7, { created_at: time });
      assert.deepEqual(roundTrip(given), given, time);
    }
    for (const number of [
      '0',
      '00',
      '12',
      '012',
      '1.5',
      '1.50',
      '123456789012345',
      '1234567890123456',
      '-1',
      '１2',
      '1_',
    ]) {
      const wire = wireReport(7);
      const given = read({ ...wire, metadata: { ...(wire.metadata as object), pages: number, year: number } });
      assert.deepEqual(roundTrip(given), given, number);
    }
  });

  it('gives a report without any metadata back', () => {
    const { metadata: _, ...bare } = wireReport(3);
    const given = read(bare);
    assert.deepEqual(roundTrip(given), given);
  });
});

describe('three-valued facts', () => {
  it('keep their three values apart in the flags', () => {
    const values = fc.constantFrom(true, false, null);
    const facts = fc.record(Object.fromEntries(triStateFields.map((field) => [field, values])));
    fc.assert(
      fc.property(facts, (given) => {
        const flags = packFlags(given as Parameters<typeof packFlags>[0]);
        for (const [place, field] of triStateFields.entries()) assert.equal(flagAt(flags, place), given[field]);
        const { mask, value } = flagsMask(given as Parameters<typeof flagsMask>[0]);
        assert.equal((flags & mask) >>> 0, value);
      }),
    );
  });

  it('match a question about one fact only by that fact', () => {
    const { mask, value } = flagsMask({ standards_tcfd: null });
    const flags = packFlags({ ...report(1), standards_tcfd: null });
    assert.equal((flags & mask) >>> 0, value);
    assert.notEqual((packFlags({ ...report(1), standards_tcfd: false }) & mask) >>> 0, value);
  });
});
