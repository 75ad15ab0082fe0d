import assert from 'node:assert/strict';
import {
  itemLabel,
  itemText,
  requestsLeft,
  tooltipRows,
  type UsageFacts,
} from '../../../../src/editor/status/usageText.ts';

const now = Date.UTC(2026, 0, 1);
const facts: UsageFacts = {
  usage: { requests: 214, downloads: 3, raw: {} },
  entitlements: {
    client_name: 'Demo',
    full_access: false,
    fcyear_start: 2016,
    fcyear_end: null,
    report_types: null,
    watchlist_size: 24,
    other: {},
  },
  rate: { limit: 600, remaining: 596, readAt: now - 1_000, waiting: null },
  now,
};

describe('usage in the status bar', () => {
  it('shows requests, downloads and what is left of the minute', () => {
    assert.equal(itemText(facts), '$(library) 214 $(cloud-download) 3 $(dashboard) 596');
  });

  it('says the same in words', () => {
    assert.match(itemLabel(facts), /214 requests and 3 downloads this month, 596 requests left this minute/);
  });

  it('takes a reading older than a minute for a full minute', () => {
    assert.equal(requestsLeft({ ...facts, now: now + 59_000 }), 600);
    assert.equal(requestsLeft({ ...facts, now: now + 58_000 }), 596);
  });

  it('counts down while the service has asked to wait', () => {
    const rate = {
      limit: 600,
      remaining: 0,
      readAt: now,
      waiting: { until: now + 11_200, reason: 'the service asked for it' },
    };
    assert.equal(itemText({ ...facts, rate }), '$(library) Waiting 12 s');
    assert.match(itemLabel({ ...facts, rate }), /waiting 12 seconds, the service asked for it/);
  });

  it('shows a dash for what is not known', () => {
    assert.equal(itemText({ usage: null, entitlements: null, rate: null, now }), '$(library) – $(cloud-download) –');
  });

  it('tells the licence window in words', () => {
    const rows = new Map(tooltipRows(facts));
    assert.equal(rows.get('Fiscal years'), 'from 2016, open-ended');
    assert.equal(rows.get('Report types'), 'all');
    assert.equal(rows.get('Companies'), '24');
    assert.equal(rows.get('Left this minute'), '596 of 600 requests');
  });
});
