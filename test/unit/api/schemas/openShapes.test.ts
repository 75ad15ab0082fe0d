import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readWatchlistItem } from '../../../../src/api/schemas/company.ts';
import { readLookupResults } from '../../../../src/api/schemas/lookup.ts';
import { readEntitlements, readFrameworks, readHealth, readUsage } from '../../../../src/api/schemas/meta.ts';
import { readProblemDetails } from '../../../../src/api/schemas/problemDetails.ts';
import { readSchemaDictionary } from '../../../../src/api/schemas/schemaDictionary.ts';
import { wireCompany } from '../wire.ts';

describe('readWatchlistItem', () => {
  const key = 'XOSL_NOR';
  const key_and_name = (raw: unknown) => {
    const reading = readWatchlistItem(raw);
    assert.ok(reading.ok);
    return [reading.value.company_key, reading.value.company_name];
  };

  it('reads a bare key, a company, a nested one and short names alike', () => {
    const name = 'Nordlys Energi ASA';
    assert.deepEqual(key_and_name(key), [key, null]);
    assert.deepEqual(key_and_name(wireCompany(key)), [key, name]);
    assert.deepEqual(key_and_name({ company: wireCompany(key), added_at: '2025-01-01' }), [key, name]);
    assert.deepEqual(key_and_name({ company_key: key, company: { company_name: name } }), [key, name]);
    assert.deepEqual(key_and_name({ key, name }), [key, name]);
    assert.deepEqual(key_and_name({ company: key }), [key, null]);
    assert.deepEqual(key_and_name({ company_key: key, company: name }), [key, name]);
    assert.deepEqual(key_and_name({ company_key: key, company: key }), [key, null]);
    assert.deepEqual(key_and_name({ company_key: key, company: 'Short', company_name: name }), [key, name]);
    assert.deepEqual(key_and_name({ id: key, attributes: { company_name: name } }), [key, name]);
  });

  it('finds facts in groups and under the names of reports, but takes none of another company', () => {
    const groups = { identifiers: { isin: 'NO0000000001' }, listing: { mic: 'XOSL', ticker: 'NOR' } };
    const parent = { company_key: 'XLON_PAR', isin: 'GB0000000001', lei: 'PARENT', figi: 'PARENT' };
    const reading = readWatchlistItem({
      company_key: key,
      company_lei: 'LEI',
      isin: null,
      figi: null,
      parent,
      ...groups,
    });
    assert.ok(reading.ok);
    const { isin, lei, figi, mic, ticker, other } = reading.value;
    assert.deepEqual([isin, lei, figi, mic, ticker], [null, 'LEI', null, 'XOSL', 'NOR']);
    assert.deepEqual(other, { company_lei: 'LEI', parent, ...groups });
  });

  it('keeps what the item says besides', () => {
    const reading = readWatchlistItem({ company: wireCompany(key, { rank: 1 }), added_at: 'x', report_count: 9 });
    assert.ok(reading.ok);
    assert.deepEqual(reading.value.other, { added_at: 'x', report_count: 9, rank: 1 });
  });

  it('sets aside what names no company', () => {
    for (const raw of [null, 5, [], {}, '', { company: {} }, { company_key: 7 }]) {
      assert.equal(readWatchlistItem(raw).ok, false, JSON.stringify(raw));
    }
  });
});

describe('readEntitlements', () => {
  it('never takes types that are told in another form for all types', () => {
    const typesOf = (report_types: unknown) => {
      const reading = readEntitlements({ report_types });
      assert.ok(reading.ok);
      return reading.value.report_types;
    };
    assert.deepEqual(typesOf(['SR', 'AR1']), ['SR', 'AR1']);
    assert.deepEqual(typesOf([{ code: 'SR', name: 'Sustainability Report' }, { report_type: 'AR1' }]), ['SR', 'AR1']);
    assert.deepEqual(typesOf(['SR', { label: 'Other' }]), ['SR', '{"label":"Other"}']);
    assert.deepEqual(typesOf('SR'), ['SR']);
    assert.deepEqual(typesOf({ codes: ['SR', { code: 'AR1' }] }), ['SR', 'AR1']);
    assert.deepEqual(typesOf({ code: 'SR', name: 'Sustainability Report' }), ['SR']);
    assert.deepEqual(typesOf({ SR: true }), ['{"SR":true}']);
    assert.deepEqual(typesOf(false), ['false']);
    assert.deepEqual(typesOf(['SR', null, '']), ['SR']);
    assert.deepEqual(typesOf([]), []);
    assert.deepEqual([typesOf(null), typesOf(undefined)], [null, null]);
  });
});

