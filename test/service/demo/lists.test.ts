import assert from 'node:assert/strict';
import { ask, ids, services, walk } from '../../support/demo/ask.ts';
import { outsideCompany, tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

const { start, end } = services();

describe('demo lists', () => {
  afterEach(end);

  it('goes on where a cursor stands when reports come and go', async () => {
    const service = await start();
    const first = await ask(service, '/reports?limit=2');
    service.control.catalog.withdraw(2);
    service.control.catalog.withdraw(3);
    service.control.catalog.add('XTST_ALFA');
    const rest = await walk(service, `/reports?cursor=${first.json.page_info.next_cursor}`);
    assert.deepEqual([...ids(first), ...ids(...rest)], [1, 2, 4, 5, 9_001]);
  });

  it('refuses limits outside the range, and takes the largest', async () => {
    const service = await start();
    for (const path of [
      '/reports?limit=201',
      '/watchlist?limit=501',
      '/reports/changes?since=2020-01-01T00:00:00Z&limit=201',
    ]) {
      const answer = await ask(service, path);
      assert.equal(answer.status, 422, path);
      assert.equal(answer.json.errors[0]?.field, 'limit');
      assert.equal((await ask(service, path.replace('01&', '00&').replace(/01$/, '00'))).status, 200);
    }
    for (const limit of ['0', '-1', '1.5', 'ten', '']) {
      assert.equal((await ask(service, `/reports?limit=${limit}`)).status, 422, limit);
    }
  });

  it('refuses a cursor of another list, another key and other filters', async () => {
    const service = await start();
    const cursor = String((await ask(service, '/reports?limit=2')).json.page_info.next_cursor);
    for (const path of ['/watchlist', '/reports/changes', '/reports?type=SR']) {
      assert.equal((await ask(service, `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`)).status, 400, path);
    }
    assert.equal((await ask(service, `/reports?cursor=${cursor}`, { key: service.keys.years })).status, 400);
    assert.equal((await ask(service, `/reports?limit=1&cursor=${cursor}`)).status, 200);
  });

  it('withholds ISINs in the watchlist, in reports and in metadata', async () => {
    const catalog = tinyCatalog([tinyCompany('XTST_ALFA', { isinWithheld: true })], [tinyReport(1, 'XTST_ALFA')]);
    const service = await start({ catalog });
    const company = (await ask(service, '/watchlist')).json.data[0];
    const report = (await ask(service, '/reports/1')).json;
    assert.deepEqual([company?.isin, report.company_isin, report.metadata.isin], [null, null, '']);
    assert.equal(report.company_lei, 'LEI-ALFA');
    assert.equal(Object.keys(company as object).length, 13);
  });
});

describe('demo report filters', () => {
  afterEach(end);

  function filterCatalog() {
    return tinyCatalog(
      [tinyCompany('XTST_ALFA'), tinyCompany('XTST_BETA', { isinWithheld: true }), tinyCompany(outsideCompany)],
      [
        tinyReport(1, 'XTST_ALFA', { fields: { standards_gri: true, standards_tcfd: true } }),
        tinyReport(2, 'XTST_ALFA', { report_type: 'IR', report_fcyear: 2021, fields: { standards_gri: true } }),
        tinyReport(3, 'XTST_BETA', { report_lang: 'fr;en', fields: { standards_gri: false, standards_tcfd: true } }),
        tinyReport(4, 'XTST_BETA', { report_type: 'ZZZZ', report_fcyear: '2019/2020', report_lang: 'de' }),
        tinyReport(5, 'XTST_BETA', { report_type: 'CODE', report_fcyear: null, report_year: 0 }),
        tinyReport(6, outsideCompany),
      ],
    );
  }

  const cases: readonly (readonly [query: string, expected: readonly number[]])[] = [
    ['company_key=XTST_ALFA', [1, 2]],
    [`company_key=${outsideCompany}`, []],
    ['type=IR&type=ZZZZ', [2, 4]],
    ['fcyear=2020', [1, 3]],
    ['fcyear=2019', [4]],
    ['fcyear=2019&fcyear=2021', [2, 4]],
    ['type=SR&fcyear=2020&company_key=XTST_BETA', [3]],
    ['language=en', [1, 2, 3, 5]],
    ['language=fr', [3]],
    ['language=FR', [3]],
    ['isin=XX00000ALFA0', [1, 2]],
    ['isin=XX00000BETA0', []],
    ['framework=gri', [1, 2]],
    ['framework=gri&framework=tcfd', [1]],
    ['framework=tcfd&type=SR', [1, 3]],
    ['unknown=1&type=IR', [2]],
  ];
  it('answers each filter, and filters together', async () => {
    const service = await start({ catalog: filterCatalog() });
    for (const [query, expected] of cases) {
      assert.deepEqual(ids(...(await walk(service, `/reports?limit=1&${query}`))), expected, query);
    }
  });

  it('takes 500 filter values and no more', async () => {
    const service = await start({ catalog: filterCatalog() });
    const types = (count: number) => Array.from({ length: count }, (_, index) => `type=T${index}`).join('&');
    assert.equal((await ask(service, `/reports?${types(499)}&language=en`)).status, 200);
    assert.equal((await ask(service, `/reports?${types(500)}&language=en`)).status, 422);
  });

  it('finds a company by its former key', async () => {
    const service = await start({ catalog: filterCatalog() });
    service.control.catalog.renameCompany('XTST_ALFA', 'XNEW_ALFA');
    assert.deepEqual(ids(await ask(service, '/reports?company_key=XTST_ALFA')), [1, 2]);
    assert.equal((await ask(service, '/reports/1')).json.report_key, 'XNEW_ALFA_2020_SR');
  });
});
