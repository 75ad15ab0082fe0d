import assert from 'node:assert/strict';
import { request } from 'node:http';
import { ask, services } from '../../support/demo/ask.ts';
import { tinyCatalog, tinyCompany, tinyReport } from '../../support/demo/tinyCatalog.ts';

const { start, end } = services();

describe('demo report object', () => {
  afterEach(end);

  it('writes metadata from the typed fields: TRUE, FALSE or empty, and marks partial documents', async () => {
    const fields = {
      standards_gri: true,
      standards_sasb: false,
      standards_tcfd: null,
      document_scope: 'extract',
      edition_number: 4,
      assurance_provider: 'A; B',
    };
    const service = await start({
      catalog: tinyCatalog([tinyCompany('XTST_ALFA')], [tinyReport(1, 'XTST_ALFA', { fields })]),
    });
    const { json } = await ask(service, '/reports/1');
    const { std_gri, std_sasb, std_tcfd, title, edition, pages } = json.metadata;
    assert.deepEqual([std_gri, std_sasb, std_tcfd, edition, pages], ['TRUE', 'FALSE', '', '4', '1']);
    assert.equal(title, 'Report 1 (Extract)');
    assert.deepEqual([json.report_edition, json.report_assurance], ['4', 'A; B']);
  });
});

describe('demo meta endpoints', () => {
  afterEach(end);

  it('compresses for clients that accept it and for no others', async () => {
    const service = await start();
    const plain = await ask(service, '/meta/schema', { headers: { 'accept-encoding': 'identity' } });
    const zipped = await ask(service, '/meta/schema', { headers: { 'accept-encoding': 'br, gzip' } });
    const refused = await ask(service, '/meta/schema', { headers: { 'accept-encoding': 'gzip;q=0' } });
    assert.deepEqual(
      [plain, zipped, refused].map((answer) => answer.headers.get('content-encoding')),
      [null, 'gzip', null],
    );
    assert.ok(Number(zipped.headers.get('content-length')) < Number(plain.headers.get('content-length')));
    assert.deepEqual(zipped.json, plain.json);
  });

  it('tells the time of its own clock', async () => {
    const service = await start();
    service.control.advance(86_400_000);
    const date = Date.parse((await ask(service, '/health')).headers.get('date') ?? '');
    assert.ok(Math.abs(date - service.control.now()) < 2_000);
  });
});

describe('demo safety', () => {
  afterEach(end);

  function raw(url: string, options: { method?: string; headers?: Record<string, string> }): Promise<number> {
    return new Promise((resolve, reject) => {
      request(url, options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end();
    });
  }

  it('answers to its own address only', async () => {
    const service = await start();
    const { host, port } = new URL(service.baseUrl);
    const health = `${service.baseUrl}/health`;
    assert.equal(await raw(health, { headers: { host } }), 200);
    for (const wrong of [
      'evil.example',
      `localhost:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port}.evil.example`,
      `x@${host}`,
    ]) {
      assert.ok([400, 421].includes(await raw(health, { headers: { host: wrong } })), wrong);
    }
  });

  it('refuses every web page', async () => {
    const service = await start();
    for (const origin of ['null', 'http://evil.example', new URL(service.baseUrl).origin]) {
      assert.equal((await ask(service, '/health', { headers: { origin } })).status, 403);
    }
    const { headers } = await ask(service, '/entitlements');
    assert.ok(![...headers.keys()].some((name) => name.startsWith('access-control')));
  });

  it('speaks GET and POST only', async () => {
    const service = await start();
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD', 'TRACE']) {
      assert.equal(await raw(`${service.baseUrl}/reports`, { method }), 405, method);
    }
  });

  it('ends with its connections', async () => {
    const service = await start();
    service.control.faults.set([{ action: { kind: 'stall' } }]);
    const waiting = assert.rejects(ask(service, '/entitlements'));
    while (service.control.log.entries.length === 0) await new Promise(setImmediate);
    await service.dispose();
    await waiting;
    await assert.rejects(ask(service, '/health'));
  });
});