describe('readFrameworks', () => {
  const gri = { code: 'gri', name: 'GRI Standards' };
  const tcfd = { code: 'tcfd', name: null };

  it('reads codes and objects, lists and maps, wrapped or not', () => {
    const shapes: unknown[] = [
      [gri, 'tcfd'],
      { frameworks: [{ code: 'gri', label: 'GRI Standards' }, { code: 'tcfd' }] },
      { data: { frameworks: [{ framework: 'gri', name: 'GRI Standards' }, 'tcfd'] } },
      { gri: 'GRI Standards', tcfd: null },
      { frameworks: { gri: { name: 'GRI Standards' }, tcfd: {} } },
      { count: 2, items: [gri, { id: 'tcfd' }] },
      { filter_parameter: 'framework', values: [{ value: 'gri', label: 'GRI Standards' }, { value: 'tcfd' }] },
      {
        standards: [
          { group: 'Reporting', frameworks: [gri] },
          { group: 'Climate', frameworks: ['tcfd'] },
        ],
      },
      { frameworks: [{ ...gri, standards: ['GRI 1', 'GRI 2'] }, 'tcfd'] },
      [{ id: 'gri', name: 'GRI Standards', standards: ['GRI 1'] }, 'tcfd'],
      [{ key: 'gri', name: 'GRI Standards', items: [] }, { slug: 'tcfd' }],
      [{ id: 7, name: 'All', frameworks: [gri, { id: 'tcfd' }] }],
    ];
    for (const raw of shapes) {
      const read = readFrameworks(raw);
      assert.deepEqual(read.frameworks, [gri, tcfd], JSON.stringify(raw));
      assert.equal(read.raw, raw);
    }
  });
});

describe('readSchemaDictionary', () => {
  const isin = { column: 'isin', api_field: 'company_isin', type: 'string', description: 'The ISIN.' };
  const level = { ...isin, column: 'assurance_level', api_field: 'assurance_level', values: ['limited', 'reasonable'] };

  it('takes a wrapper for no group of fields', () => {
    for (const name of ['fields', 'columns', 'dictionary', 'schema', 'metadata', 'properties', 'data', 'items']) {
      const groups = readSchemaDictionary({ [name]: [isin, level] }).fields.map(({ group }) => group);
      assert.deepEqual(groups, [null, null], name);
    }
  });

  it('reads lists and maps of fields, wrapped, grouped, or as a JSON schema', () => {
    const bare = ({ column: _, ...rest }: { column: string }) => rest;
    const shapes: unknown[] = [
      [isin, level],
      { version: 'V3', fields: [isin, level] },
      { schema_version: 'V3', data: { columns: [isin, level] } },
      { fields: { isin: bare(isin), assurance_level: bare(level) } },
      { isin: bare(isin), assurance_level: bare(level) },
      { properties: { isin: bare(isin), assurance_level: { ...bare(level), values: undefined, enum: level.values } } },
      {
        groups: [
          { name: 'Company', fields: [isin] },
          { name: 'Disclosures', fields: [level] },
        ],
      },
      { fields: { company: [isin], disclosures: [level] } },
      { field_groups: { Company: [isin], Disclosures: [level] } },
      { fields: [isin, level].map(({ column, ...rest }) => ({ metadata_column: column, ...rest })) },
      { fields: [isin, level].map(({ api_field, ...rest }) => ({ ...rest, typed_field: api_field })) },
      { fields: [isin, level].map((each) => ({ ...each, type: ['string', 'null'] })) },
    ];
    for (const raw of shapes) {
      const { fields } = readSchemaDictionary(JSON.parse(JSON.stringify(raw)));
      const facts = fields.map(({ column, apiField, type, meaning, values }) => [
        column,
        apiField,
        type,
        meaning,
        values,
      ]);
      assert.deepEqual(
        facts,
        [
          ['isin', 'company_isin', 'string', 'The ISIN.', null],
          ['assurance_level', 'assurance_level', 'string', 'The ISIN.', ['limited', 'reasonable']],
        ],
        JSON.stringify(raw),
      );
    }
  });

  it('reads the API field and the type under other names', () => {
    const [field] = readSchemaDictionary([{ name: 'isin', source: 'company_isin', dtype: 'string' }]).fields;
    assert.deepEqual([field?.column, field?.apiField, field?.type], ['isin', 'company_isin', 'string']);
  });

  it('finds the version and the groups where they are', () => {
    assert.equal(readSchemaDictionary({ version: 'V3', fields: [] }).version, 'V3');
    assert.equal(readSchemaDictionary({ schema: { schema_version: 3, fields: [] } }).version, '3');
    assert.equal(readSchemaDictionary([]).version, null);
    const grouped = readSchemaDictionary({ groups: [{ name: 'Company', fields: [isin] }] });
    assert.deepEqual(
      grouped.fields.map(({ group }) => group),
      ['Company'],
    );
    const stated = readSchemaDictionary([{ ...isin, section: 'Identity' }]);
    assert.deepEqual(
      stated.fields.map(({ group }) => group),
      ['Identity'],
    );
  });

  it('reads a map from column to meaning', () => {
    const { fields } = readSchemaDictionary({ version: 'V3', isin: 'The ISIN.' });
    assert.deepEqual(
      fields.map(({ column, meaning }) => [column, meaning]),
      [['isin', 'The ISIN.']],
    );
  });
});

