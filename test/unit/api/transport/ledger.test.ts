import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RequestLedger, workKinds, workOf } from '../../../../src/api/transport/ledger.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const minute = 60_000;

describe('the ledger of requests', () => {
  it('tells by route and priority what a request is for', () => {
    const works = (
      [
        ['/reports/changes', 'background'],
        ['/reports', 'background'],
        ['/reports/{report_id}', 'interactive'],
        ['/reports/{report_id}/download', 'background'],
        ['/companies/resolve', 'interactive'],
        ['/reports/lookup', 'interactive'],
        ['/meta/usage', 'background'],
      ] as const
    ).map(([route, priority]) => workOf({ route, priority }));
    assert.deepEqual(works, ['sync', 'sync', 'browsing', 'downloads', 'resolving', 'resolving', 'account']);
  });

  it('keeps the last 60 minutes apart and the totals for good', async () => {
    const clock = new FakeClock();
    const ledger = new RequestLedger(clock);
    const note = (status: number | null) =>
      ledger.note({ route: '/reports', priority: 'background', at: clock.now(), status });
    note(200);
    await clock.advance(59 * minute);
    note(429);
    note(null);
    const within = ledger.read();
    assert.deepEqual([within.minutes.sync[0], within.minutes.sync[59]], [1, 2]);
    await clock.advance(minute);
    const later = ledger.read();
    assert.deepEqual([later.minutes.sync[0], later.minutes.sync[58], later.minutes.sync[59]], [0, 2, 0]);
    assert.deepEqual([later.totals.sync, later.refused, later.failed], [3, 1, 1]);
    assert.equal(later.at - later.since, 60 * minute);
  });

  it('counts every request exactly once, whatever is asked and when', () => {
    const request = fc.record({
      route: fc.constantFrom('/reports', '/companies/resolve', '/reports/{report_id}/download', '/health', '/x'),
      priority: fc.constantFrom('interactive' as const, 'background' as const),
      ago: fc.integer({ min: 0, max: 59 }),
      status: fc.constantFrom(200, 429, 503, null),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 300 }), (requests) => {
        const clock = new FakeClock();
        const ledger = new RequestLedger(clock);
        for (const { ago, ...rest } of requests) ledger.note({ ...rest, at: clock.now() - ago * minute });
        const { totals, minutes } = ledger.read();
        const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
        assert.equal(sum(workKinds.map((work) => totals[work])), requests.length);
        for (const work of workKinds) assert.equal(sum(minutes[work]), totals[work]);
      }),
    );
  });
});
