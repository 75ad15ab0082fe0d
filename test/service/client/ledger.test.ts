import assert from 'node:assert/strict';
import { RequestLedger } from '../../../src/api/transport/ledger.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { fastClock } from '../../support/fastClock.ts';
import { json, serve } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, failure } from './clients.ts';

describe('what a window used', () => {
  cleanUpAfterEach();

  it('counts every try that went out, and outlives the client', async () => {
    const ledger = new RequestLedger(new FakeClock());
    let asked = 0;
    const server = await serve((_, response) => {
      asked++;
      if (asked > 1) return json(response, { requests: 7, downloads: 2 });
      return json(response, { title: 'Busy', status: 503 }, 503);
    });
    await clientFor(server.baseUrl, { ledger, clock: fastClock(1000) }).usage();
    await clientFor(server.baseUrl, { ledger }).usage();
    assert.equal(asked, 3);
    const { totals, failed, refused } = ledger.read();
    assert.deepEqual([totals.account, failed, refused], [3, 1, 0]);
  });

  it('counts a request that nobody answered as failed', async () => {
    const ledger = new RequestLedger(new FakeClock());
    const server = await serve((_, response) => void response.destroy());
    await failure(clientFor(server.baseUrl, { ledger, clock: fastClock(1000) }).entitlements({ tries: 1 }));
    assert.deepEqual([ledger.read().totals.account, ledger.read().failed], [1, 1]);
  });
});
