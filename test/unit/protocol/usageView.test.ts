import assert from 'node:assert/strict';
import { inAll, usageView, usageViewSchema } from '../../../src/protocol/usage.ts';
import { busyHour } from '../../support/panels/usage.ts';

describe('the usage view', () => {
  const view = usageView(busyHour(), 'en', 'UTC');
  const spent = busyHour().ledger.totals;

  it('tells the month, the rate, and 60 minutes that add up to what used them (LIM-2)', () => {
    assert.ok(usageViewSchema.safeParse(view).success);
    assert.ok(view.month.kind === 'read');
    assert.deepEqual([view.month.requests, view.month.downloads], ['48,213', '1,904']);
    assert.equal(view.rate, '271 of 300 requests left this minute');
    assert.equal(view.minutes.length, 60);
    const byMinute = view.minutes.reduce((sum, minute) => sum + inAll(minute), 0);
    const byWork = view.works.reduce((sum, { lastHour }) => sum + lastHour, 0);
    assert.equal(byMinute, byWork);
    assert.equal(view.minutes.at(-1)?.time, '03:42 PM');
  });

  it('adds to the service’s count what this window asked since, so that its own table never says more', () => {
    const facts = busyHour();
    const before = { ...spent, sync: spent.sync - 2, downloads: spent.downloads - 1 };
    const usage = { requests: 42, downloads: 3, raw: {} };
    const later = usageView({ ...facts, month: { kind: 'read', usage, spent: before } }, 'en');
    assert.ok(later.month.kind === 'read');
    assert.deepEqual([later.month.requests, later.month.downloads], ['45', '4']);
  });

  it('keeps the service’s answer as it came, and shows a dash for a number that could not be found', () => {
    const odd = usageView(
      busyHour({ month: { kind: 'read', spent, usage: { requests: null, downloads: null, raw: { x: '\u202Ey' } } } }),
      'en',
    );
    assert.ok(odd.month.kind === 'read');
    assert.equal(odd.month.requests, null);
    assert.match(odd.month.raw, /"x": "⟨U\+202E⟩y"/);
  });

  it('takes a reading older than a minute for a full minute, and says what it waits for', () => {
    const facts = busyHour();
    const old = { ...facts.rate, readAt: facts.ledger.at - 61_000 };
    assert.equal(usageView({ ...facts, rate: old }, 'en').rate, '300 of 300 requests left this minute');
    const waiting = { until: facts.ledger.at + 1500, reason: 'the service asked for it' };
    assert.equal(
      usageView({ ...facts, rate: { ...old, waiting } }, 'en').rate,
      'waiting 2 s: the service asked for it',
    );
  });

  it('tells what assistants downloaded of what they may, in a sentence of its own', () => {
    const assistants = { window: 3, perWindow: 10, day: 1012, perDay: 5000 };
    const told = 'Downloads by assistants: 3 of 10 in this window, 1,012 of 5,000 today';
    assert.equal(usageView({ ...busyHour(), assistants }, 'en').assistants, told);
    assert.equal(usageView({ ...busyHour(), assistants: null }, 'en').assistants, null);
  });
});
