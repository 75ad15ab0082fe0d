import assert from 'node:assert/strict';
import { usageView } from '../../../src/protocol/usage.ts';
import { sampleUsage } from '../../support/panels/usage.ts';

describe('the usage view', () => {
  it('shows the month and the rate (LIM-2)', () => {
    const view = usageView(sampleUsage());
    assert.deepEqual([view.requests, view.downloads], ['48,213', '1,904']);
    assert.equal(view.rate, '271 of 300 requests left this minute');
    assert.equal(usageView(sampleUsage({ rate: { limit: null, remaining: null } })).rate, null);
  });

  it('keeps the service’s answer as it came, and shows a dash for a number that could not be found', () => {
    const usage = { requests: null, downloads: null, raw: { x: '\u202Ey' } };
    const odd = usageView(sampleUsage({ usage }));
    assert.equal(odd.requests, null);
    assert.match(odd.raw, /"x": "⟨U\+202E⟩y"/);
  });

  it('tells what assistants downloaded of what they may, in a sentence of its own', () => {
    const assistants = { window: 3, perWindow: 10, day: 1012, perDay: 5000 };
    const words = 'Downloads by assistants: 3 of 10 in this window, 1,012 of 5,000 today';
    assert.equal(usageView(sampleUsage({ assistants })).assistants, words);
    assert.equal(usageView(sampleUsage()).assistants, null);
  });
});
