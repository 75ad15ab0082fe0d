import assert from 'node:assert/strict';
import { Secret } from '../../../src/base/secret.ts';
import { memoryState, type SharedState } from '../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../support/fakeClock.ts';
import { json, serve } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, failureKind } from './clients.ts';

const usage = { requests: 1, downloads: 0 };
const hour = 3_600_000;

/** Refuses the first request, and says when each came. */
async function refusingOnce(clock: FakeClock, status: number, retryAfter: string, type = 'application/problem+json') {
  const times: number[] = [];
  const server = await serve((_, response) => {
    times.push(clock.now());
    if (times.length > 1) return json(response, usage);
    response.writeHead(status, { 'content-type': type, 'retry-after': retryAfter });
    response.end('{}');
  });
  return { server, times };
}

describe('Retry-After', () => {
  cleanUpAfterEach();

  it('is kept to the second, whatever its length and form', async () => {
    for (const [header, ms] of [
      [() => '7', 7000],
      [() => '3600', hour],
      [() => new Date(Date.now() + 90_000).toUTCString(), 90_000],
    ] as const) {
      const clock = new FakeClock();
      const { server, times } = await refusingOnce(clock, 429, header());
      const client = clientFor(server.baseUrl, { clock });
      const call = client.usage();
      // The date counts from the answer's own, which has whole seconds.
      const asked = await clock.untilSleeping((sleep) => Math.abs(sleep - ms) <= 1000);
      await clock.advance(asked - 1);
      assert.equal(times.length, 1, 'nothing goes out before the time');
      assert.equal(client.rate.waiting?.until, (times[0] as number) + asked);
      await clock.advance(1);
      await call;
      assert.ok((times[1] as number) - (times[0] as number) >= asked);
      assert.equal(client.rate.waiting, null);
    }
  });

  it('is kept by a machine whose clock is a day off, and is set right meanwhile', async () => {
    for (const off of [-24 * hour, 24 * hour])
      for (const header of ['3600', new Date(Date.now() + hour).toUTCString()]) {
        const clock = new FakeClock(Date.now() + off);
        const { server, times } = await refusingOnce(clock, 429, header);
        let isDone = false;
        const call = clientFor(server.baseUrl, { clock })
          .usage()
          .then(() => {
            isDone = true;
          });
        // The date counts from the answer's own, which has whole seconds.
        const asked = await clock.untilSleeping((sleep) => Math.abs(sleep - hour) <= 5000);
        clock.setBy(-off);
        await clock.advance(asked - 1);
        assert.equal(times.length, 1, 'nothing goes out before the time');
        while (!isDone) await clock.advance(500);
        await call;
        assert.equal(times.length, 2);
      }
  });

  it('keeps away also a request that waited for the very connection which brought the answer', async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const server = await serve((_, response) => {
      times.push(clock.now());
      if (times.length > 1) return json(response, usage);
      // A slow answer: the next request is due by then.
      void clock.advance(2000).then(() => {
        response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '60' });
        response.end('{}');
      });
    });
    const state = { ...memoryState(), isShared: false };
    const slow: SharedState = {
      ...state,
      update: async (name, change) => {
        await settled();
        return state.update(name, change);
      },
    };
    const client = clientFor(server.baseUrl, { clock, budget: slow });
    const calls = [client.usage(), client.usage()];
    while (times.length === 0) await clock.advance(10);
    await clock.untilSleeping((ms) => ms === 60_000);
    await clock.advance(59_000);
    assert.equal(times.length, 1);
    let isDone = false;
    const all = Promise.all(calls).then(() => {
      isDone = true;
    });
    while (!isDone) await clock.advance(500);
    await all;
  });

  it('of the edge keeps other keys away as well', async () => {
    const clock = new FakeClock();
    const { server, times } = await refusingOnce(clock, 429, '60', 'text/html');
    const client = clientFor(server.baseUrl, { clock });
    const calls = [client.usage()];
    await clock.untilSleeping((ms) => ms === 60_000);
    calls.push(client.health().then(() => client.usage()));
    await clock.advance(59_999);
    assert.equal(times.length, 1);
    await clock.advance(2000);
    await Promise.all(calls);
  });

  it('is kept also where the edge blocks a request, which is not tried again', async () => {
    const clock = new FakeClock();
    const { server, times } = await refusingOnce(clock, 403, '60', 'text/html');
    const client = clientFor(server.baseUrl, { clock });
    assert.equal(await failureKind(client.usage()), 'edge-page');
    const next = client.usage();
    await clock.untilSleeping((ms) => ms === 60_000);
    await clock.advance(59_999);
    assert.equal(times.length, 1);
    await clock.advance(2000);
    await next;
  });

  it('of a refusal of one request for good holds up no other', async () => {
    const clock = new FakeClock();
    const { server, times } = await refusingOnce(clock, 403, '3600');
    const client = clientFor(server.baseUrl, { clock });
    assert.equal(await failureKind(client.usage()), 'forbidden');
    await client.usage();
    assert.equal(times.length, 2);
  });

  it('of a file on the service’s own origin holds up files alone', async () => {
    const files: (string | undefined)[] = [];
    const server = await serve(({ url }, response) => {
      if (!url?.startsWith('/files/')) return json(response, usage);
      files.push(url);
      response.writeHead(503, { 'retry-after': String(10 * 365 * 24 * 3600) }).end();
    });
    const client = clientFor(server.baseUrl);
    const open = (name: string) => {
      const url = new Secret(`${server.origin}/files/${name}`);
      return client.openLink({ report_id: 1, url });
    };
    assert.equal(await failureKind(open('1.pdf')), 'temporary');
    assert.equal((await client.usage()).requests, 1);
    assert.match((await client.silence())?.reason ?? '', /can't be fetched now \(503\)\. Try again in/);
    assert.equal(await failureKind(open('2.pdf')), 'rate-limited');
    await client.endLongWaits();
    assert.equal(await client.silence(), null);
    assert.equal(await failureKind(open('3.pdf')), 'temporary');
    assert.deepEqual(files, ['/files/1.pdf', '/files/3.pdf']);
  });

  it('of a link to a file holds up links alone, and the whole key where it asked too often', async () => {
    for (const [status, held] of [
      [503, ['/download']],
      [429, ['/download', '/usage']],
    ] as const) {
      const clock = new FakeClock();
      const { server, times } = await refusingOnce(clock, status, '60');
      const client = clientFor(server.baseUrl, { clock });
      const calls = [client.downloadLink(1).catch(() => {})];
      await clock.untilSleeping((ms) => ms === 60_000);
      calls.push(client.usage().then(() => {}));
      await clock.advance(59_000);
      assert.equal(times.length, 3 - held.length, String(status));
      await clock.advance(5000);
      await Promise.all(calls);
      assert.equal(times.length, 3);
    }
  });

  it('that a person ended elsewhere is no longer shown after any answer, also one without a change', async () => {
    let isBlocked = true;
    const server = await serve((_, response) => {
      const headers = { 'content-type': 'text/html', 'retry-after': String(25 * 3600) };
      if (isBlocked) return response.writeHead(403, headers).end();
      response.writeHead(304, { etag: '"a"' }).end();
    });
    const budget = memoryState();
    const [client, other] = [clientFor(server.baseUrl, { budget }), clientFor(server.baseUrl, { budget })];
    assert.equal(await failureKind(client.usage()), 'edge-page');
    assert.notEqual(client.rate.waiting, null);
    isBlocked = false;
    await other.endLongWaits();
    assert.equal((await client.fieldGuide({ etag: '"a"' })).bytes, null);
    assert.equal(client.rate.waiting, null);
  });

  it('is told in the error of a call that may be tried only once', async () => {
    const clock = new FakeClock();
    const { server } = await refusingOnce(clock, 429, '75');
    await assert.rejects(clientFor(server.baseUrl, { clock }).usage({ tries: 1 }), /1 min 15 s/);
  });
});
