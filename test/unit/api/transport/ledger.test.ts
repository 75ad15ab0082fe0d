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
        ['/health', 'background'],
        ['/entitlements', 'interactive'],
      ] as const
    ).map(([route, priority]) => workOf({ route, priority }));
    assert.deepEqual(works, [
      'sync',
      'sync',
      'browsing',
      'downloads',
      'resolving',
      'resolving',
      ...Array(3).fill('account'),
    ]);
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

  it('counts as failed what brought no answer of success, and what was refused for its rate apart', () => {
    const clock = new FakeClock();
    const counts = (...statuses: (number | null)[]) => {
      const ledger = new RequestLedger(clock);
      for (const status of statuses)
        ledger.note({ route: '/reports', priority: 'background', at: clock.now(), status });
      const { totals, refused, failed } = ledger.read();
      return [totals.sync, refused, failed];
    };
    assert.deepEqual(counts(200, 204, 299), [3, 0, 0]);
    assert.deepEqual(counts(null, 199, 300, 404, 503), [5, 0, 5]);
    assert.deepEqual(counts(429, 429, 500), [3, 2, 1]);
  });

  it('tells of each of the last 60 minutes by itself, however many came before', async () => {
    const clock = new FakeClock();
    const ledger = new RequestLedger(clock);
    await clock.advance(minute - (clock.now() % minute));
    const note = (at: number) => ledger.note({ route: '/reports', priority: 'background', at, status: 200 });
    for (let passed = 0; passed < 130; passed++) {
      note(clock.now());
      await clock.advance(minute - 1);
      note(clock.now());
      await clock.advance(1);
    }
    note(clock.now());
    const { minutes, totals } = ledger.read();
    assert.deepEqual(minutes.sync, [...Array(59).fill(2), 1]);
    assert.equal(totals.sync, 261);
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
