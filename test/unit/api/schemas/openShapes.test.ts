import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readWatchlistItem } from '../../../../src/api/schemas/company.ts';
import { readLookupResults } from '../../../../src/api/schemas/lookup.ts';
import { readEntitlements, readFrameworks, readHealth, readUsage } from '../../../../src/api/schemas/meta.ts';
import { findFacts } from '../../../../src/api/schemas/open.ts';
import { readProblemDetails } from '../../../../src/api/schemas/problemDetails.ts';
import { readSchemaDictionary } from '../../../../src/api/schemas/schemaDictionary.ts';
import { wireCompany } from '../wire.ts';

describe('findFacts', () => {
  const names = { amount: ['amount', 'count'] };
  const amountIn = (raw: unknown) => findFacts(raw, names, ['data', 'usage']).amount;

  it('reads the first name that occurs, inside a named wrapper before beside it', () => {
    assert.equal(amountIn({ count: 1, amount: 2 }), 2);
    assert.equal(amountIn({ amount: 1, data: { usage: { amount: 2 } } }), 2);
    assert.equal(amountIn({ data: { count: 1 }, amount: 2 }), 2);
  });

  it('finds nothing under other names, in lists, deeper than three objects, or inherited', () => {
    const deep = { data: { data: { data: { data: { amount: 1 } } } } };
    for (const raw of [{ quota: { amount: 1 } }, { data: [{ amount: 1 }] }, deep, [], null, 'amount'])
      assert.equal(amountIn(raw), null, JSON.stringify(raw));
    assert.equal(findFacts({}, { value: ['constructor'] }).value, null);
  });
});

describe('readWatchlistItem', () => {
  const key = 'XOSL_NOR';
  const name = 'Nordlys Energi ASA';

  it('reads a bare key, a company, a nested one and short names alike', () => {
    const cases: [raw: unknown, name: string | null][] = [
      [key, null],
      [wireCompany(key), name],
      [{ company: wireCompany(key), added_at: '2025-01-01' }, name],
      [{ id: 7, company: { id: key, name } }, name],
      [{ key, name }, name],
      [{ company_key: key, company: 'Short', company_name: name }, name],
      [{ id: key, listing: { name: 'Oslo' }, company_name: name }, name],
    ];
    for (const [raw, expected] of cases) {
      const reading = readWatchlistItem(raw);
      assert.ok(reading.ok);
      assert.deepEqual([reading.value.company_key, reading.value.company_name], [key, expected], JSON.stringify(raw));
    }
  });

  it('finds facts in groups, but reads none of another company', () => {
    const parent = { company_key: 'XLON_PAR', isin: 'GB0000000001', figi: 'PARENT' };
    const groups = { identifiers: { isin: 'NO0000000001' }, listing: { mic: 'XOSL' } };
    const reading = readWatchlistItem({ company_key: key, lei: 'LEI', parent, ...groups });
    assert.ok(reading.ok);
    const { isin, lei, figi, mic } = reading.value;
    assert.deepEqual([isin, lei, figi, mic], ['NO0000000001', 'LEI', null, 'XOSL']);
  });

  it('keeps what the item says besides', () => {
    const reading = readWatchlistItem({ company: wireCompany(key, { rank: 1 }), added_at: 'x', report_count: 9 });
    assert.ok(reading.ok);
    assert.deepEqual(reading.value.other, { added_at: 'x', report_count: 9, rank: 1 });
  });

  it('sets aside what names no company', () => {
    for (const raw of [null, 5, [], {}, '', { company: {} }, { company_key: 7 }])
      assert.equal(readWatchlistItem(raw).ok, false, JSON.stringify(raw));
  });
});

describe('readEntitlements', () => {
  it('never reads types in another form as all types', () => {
    const cases: [types: unknown, codes: readonly string[] | null][] = [
      [
        ['SR', { code: 'AR1' }],
        ['SR', '{"code":"AR1"}'],
      ],
      ['SR', ['SR']],
      [{ SR: true }, ['{"SR":true}']],
      [false, ['false']],
      [[], []],
      [null, null],
      [undefined, null],
    ];
    for (const [report_types, codes] of cases) {
      const reading = readEntitlements({ report_types });
      assert.deepEqual(reading.ok && reading.value.report_types, codes, JSON.stringify(report_types));
    }
  });
});

describe('readFrameworks', () => {
  it('reads codes and objects, lists and maps, wrapped or not', () => {
    const gri = { code: 'gri', name: 'GRI Standards' };
    const shapes: unknown[] = [
      [gri, 'tcfd', gri],
      { count: 2, frameworks: [{ id: 'gri', label: 'GRI Standards' }, { key: 'tcfd' }] },
      { data: { frameworks: ['', null, 5, { name: 'No code' }, gri, 'tcfd'] } },
      { gri: 'GRI Standards', tcfd: null },
      { items: { gri: { title: 'GRI Standards' }, tcfd: {} } },
    ];
    for (const raw of shapes)
      assert.deepEqual(readFrameworks(raw), [gri, { code: 'tcfd', name: null }], JSON.stringify(raw));
  });
});

