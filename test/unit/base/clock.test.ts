import assert from 'node:assert/strict';
import { linkSignals, utcTime } from '../../../src/base/clock.ts';
import { stampOf } from '../../../src/library/arrivals.ts';
import { startAfterRefusal } from '../../../src/library/sync/decisions.ts';
import { laterTime } from '../../../src/library/sync/syncRecord.ts';

describe('linkSignals', () => {
  it('aborts with the reason of the first signal that does', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, two.signal);
    two.abort('why');
    one.abort('too late');
    assert.equal(signal.reason, 'why');
  });

  it('is aborted from the start when a signal is', () => {
    assert.equal(linkSignals(undefined, AbortSignal.abort('before')).signal.reason, 'before');
  });

  it('no longer listens once unlinked', () => {
    const one = new AbortController();
    const { signal, unlink } = linkSignals(one.signal);
    unlink();
    one.abort();
    assert.equal(signal.aborted, false);
  });
});

describe('utcTime', () => {
  const zone = process.env.TZ;
  before(() => {
    process.env.TZ = 'America/New_York';
  });
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('takes a time without a zone for UTC, wherever this machine is', () => {
    const time = Date.UTC(2026, 0, 5, 12, 30);
    assert.notEqual(new Date(time).getTimezoneOffset(), 0);
    const texts = ['2026-01-05T12:30:00Z', '2026-01-05T12:30:00', '2026-01-05 12:30:00', '2026-01-05T12:30'];
    texts.push('2026-01-05T12:30:00.000000', '2026-01-05T12:30:00+00:00', '2026-01-05T14:30:00+02:00');
    for (const text of texts) assert.equal(utcTime(text), time, text);
    assert.equal(utcTime('2026-01-05'), Date.UTC(2026, 0, 5));
    // The order of changes, and where a lost cursor leads back to, depend on it.
    assert.equal(stampOf('2026-01-05T12:30:00', false), time * 2);
    assert.equal(startAfterRefusal({ lastChangedAt: '2026-01-05T12:30:00', since: null }), '2026-01-05T11:30:00Z');
    assert.equal(laterTime('2026-01-05T14:00:00', '2026-01-05T13:00:00Z'), '2026-01-05T14:00:00');
    for (const text of ['', 'yesterday', '12:30']) assert.ok(Number.isNaN(utcTime(text)), text);
  });
});
