import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type IdentifierList,
  type IdentifierQuery,
  identifierLists,
  readResolveResults,
  resolveRequest,
} from '../../../../src/api/schemas/company.ts';
import { readLookupResults } from '../../../../src/api/schemas/lookup.ts';
import { readEntitlements } from '../../../../src/api/schemas/meta.ts';
import { objectItem, readPage } from '../../../../src/api/schemas/page.ts';
import { readChange, readDownloadLink, readReport } from '../../../../src/api/schemas/report.ts';
import { wireCompany, wirePage, wireReport } from '../wire.ts';

describe('readPage', () => {
  const read = (body: unknown) => readPage(body, 5, objectItem(readReport));

  it('sets bad records aside with their raw value and the reason, and reads the rest', () => {
    const bad = wireReport(0);
    const reading = read(wirePage([wireReport(1), bad, 'text', wireReport(2)], 'next'));
    assert.ok(reading.ok);
    const { data, quarantined, ...rest } = reading.value;
    assert.deepEqual(
      data.map(({ report_id }) => report_id),
      [1, 2],
    );
    assert.deepEqual(
      quarantined.map(({ raw }) => raw),
      [bad, 'text'],
    );
    assert.ok(quarantined.every(({ reason }) => reason.length > 10));
    assert.deepEqual(rest, { count: 4, has_more: true, next_cursor: 'next', serverTime: 5 });
  });

  it('reads a page whose count is missing, but none that does not say whether it is the last', () => {
    assert.ok(read({ data: [], page_info: { has_more: false } }).ok);
    const broken: unknown[] = [
      null,
      [],
      {},
      { data: [] },
      { data: {}, page_info: { has_more: false } },
      { data: [], page_info: {} },
      { data: [], page_info: { has_more: true, next_cursor: null } },
      { data: [], page_info: { has_more: true, next_cursor: 5 } },
    ];
    for (const body of broken) assert.equal(read(body).ok, false, JSON.stringify(body));
  });
});

describe('readChange', () => {
  const item = {
    change: 'upsert',
    report_id: 4,
    report_key: 'k',
    company_key: 'c',
    changed_at: 't',
    content_sha256: 's',
  };

  it('reads upserts, withdrawals and kinds not known yet', () => {
    const upsert = readChange({ ...item, report: wireReport(4) });
    assert.ok(upsert.ok);
    assert.equal(upsert.value.report?.report_id, 4);
    const withdrawn = readChange({ ...item, change: 'withdrawn', content_sha256: null, report: null });
    assert.ok(withdrawn.ok);
    assert.deepEqual([withdrawn.value.report, withdrawn.value.content_sha256], [null, null]);
    const other = readChange({ change: 'renamed', report_id: 4, by: 'x' });
    assert.ok(other.ok);
    assert.deepEqual([other.value.change, other.value.other], ['renamed', { by: 'x' }]);
  });

  it('refuses one whose id or report is of no use', () => {
    assert.equal(readChange({ ...item, report_id: 2 ** 53 }).ok, false);
    assert.equal(readChange({ ...item, report: wireReport(0) }).ok, false);
    assert.equal(readChange({ ...item, report: 'x' }).ok, false);
  });
});

describe('readEntitlements', () => {
  it('reads null as open and as every type, and assumes no full access', () => {
    const reading = readEntitlements({ client_name: 'Desk', fcyear_start: 2019, fcyear_end: null, report_types: null });
    assert.ok(reading.ok);
    assert.deepEqual(reading.value, {
      client_name: 'Desk',
      full_access: false,
      fcyear_start: 2019,
      fcyear_end: null,
      report_types: null,
      watchlist_size: null,
      other: {},
    });
  });
});

describe('readDownloadLink', () => {
  it('gives the link as a secret, for the report that was asked for when the answer names none', () => {
    const url = 'https://files.example/1.pdf?sig=abc';
    const reading = readDownloadLink({ url }, 12);
    assert.ok(reading.ok);
    assert.equal(reading.value.url.reveal(), url);
    assert.equal(reading.value.report_id, 12);
    assert.doesNotMatch(JSON.stringify(reading.value), /sig/);
    assert.equal(readDownloadLink({ url: '' }, 12).ok, false);
  });
});

/** What the service would answer: list after list, each in the order sent. */
function answerTo(body: Record<string, readonly string[]>): Record<string, unknown>[] {
  return identifierLists.flatMap((list) =>
    (body[list] ?? []).map((query) => ({
      query,
      identifier_type: list.slice(0, -1),
      matched: true,
      entitled: true,
      company: wireCompany(`${list}_${query}`),
    })),
  );
}