describe('readUsage', () => {
  it('finds the two numbers under many names and places', () => {
    const shapes: unknown[] = [
      { requests: 12, downloads: 3 },
      { request_count: 12, download_count: 3 },
      { usage: { api_requests: 12, pdf_downloads: 3 } },
      { month: '2026-03', data: { requests_this_month: '12', downloads_this_month: '3' } },
      { requests: { used: 12, limit: 1000 }, downloads: { count: 3 } },
      { requests_remaining: 5, rate: { requests_per_minute: 600 }, requests: 12, downloads: 3 },
      { rate_limit: { requests: 600 }, usage: { requests: 12, downloads: 3 } },
      { limits: { requests: 600, downloads: 50 }, totals: { api_calls: 12, download_links: 3 } },
      { previous_month: { requests: 90, downloads: 40 }, current_month: { requests: 12, downloads: 3 } },
      { days: [{ date: '2026-03-01', requests: 5, downloads: 1 }], totals: { requests: 12, downloads: 3 } },
    ];
    for (const raw of shapes) {
      const { requests, downloads } = readUsage(raw);
      assert.deepEqual([requests, downloads], [12, 3], JSON.stringify(raw));
    }
  });

  it('takes a part of the month, a limit or another month for no amount of this month', () => {
    const shapes: unknown[] = [
      { by_endpoint: { reports: { requests: 5, downloads: 1 } } },
      { data: [{ month: '2026-02', requests: 90, downloads: 40 }] },
      { last_month: { requests: 90, downloads: 40 } },
      { by_month: { '2026-01': { requests: 90, downloads: 40 } } },
      { per_day: { requests: 5, downloads: 1 } },
      { by_key: { A: { requests: 5, downloads: 1 }, B: { requests: 7, downloads: 2 } } },
      { quota: { requests: 1000, downloads: 50 } },
    ];
    for (const raw of shapes) assert.deepEqual(readUsage(raw), { requests: null, downloads: null, raw });
  });

  it('takes no number that is none', () => {
    for (const raw of [null, [], 'x', { requests: -1 }, { requests: 2 ** 60 }, { requests: 'many' }]) {
      assert.deepEqual(readUsage(raw), { requests: null, downloads: null, raw });
    }
  });
});

describe('readHealth', () => {
  it('is ok for any success that does not say otherwise', () => {
    const good = [{ status: 'ok' }, { status: 'UP' }, {}, 'OK', true, { healthy: true }, null, { status: 'pass' }];
    const bad = [{ status: 'down' }, { ok: false }, false, 'unhealthy', { state: 'error' }, { status: 'unavailable' }];
    assert.ok(good.every((raw) => readHealth(raw).ok));
    assert.ok(bad.every((raw) => !readHealth(raw).ok));
    assert.equal(readHealth({ status: 'ok', version: 'x' }).status, 'ok');
  });
});

describe('readProblemDetails', () => {
  it('reads errors as a list, a map, sentences, or what frameworks put into detail', () => {
    const expected = [{ field: 'limit', message: 'is too large' }];
    const shapes: unknown[] = [
      { errors: [{ field: 'limit', message: 'is too large' }] },
      { errors: [{ pointer: 'limit', detail: 'is too large' }] },
      { errors: [{ source: { parameter: 'limit' }, title: 'is too large' }] },
      { errors: [{ pointer: '#/limit', detail: 'is too large' }] },
      { errors: { limit: 'is too large' } },
      { errors: { limit: ['is too large'] } },
      { errors: { limit: { message: 'is too large' } } },
      { detail: [{ loc: ['limit'], msg: 'is too large' }] },
      { errors: { limit: { code: 'range', messages: ['is too large'] } } },
      { errors: [{ param: 'limit', errors: ['is', 'too large'] }] },
      { errors: [{ field: 'limit', issue: 'is too large', code: 'range' }] },
    ];
    for (const raw of shapes) assert.deepEqual(readProblemDetails(raw).fields, expected, JSON.stringify(raw));
    assert.deepEqual(readProblemDetails({ errors: ['bad'] }).fields, [{ field: '', message: 'bad' }]);
    const { title, detail } = readProblemDetails({ error: { code: 'range', message: 'The limit is too large.' } });
    assert.deepEqual([title, detail], ['range', 'The limit is too large.']);
    const places: [place: unknown, field: string][] = [
      [['query', 'limit'], 'limit'],
      [['body', 'names', 3], 'names.3'],
      [['names', 3], 'names.3'],
      [['query'], 'query'],
      ['#/names/3', 'names.3'],
      ['/names', 'names'],
      [{ pointer: '/names' }, 'names'],
    ];
    for (const [place, field] of places)
      assert.deepEqual(readProblemDetails({ errors: [{ field: place, message: 'x' }] }).fields, [
        { field, message: 'x' },
      ]);
  });
});

describe('open shapes', () => {
  it('are read from any JSON at all without an error, and keep it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (raw) => {
        assert.equal(readFrameworks(raw).raw, raw);
        assert.equal(readSchemaDictionary(raw).raw, raw);
        assert.equal(readUsage(raw).raw, raw);
        assert.equal(readHealth(raw).raw, raw);
        readWatchlistItem(raw);
        readLookupResults(raw, ['A', 'B']);
        assert.ok(readEntitlements({ report_types: raw }).ok);
        readProblemDetails(raw);
      }),
      { numRuns: 300 },
    );
  });
});
