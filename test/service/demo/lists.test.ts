import assert from 'node:assert/strict';
import { ask, ids, services, walk } from '../../support/demo/ask.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

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

  it('takes 500 filter values and no more', async () => {
    const service = await start();
    const types = (count: number) => Array.from({ length: count }, (_, index) => `type=T${index}`).join('&');
    assert.equal((await ask(service, `/reports?${types(499)}&language=en`)).status, 200);
    assert.equal((await ask(service, `/reports?${types(500)}&language=en`)).status, 422);
  });

  it('finds a company by its former key, and leaves out what it does not know', async () => {
    const service = await start();
    const all = ids(...(await walk(service, '/reports?company_key=XTST_ALFA')));
    service.control.catalog.renameCompany('XTST_ALFA', 'XNEW_ALFA');
    assert.deepEqual(ids(...(await walk(service, '/reports?company_key=XTST_ALFA&unknown=1'))), all);
    assert.match(String((await ask(service, '/reports/1')).json.report_key), /^XNEW_ALFA_2020_SR/);
  });
});
