import assert from 'node:assert/strict';
import type { Secret } from '../../../src/base/secret.ts';
import { ask, ids, services, walk } from '../../support/demo/ask.ts';
import { outsideCompany, tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

const { start, end } = services();

/** A company with a report of 2018 to 2022 each (ids 1 to 5), a TCFD report (6), an undated one (7), an old record (8). */
function yearsCatalog() {
  const years = [2018, 2019, 2020, 2021, 2022].map((year, index) =>
    tinyReport(index + 1, 'XTST_ALFA', { report_year: year, report_fcyear: year }),
  );
  const others = [
    tinyReport(6, 'XTST_ALFA', { report_type: 'TCFD' }),
    tinyReport(7, 'XTST_ALFA', { report_type: 'CODE', report_year: 0, report_fcyear: null }),
    tinyReport(8, 'XTST_ALFA', { report_type: 'IR', report_year: 2022, report_fcyear: '2021/2022' }),
    tinyReport(9, 'XTST_ALFA', { report_type: 'AR2', report_year: 2021, report_fcyear: null }),
  ];
  return tinyCatalog(
    [tinyCompany('XTST_ALFA'), tinyCompany(outsideCompany)],
    [...years, ...others, tinyReport(50, outsideCompany)],
  );
}

describe('demo access', () => {
  afterEach(end);

  it('answers health without a key and nothing else', async () => {
    const service = await start();
    assert.equal((await ask(service, '/health', { key: null })).status, 200);
    for (const path of ['/entitlements', '/watchlist', '/reports', '/reports/1', '/meta/usage', '/nothing']) {
      const answer = await ask(service, path, { key: null });
      assert.equal(answer.status, 401, path);
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      assert.deepEqual(Object.keys(answer.json as object), ['type', 'title', 'status', 'detail']);
    }
  });

  it('lists what a license holds: years by the fiscal year rules, types, undated under full access only', async () => {
    const service = await start({ catalog: yearsCatalog() });
    const listed = async (key: Secret) => ids(...(await walk(service, '/reports', { key })));
    assert.deepEqual(await listed(service.keys.full), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // The old record 8 is filed under 2021, and 9, which states no fiscal year, under its cover year.
    assert.deepEqual(await listed(service.keys.years), [2, 3, 4, 6, 8, 9]);
    assert.deepEqual(await listed(service.keys.core), [1, 2, 3, 4, 5, 8, 9]);
  });

  it('refuses ids that are none with 422 and names the field', async () => {
    const service = await start();
    for (const id of ['0', '-1', 'abc', '1.5', '9007199254740993', '99999999999999999999', '%00', '1e3']) {
      const answer = await ask(service, `/reports/${id}`);
      assert.equal(answer.status, 422, id);
      assert.deepEqual(answer.json.errors, [{ field: 'report_id', message: 'must be a positive whole number' }]);
    }
  });
});