describe('resolve', () => {
  const values = ['AAA', 'BBB', 'ccc', 'D D', 'émile', '🌱'];
  const query = fc.record({ list: fc.constantFrom(...identifierLists), value: fc.constantFrom(...values) });
  const distinct = fc.uniqueArray(query, { selector: ({ list, value }) => `${list} ${value}`, maxLength: 30 });

  it('pairs every result with its query, whatever the lists and even when the answers come shuffled', () => {
    fc.assert(
      fc.property(distinct, fc.boolean(), (queries, reverse) => {
        const results = answerTo(resolveRequest(queries));
        const reading = readResolveResults({ results: reverse ? results.reverse() : results }, queries);
        assert.ok(reading.ok);
        assert.deepEqual(
          reading.value.map(({ company }) => company?.company_key),
          queries.map(({ list, value }) => `${list}_${value}`),
        );
      }),
    );
  });

  it('pairs equal identifiers by their place when the service names kinds differently', () => {
    const queries: IdentifierQuery[] = [
      { list: 'names', value: 'AAA' },
      { list: 'symbols', value: 'AAA' },
    ];
    const results = answerTo(resolveRequest(queries)).map((result) => ({ ...result, identifier_type: null }));
    const reading = readResolveResults({ results }, queries);
    assert.ok(reading.ok);
    assert.deepEqual(
      reading.value.map(({ company }) => company?.company_key),
      ['names_AAA', 'symbols_AAA'],
    );
  });

  it('takes an echo in other letters', () => {
    const queries: IdentifierQuery[] = [{ list: 'tickers', value: 'xosl:nor' }];
    const reading = readResolveResults({ results: [{ query: 'XOSL:NOR', matched: false }] }, queries);
    assert.ok(reading.ok);
    const names: IdentifierQuery[] = [{ list: 'names', value: ' Fi\u0301a  Energi ' }];
    assert.ok(readResolveResults({ results: [{ query: 'F\u00eda Energi', matched: false }] }, names).ok);
  });

  it('never passes a missing answer for an unmatched one', () => {
    const queries: IdentifierQuery[] = ['A', 'B'].map((value) => ({ list: 'isins' as IdentifierList, value }));
    assert.equal(readResolveResults({ results: [{ query: 'A', matched: false }] }, queries).ok, false);
    assert.equal(readResolveResults({}, queries).ok, false);
  });

  it('tells ambiguous, unmatched and not entitled apart', () => {
    const queries: IdentifierQuery[] = ['A', 'B', 'C'].map((value) => ({ list: 'names' as IdentifierList, value }));
    const results = [
      { query: 'A', matched: true, ambiguous: true, company: null },
      { query: 'B', matched: false, entitled: null },
      { query: 'C', matched: true, entitled: false, company: null },
    ];
    const reading = readResolveResults({ results }, queries);
    assert.ok(reading.ok);
    assert.deepEqual(
      reading.value.map(({ matched, entitled, ambiguous }) => [matched, entitled, ambiguous]),
      [
        [false, null, true],
        [false, null, false],
        [true, false, false],
      ],
    );
  });
});

describe('lookup', () => {
  const keys = ['OLD_1', 'NEW_2', 'NONE'];
  const found = [
    { report_key: 'OLD_1', report_id: 1, canonical_report_key: 'NEW_1' },
    { report_key: 'NEW_2', report_id: 2, canonical_report_key: null },
    { report_key: 'NONE', report_id: null, canonical_report_key: null },
  ];

  it('reads entries in a list or a map, with the report inside or not', () => {
    const shapes: unknown[] = [
      { results: found, warnings: ['slow'] },
      {
        data: [
          { query: 'NEW_2', report: { report_id: 2, report_key: 'NEW_2' } },
          { query: 'OLD_1', report: { report_id: 1, report_key: 'NEW_1' } },
        ],
      },
      {
        reports: [
          wireReport(2, { report_key: 'NEW_2' }),
          wireReport(1, { report_key: 'NEW_1', requested_legacy_report_key: 'OLD_1' }),
        ],
      },
      { OLD_1: { report_id: '1', report_key: 'NEW_1' }, NEW_2: 2, NONE: null },
      { data: { results: { OLD_1: { report_id: 1, canonical_report_key: 'NEW_1' }, NEW_2: '2' } } },
      [
        { report_key: 'OLD_1', report_id: null },
        { requested_report_key: 'OLD_1', report_key: 'NEW_1', report_id: 1 },
        { query: 'NEW_2', report_id: 2 },
      ],
    ];
    for (const raw of shapes) {
      const reading = readLookupResults(raw, keys);
      assert.ok(reading.ok);
      assert.deepEqual(reading.value, found, JSON.stringify(raw).slice(0, 200));
    }
  });

  const readAll = (raw: unknown, asked: readonly string[]) => {
    const reading = readLookupResults(raw, asked);
    return reading.ok && reading.value.map(({ report_id, canonical_report_key }) => [report_id, canonical_report_key]);
  };

  it('gives no key the report of another', () => {
    const answer = [
      { report_key: 'B', report_id: 2 },
      { report_key: 'X', report_id: 9 },
      { report_key: 'B', report_id: 3, superseded: 'A' },
    ];
    assert.deepEqual(readAll(answer, ['A', 'B']), [
      [null, null],
      [2, null],
    ]);
  });

  it('reads no other numbers of an answer as reports', () => {
    const company = { report_id: 77, report_key: 'XNAS_A' };
    const nothing: unknown[] = [
      { results: [], years: [2024] },
      { results: {}, counts: { A: 3 } },
      { results: [{ report_key: 'A' }] },
      ...[{ company }, { report_id: null, suggestion: company }, { id: 9 }].map((entry) => [{ query: 'A', ...entry }]),
      ...['', '0x1f', '1e3', ' 7', '-7', 0, true, [7], 2 ** 53].map((id) => ({ A: id })),
    ];
    for (const raw of nothing) assert.deepEqual(readAll(raw, ['A']), [[null, null]], JSON.stringify(raw));
    const counted = { counts: { A: 3 }, results: [{ report_key: 'A', report_id: 5 }] };
    assert.deepEqual(readAll(counted, ['A']), [[5, null]]);
    // These say nothing of the key, not even that it is unknown.
    for (const raw of [{ years: [2024] }, { count: 1, state: 'done' }, 'x', null])
      assert.equal(readAll(raw, ['A']), false, JSON.stringify(raw));
  });
});