describe('readSchemaDictionary', () => {
  const isin = { column: 'isin', api_field: 'company_isin', type: 'string', description: 'The ISIN.' };
  const level = { ...isin, column: 'level', enum: ['limited', 3] };

  it('reads lists and maps of fields, wrapped or not', () => {
    const { column: _, ...bare } = isin;
    const { column: __, ...bareLevel } = level;
    const map = { isin: bare, level: bareLevel };
    const shapes: unknown[] = [
      [isin, level, isin],
      { version: 'V3', fields: [isin, level] },
      { data: { columns: map } },
      map,
      { properties: map },
    ];
    const facts = { apiField: 'company_isin', type: 'string', meaning: 'The ISIN.' };
    for (const raw of shapes)
      assert.deepEqual(
        readSchemaDictionary(raw).fields,
        [
          { column: 'isin', ...facts, values: null },
          { column: 'level', ...facts, values: ['limited', '3'] },
        ],
        JSON.stringify(raw),
      );
  });

  it('leaves out what names no column', () => {
    const fields = readSchemaDictionary([{ name: 'isin' }, 'x', '', null, {}]).fields;
    assert.deepEqual(fields, [{ column: 'isin', apiField: null, type: null, meaning: null, values: null }]);
  });

  it('finds the version where it is', () => {
    const answers = [{ version: 'V3', fields: [] }, { schema: { schema_version: 3, fields: [] } }, []];
    assert.deepEqual(
      answers.map((raw) => readSchemaDictionary(raw).version),
      ['V3', '3', null],
    );
  });
});

describe('readUsage', () => {
  it('finds the two numbers under many names and places', () => {
    const shapes: unknown[] = [
      { requests: 12, downloads: 3, requests_remaining: 5 },
      { rate_limit: { requests: 600 }, usage: { api_calls: 12, links: 3 } },
      { month: '2026-03', data: { requests: '12', downloads: '3' } },
      { previous_month: { requests: 90, downloads: 40 }, current_month: { request_count: 12, download_count: 3 } },
      { days: [{ requests: 5, downloads: 1 }], data: { usage: { requests: 12, downloads: 3 } } },
    ];
    for (const raw of shapes) assert.deepEqual(readUsage(raw), { requests: 12, downloads: 3, raw });
  });

  it('reads no part of the month, limit or other month as this month’s, and no number that is none', () => {
    const shapes: unknown[] = [
      { by_endpoint: { reports: { requests: 5, downloads: 1 } } },
      { data: [{ month: '2026-02', requests: 90, downloads: 40 }] },
      { quota: { requests: 1000, downloads: 50 } },
      ...[null, [], 'x', { requests: -1 }, { requests: 2 ** 60 }, { requests: 'many', downloads: {} }],
    ];
    for (const raw of shapes) assert.deepEqual(readUsage(raw), { requests: null, downloads: null, raw });
  });
});

describe('readHealth', () => {
  it('is ok for any success that does not say otherwise', () => {
    const good = [{ status: 'ok' }, {}, 'OK', true, { data: { healthy: true } }, null, { status: 'pass' }];
    const bad = [{ status: 'down' }, { ok: false }, ' Unhealthy ', { state: 'error' }, { data: { status: 'fail' } }];
    for (const raw of good) assert.equal(readHealth(raw).ok, true, JSON.stringify(raw));
    for (const raw of bad) assert.equal(readHealth(raw).ok, false, JSON.stringify(raw));
    assert.equal(readHealth({ status: 'ok', version: 'x' }).status, 'ok');
  });
});

describe('readProblemDetails', () => {
  it('reads errors as a list, a map or sentences', () => {
    const expected = [{ field: 'limit', message: 'is too large' }];
    const shapes: unknown[] = [
      [{ field: 'limit', message: 'is too large', code: 'range' }],
      [{ pointer: '#/limit', detail: 'is too large' }],
      [{ path: '/limit', title: 'is too large' }],
      [{ loc: ['limit'], msg: 'is too large' }],
      { limit: 'is too large' },
      { limit: ['is too large'] },
      { limit: { message: 'is too large' } },
    ];
    for (const errors of shapes)
      assert.deepEqual(readProblemDetails({ errors }).fields, expected, JSON.stringify(errors));
    const others: [error: unknown, field: string, message: string][] = [
      ['bad', '', 'bad'],
      [{ loc: ['body', 'names', 3, null] }, 'body.names.3', 'is not valid'],
    ];
    for (const [error, field, message] of others)
      assert.deepEqual(readProblemDetails({ errors: [error] }).fields, [{ field, message }]);
    assert.deepEqual(readProblemDetails({ errors: [{}, null, 7] }).fields, []);
    for (const errors of [Array(200).fill('bad'), { limit: Array(200).fill('bad') }, Array(60).fill(['bad', 'bad'])])
      assert.equal(readProblemDetails({ errors }).fields.length, 100);
  });

  it('reads title and detail, and nothing that has another type', () => {
    assert.deepEqual(readProblemDetails({ title: 'T', detail: 'D' }), { title: 'T', detail: 'D', fields: [] });
    for (const raw of [{ title: {}, detail: ['D'] }, [], null])
      assert.deepEqual(readProblemDetails(raw), { title: null, detail: null, fields: [] });
  });
});

describe('open shapes', () => {
  it('are read from any JSON at all without an error, and keep it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (raw) => {
        for (const read of [readSchemaDictionary, readUsage]) assert.equal(read(raw).raw, raw);
        readFrameworks(raw);
        readHealth(raw);
        readWatchlistItem(raw);
        readLookupResults(raw, ['A', 'B']);
        assert.ok(readEntitlements({ report_types: raw }).ok);
        readProblemDetails(raw);
      }),
      { numRuns: 300 },
    );
  });
});
