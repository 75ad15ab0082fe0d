import assert from 'node:assert/strict';
import { Secret } from '../../../src/base/secret.ts';
import { ask, ids, services, walk } from '../../support/demo/ask.ts';
import { outsideCompany, tinyCatalogue, tinyCompany, tinyReport } from '../../support/demo/tinyCatalogue.ts';

const { start, end } = services();

/** A company with a report of 2018 to 2022 each (ids 1 to 5), a TCFD report (6), an undated one (7), an old record (8). */
function yearsCatalogue() {
  const years = [2018, 2019, 2020, 2021, 2022].map((year, index) =>
    tinyReport(index + 1, 'XTST_ALFA', { report_year: year, report_fcyear: year }),
  );
  const others = [
    tinyReport(6, 'XTST_ALFA', { report_type: 'TCFD' }),
    tinyReport(7, 'XTST_ALFA', { report_type: 'CODE', report_year: 0, report_fcyear: null }),
    tinyReport(8, 'XTST_ALFA', { report_type: 'IR', report_year: 2022, report_fcyear: '2021/2022' }),
    tinyReport(9, 'XTST_ALFA', { report_type: 'AR2', report_year: 2021, report_fcyear: null }),
  ];
  return tinyCatalogue(
    [tinyCompany('XTST_ALFA'), tinyCompany(outsideCompany)],
    [...years, ...others, tinyReport(50, outsideCompany)],
  );
}

describe('demo access', () => {
  afterEach(end);

  it('takes a key in either header', async () => {
    const service = await start();
    const plain = await ask(service, '/entitlements', { key: null, headers: { 'x-api-key': service.key.reveal() } });
    assert.equal(plain.status, 200);
    assert.equal((await ask(service, '/entitlements')).status, 200);
  });

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

  it('refuses mistyped, expired and revoked keys with 401', async () => {
    const service = await start();
    const mistyped = new Secret(`${service.key.reveal()}x`);
    for (const key of [mistyped, service.keys.expired, service.keys.revoked, new Secret('x')]) {
      assert.equal((await ask(service, '/entitlements', { key })).status, 401);
    }
    service.control.revokeKey('full');
    assert.equal((await ask(service, '/entitlements')).status, 401);
  });

  it('lets a key expire', async () => {
    const service = await start();
    const key = service.control.issueKey({ label: 'short', expiresIn: 60_000 });
    assert.equal((await ask(service, '/entitlements', { key })).status, 200);
    service.control.advance(60_000);
    assert.equal((await ask(service, '/entitlements', { key })).status, 401);
  });

  it('tells the window of each licence', async () => {
    const service = await start({ catalogue: yearsCatalogue() });
    const full = (await ask(service, '/entitlements')).json;
    assert.deepEqual(full, {
      client_name: 'Demo Research Desk',
      full_access: true,
      fcyear_start: 2018,
      fcyear_end: null,
      report_types: null,
      watchlist_size: 1,
    });
    const core = (await ask(service, '/entitlements', { key: service.keys.core })).json;
    assert.deepEqual([core.report_types, core.full_access], [['SR', 'IR', 'AR2', 'AR1'], false]);
  });

  it('lists what a licence holds: years by the fiscal year rules, types, undated under full access only', async () => {
    const service = await start({ catalogue: yearsCatalogue() });
    const listed = async (key: Secret) => ids(...(await walk(service, '/reports', { key })));
    assert.deepEqual(await listed(service.keys.full), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // The old record 8 is filed under 2021, and 9, which states no fiscal year, under its cover year.
    assert.deepEqual(await listed(service.keys.years), [2, 3, 4, 6, 8, 9]);
    assert.deepEqual(await listed(service.keys.core), [1, 2, 3, 4, 5, 8, 9]);
  });

  it('tells 403 outside the licence from 404 for no such report', async () => {
    const service = await start({ catalogue: yearsCatalogue() });
    for (const path of ['/reports/50', '/reports/50/download']) assert.equal((await ask(service, path)).status, 403);
    assert.equal((await ask(service, '/reports/1', { key: service.keys.years })).status, 403);
    for (const path of ['/reports/999', '/reports/999/download']) assert.equal((await ask(service, path)).status, 404);
  });

  it('refuses a key that lacks a scope with 403', async () => {
    const service = await start();
    const key = service.keys.withoutFiles;
    assert.equal((await ask(service, '/reports/1', { key })).status, 200);
    assert.equal((await ask(service, '/reports/1/download', { key })).status, 403);
  });

  it('refuses ids that are none with 422 and names the field', async () => {
    const service = await start();
    for (const id of ['0', '-1', 'abc', '1.5', '9007199254740993', '99999999999999999999', '%00', '1e3']) {
      const answer = await ask(service, `/reports/${id}`);
      assert.equal(answer.status, 422, id);
      assert.deepEqual(answer.json.errors, [{ field: 'report_id', message: 'must be a positive whole number' }]);
    }
  });

  it('leads an id that a merge retired to the survivor, and says nothing of it', async () => {
    const service = await start();
    service.control.catalogue.merge(2, 3);
    const { json } = await ask(service, '/reports/2');
    assert.equal(json.report_id, 3);
    assert.deepEqual(json, (await ask(service, '/reports/3')).json);
    assert.deepEqual([json.requested_legacy_report_id, json.canonical_report_id], [null, null]);
    assert.equal((await ask(service, '/reports/2/download')).json.report_id, 3);
  });

  it('leads an id that a rename retired to the renamed report, and says so', async () => {
    const service = await start();
    service.control.catalogue.renameReport(2, 'XTST_ALFA_2020_SR_NEW', 77);
    const { json } = await ask(service, '/reports/2');
    assert.deepEqual(
      [json.report_id, json.requested_legacy_report_id, json.canonical_report_id, json.canonical_report_key],
      [77, 2, 77, 'XTST_ALFA_2020_SR_NEW'],
    );
    assert.equal((await ask(service, '/reports/2/download')).json.report_id, 77);
    const direct = (await ask(service, '/reports/77')).json;
    assert.deepEqual([direct.requested_legacy_report_id, direct.canonical_report_id], [null, null]);
  });

  it('serves several services side by side that know nothing of each other', async () => {
    const [one, two] = [await start(), await start()];
    one.control.catalogue.withdraw(1);
    assert.equal((await ask(two, '/reports/1')).status, 200);
    assert.equal((await ask(two, '/reports/1', { key: one.key })).status, 401);
  });

  it('keeps no key', async () => {
    const service = await start();
    await ask(service, '/entitlements');
    assert.ok(!JSON.stringify(service.control.log.entries).includes(service.key.reveal().slice(15)));
    assert.equal(service.control.log.entries[0]?.key, 'full');
  });
});
