import assert from 'node:assert/strict';
import fc from 'fast-check';
import { retryAfter } from '../../../../src/api/transport/headers.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const date = new Date(now).toUTCString();
const waitOf = (value: string | readonly string[] | undefined, answered: string | undefined, clock: number) =>
  retryAfter({ 'retry-after': value, date: answered }, clock);

describe('retryAfter', () => {
  it('reads seconds, however many', () => {
    assert.equal(waitOf('0', date, now), 0);
    assert.equal(waitOf(' 12 ', date, now), 12_000);
    assert.equal(waitOf('3600', date, now), 3_600_000);
    assert.equal(waitOf('1.5', date, now), 1500);
    assert.equal(waitOf('9'.repeat(30), date, now), 3.2e13);
  });

  it('reads an HTTP date, counted from the server', () => {
    const off = now + 24 * 3_600_000;
    assert.equal(waitOf('Sun, 01 Mar 2026 12:00:30 GMT', date, off), 30_000);
    assert.equal(waitOf('Sun, 01 Mar 2026 12:00:30 GMT', undefined, now), 30_000);
    assert.equal(waitOf('sun, 01 mar 2026 12:00:30 gmt', date, now), 30_000);
    assert.equal(waitOf('Sun, 01 Mar 2026 11:00:00 GMT', date, now), 0);
  });

  it('takes the longest of several waits, in one header or in two', () => {
    assert.equal(waitOf(['1', '3600'], date, now), 3_600_000);
    assert.equal(waitOf(['3600', 'soon', '1'], date, now), 3_600_000);
    assert.equal(waitOf('60, 3600,1', date, now), 3_600_000);
    assert.equal(waitOf(['7', 'Sun, 01 Mar 2026 12:00:30 GMT'], date, now), 30_000);
    assert.equal(waitOf([], date, now), null);
  });

  it('is null for what is neither', () => {
    for (const value of [undefined, '', 'soon', '-1', '1e3', '0x10', '2026-03-01', 'NaN', '12 apples', ',', '1.2.3']) {
      assert.equal(waitOf(value, date, now), null, String(value));
    }
  });

  it('is exact to the second for any date within a year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 366 * 24 * 3600 }), (seconds) => {
        const until = new Date(now + seconds * 1000).toUTCString();
        assert.equal(waitOf(until, date, 0), seconds * 1000);
      }),
    );
  });
});
