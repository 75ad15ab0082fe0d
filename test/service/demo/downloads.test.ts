import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ask, services } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';

const { start, end } = services();

const link = async (service: TestDemo, id = 1) => String((await ask(service, `/reports/${id}/download`)).json.url);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('demo downloads', () => {
  afterEach(end);

  it('gives a link of at most 900 s that needs no key and serves the bytes of the hash', async () => {
    const service = await start();
    const { json, headers } = await ask(service, '/reports/1/download');
    assert.deepEqual(Object.keys(json), [
      ...['report_id', 'format', 'url', 'expires_at', 'expires_in_seconds', 'content_type'],
    ]);
    assert.deepEqual([json.report_id, json.format, json.content_type], [1, 'pdf', 'application/pdf']);
    assert.equal(json.expires_in_seconds, 900);
    assert.ok(Math.abs(Date.parse(String(json.expires_at)) - service.control.now() - 900_000) < 5_000);
    assert.equal(headers.get('cache-control'), 'no-store');
    const file = await ask(service, String(json.url), { key: null });
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'application/pdf']);
    const report = (await ask(service, '/reports/1')).json;
    assert.equal(sha256(file.bytes), report.content_sha256);
    assert.equal(report.report_filesize, Math.round(file.bytes.byteLength / 100) / 10_000);
    assert.equal(report.report_pages, 1);
  });

  it('ends a link when its time is over', async () => {
    const service = await start();
    const url = await link(service);
    service.control.advance(899_000);
    assert.equal((await ask(service, url, { key: null })).status, 200);
    service.control.advance(1_001);
    assert.equal((await ask(service, url, { key: null })).status, 403);
  });

  it('never lets a link outlive its key', async () => {
    const service = await start();
    const key = service.control.issueKey({ label: 'short', expiresIn: 60_000 });
    const { json } = await ask(service, '/reports/1/download', { key });
    assert.ok(Number(json.expires_in_seconds) <= 60);
    service.control.advance(60_001);
    assert.equal((await ask(service, String(json.url), { key: null })).status, 403);
  });

  it('refuses edited links and links of another report', async () => {
    const service = await start();
    const url = await link(service);
    const edited = [
      url.slice(0, -1),
      `${url}A`,
      url.replace('/1.pdf', '/2.pdf'),
      url.replace(/signature=.*/, ''),
      url.replace('=', '=A'),
    ];
    for (const wrong of edited) assert.equal((await ask(service, wrong, { key: null })).status, 403, wrong);
    const odd = ['/files/', '/files/../files/1.pdf', '/files/1', '/files/..%2f..%2fetc%2fpasswd', '/etc/passwd'];
    for (const path of odd) {
      assert.equal(
        (await ask(service, new URL(path, url).href, { key: null })).status,
        path.includes('../') ? 403 : 404,
      );
    }
  });

  it('records a key that was sent to a link', async () => {
    const service = await start();
    const url = await link(service);
    await ask(service, url, { key: null });
    assert.equal(service.control.log.violations.length, 0);
    await ask(service, url);
    await ask(service, url, { key: null, headers: { 'x-api-key': 'anything' } });
    assert.deepEqual(
      service.control.log.violations.map(({ route }) => route),
      ['GET /files', 'GET /files'],
    );
    assert.ok(!JSON.stringify(service.control.log.entries).includes(new URL(url).searchParams.get('signature') ?? '?'));
  });

  it('counts requests and link requests of each key and month', async () => {
    const service = await start();
    await link(service);
    await link(service);
    await ask(service, '/reports/999/download');
    await ask(service, await link(service), { key: null });
    const { json } = await ask(service, '/meta/usage');
    assert.deepEqual([json.requests, json.downloads], [5, 3]);
    const other = (await ask(service, '/meta/usage', { key: service.keys.core })).json;
    assert.deepEqual([other.requests, other.downloads], [1, 0]);
    service.control.advance(32 * 86_400_000);
    const later = (await ask(service, '/meta/usage')).json;
    assert.deepEqual([later.requests, later.downloads], [1, 0]);
    assert.notEqual(later.month, json.month);
  });

  const ranges: readonly (readonly [range: string, status: number, slice: readonly [number, number?]])[] = [
    ['bytes=0-3', 206, [0, 4]],
    ['bytes=5-', 206, [5]],
    ['bytes=-4', 206, [-4]],
    ['bytes=0-999999', 206, [0]],
    ['bytes=9-2', 200, [0]],
    ['lines=1-2', 200, [0]],
    ['bytes=0-1,4-5', 200, [0]],
  ];
  it('answers ranges', async () => {
    const service = await start();
    const url = await link(service);
    const whole = (await ask(service, url, { key: null })).bytes;
    for (const [range, status, slice] of ranges) {
      const part = await ask(service, url, { key: null, headers: { range } });
      assert.equal(part.status, status, range);
      assert.deepEqual(part.bytes, whole.slice(...slice), range);
      const first = slice[0] < 0 ? whole.length + slice[0] : slice[0];
      const expected = `bytes ${first}-${first + part.bytes.length - 1}/${whole.length}`;
      assert.equal(part.headers.get('content-range'), status === 206 ? expected : null, range);
    }
  });

  it('answers 416 past the end, and the whole file when it has changed since', async () => {
    const service = await start();
    const url = await link(service);
    const whole = await ask(service, url, { key: null });
    const past = await ask(service, url, { key: null, headers: { range: 'bytes=99999-' } });
    assert.deepEqual([past.status, past.headers.get('content-range')], [416, `bytes */${whole.bytes.length}`]);
    const etag = whole.headers.get('etag') ?? '';
    const headers = { range: 'bytes=2-', 'if-range': etag };
    assert.equal((await ask(service, url, { key: null, headers })).status, 206);
    service.control.catalog.replacePdf(1);
    assert.equal((await ask(service, url, { key: null, headers })).status, 200);
  });
});
