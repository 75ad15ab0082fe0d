import assert from 'node:assert/strict';
import { ask, type Item, services } from '../../support/demo/ask.ts';
import { outsideCompany, tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

const { start, end } = services();

function namesCatalog() {
  return tinyCatalog(
    [
      tinyCompany('XTST_ALFA', { aliases: ['Alfa', 'Common'], cik: '0000000001' }),
      tinyCompany('XOTH_ALFA', {
        isin: 'XX00000OTHR0',
        company_name: 'Other Works',
        aliases: ['Common'],
        lei: null,
        figi: 'F2',
      }),
      tinyCompany('XTST_BETA', { isinWithheld: true, formerKeys: ['XOLD_BETA'] }),
      tinyCompany('UNLT_gamma', { ticker: null, mic: null, exchange: null, isin: null, company_name: 'Gamma' }),
      tinyCompany(outsideCompany),
    ],
    [
      tinyReport(1, 'XTST_ALFA', { formerKeys: ['XTST_ALFA_2019_SR'] }),
      tinyReport(2, 'XTST_BETA', { report_fcyear: 2015 }),
      tinyReport(3, outsideCompany),
    ],
  );
}

const inShort = ({ matched, entitled, ambiguous, company }: Item) => {
  const key = company === null ? null : (company as { company_key: string }).company_key;
  return [matched, entitled, ambiguous ?? false, key];
};
const unmatched = [false, null, false, null];
const ambiguous = [false, null, true, null];
const found = (key: string) => [true, true, false, key];

describe('demo resolve', () => {
  afterEach(end);

  const cases: readonly (readonly [list: string, value: string, expected: readonly unknown[]])[] = [
    ['isins', 'XX00000ALFA0', found('XTST_ALFA')],
    ['isins', 'xx00000alfa0', unmatched],
    ['isins', ' XX00000ALFA0', unmatched],
    ['isins', 'XX00000BETA0', found('XTST_BETA')],
    ['tickers', 'XOTH:ALFA', found('XOTH_ALFA')],
    ['tickers', 'ALFA', ambiguous],
    ['tickers', 'BETA', unmatched],
    ['symbols', 'BETA', found('XTST_BETA')],
    ['symbols', 'ALFA', ambiguous],
    ['symbols', 'XOLD_BETA', found('XTST_BETA')],
    ['symbols', 'UNLT_gamma', found('UNLT_gamma')],
    ['leis', 'LEI-BETA', found('XTST_BETA')],
    ['figis', 'F2', found('XOTH_ALFA')],
    ['ciks', '0000000001', found('XTST_ALFA')],
    ['ciks', '1', unmatched],
    ['names', 'ALFA Works', found('XTST_ALFA')],
    ['names', 'Alfa', found('XTST_ALFA')],
    ['names', 'alfa', unmatched],
    ['names', 'Common', ambiguous],
    ['names', '', unmatched],
    ['names', '🦊\u0000', unmatched],
    ['names', 'OMEG Works', [true, false, false, null]],
  ];
  it('answers identifiers of every kind, exactly as they are written', async () => {
    const service = await start({ catalog: namesCatalog() });
    for (const [list, value, expected] of cases) {
      const { json } = await ask(service, '/companies/resolve', { body: { [list]: [value] } });
      assert.equal(json.results[0]?.query, value);
      assert.deepEqual(inShort(json.results[0] as Item), expected, `${list} ${value}`);
      assert.equal(json.matched_count, expected[0] ? 1 : 0);
      assert.equal(json.unmatched_count, expected[0] ? 0 : 1);
    }
  });

  it('takes 1,000 identifiers across all lists and no more', async () => {
    const service = await start({ catalog: namesCatalog() });
    const many = (count: number) => Array.from({ length: count }, (_, index) => `N${index}`);
    const fits = await ask(service, '/companies/resolve', { body: { names: many(600), leis: many(400) } });
    assert.equal(fits.json.results.length, 1_000);
    const over = await ask(service, '/companies/resolve', { body: { names: many(600), leis: many(401) } });
    assert.equal(over.status, 422);
  });

  it('refuses bodies that are not what it asks for', async () => {
    const service = await start({ catalog: namesCatalog() });
    const cases: readonly (readonly [status: number, body: unknown, headers?: Record<string, string>])[] = [
      [422, {}],
      [422, { names: [] }],
      [422, { names: 'Alfa' }],
      [422, { names: ['Alfa', 7] }],
      [400, []],
      [400, '{"names":'],
      [400, 'null'],
      [415, '{"names":["Alfa"]}', { 'content-type': 'text/plain' }],
      [413, JSON.stringify({ names: ['x'.repeat(1_100_000)] })],
      [422, `{"names":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
      [422, '{"__proto__":{"names":["Alfa"]},"constructor":["Alfa"]}'],
    ];
    for (const [status, body, headers] of cases) {
      const answer = await ask(service, '/companies/resolve', { body, headers });
      assert.equal(answer.status, status, JSON.stringify(body).slice(0, 60));
      assert.equal(answer.json.status, status);
    }
    const wrong = await ask(service, '/companies/resolve', { body: { names: ['Alfa', 7] } });
    assert.deepEqual(wrong.json.errors, [{ field: 'names[1]', message: 'must be a string' }]);
  });
});

describe('demo lookup', () => {
  afterEach(end);

  it('takes 1,000 keys and no more', async () => {
    const service = await start({ catalog: namesCatalog() });
    const keys = Array.from({ length: 1_001 }, (_, index) => `K${index}`);
    const fits = await ask(service, '/reports/lookup', { body: { report_keys: keys.slice(1) } });
    assert.equal(fits.json.results.length, 1_000);
    assert.equal((await ask(service, '/reports/lookup', { body: { report_keys: keys } })).status, 422);
    assert.equal((await ask(service, '/reports/lookup', { body: { report_keys: [] } })).status, 422);
  });
});
