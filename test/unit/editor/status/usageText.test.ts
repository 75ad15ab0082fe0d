import assert from 'node:assert/strict';
import {
  itemLabel,
  itemText,
  requestsLeft,
  type StatusFacts,
  tooltipRows,
} from '../../../../src/editor/status/usageText.ts';
import { idleProgress } from '../../../../src/library/sync/run.ts';

const now = Date.UTC(2026, 0, 1);
const rate = { limit: 600, remaining: 596, readAt: now - 1_000, waiting: null };
const facts: StatusFacts = {
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
  rate,
  now,
};

describe('usage in the status bar', () => {
  it('shows requests, PDFs and what is left of the minute, each with its unit', () => {
    assert.equal(itemText(facts), '$(library) 214 requests · 3 PDFs · 596/min left');
  });

  it('says the same in words', () => {
    assert.match(itemLabel(facts), /214 requests and 3 downloads this month, 596 requests left this minute/);
  });

  it('says one of a thing as one', () => {
    const one = { ...facts, usage: { requests: 1, downloads: 1, raw: {} }, rate: { ...rate, remaining: 1 } };
    assert.equal(itemText(one), '$(library) 1 request · 1 PDF · 1/min left');
    assert.equal(itemLabel(one), 'Report Library: 1 request and 1 download this month, 1 request left this minute');
  });

  it('stays short where much was used', () => {
    const much = { ...facts, usage: { requests: 123_456, downloads: 10_000, raw: {} } };
    assert.equal(itemText(much), '$(library) 123.5K requests · 10K PDFs · 596/min left');
    assert.match(itemLabel(much), /123,456 requests and 10,000 downloads/);
  });

  it('says how far a first load is, and about how long it takes', () => {
    const progress = {
      ...idleProgress,
      activity: 'loading',
      reports: 312,
      yearsDone: 4,
      years: 11,
      secondsLeft: 97,
    } as const;
    const sync = { connectionId: 'demo', running: true, progress, syncedAt: null, problem: null, waitsFor: null };
    assert.equal(itemText({ ...facts, sync }), '$(sync~spin) Loading 4 of 11 years, about 2 min left');
    assert.equal(itemLabel({ ...facts, sync }), 'Report Library: Loading the library: 4 of 11 years, about 2 min left');
    const unknown = { ...progress, years: 0, total: 1, reports: 1, secondsLeft: null };
    assert.equal(itemText({ ...facts, sync: { ...sync, progress: unknown } }), '$(sync~spin) Loading 1 of 1 report');
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
    assert.match(itemLabel({ ...facts, rate }), /Waiting 12 s, the service asked for it/);
  });

  it('shows that the service can’t be reached, since when, and no rate that nobody can use', () => {
    const offline = { ...facts, contact: { isOffline: true, at: now - 5 * 60_000 } };
    assert.equal(itemText(offline), '$(debug-disconnect) Offline');
    assert.equal(itemLabel(offline), 'Report Library: offline. Last contact: 5 minutes ago');
    const rows = new Map(tooltipRows(offline));
    assert.equal(rows.get('Last contact'), '5 minutes ago');
    assert.equal(
      [...rows.values()].some((value) => value.includes('596')),
      false,
    );
    const never = { ...facts, contact: { isOffline: true, at: null } };
    assert.match(itemLabel(never), /none since this window opened/);
  });

  it('shows no number that is not known', () => {
    assert.equal(itemText({ usage: null, entitlements: null, rate: null, now }), '$(library) Report Library');
  });

  it('tells the license window in words', () => {
    const rows = new Map(tooltipRows(facts));
    assert.equal(rows.get('Fiscal years'), 'from 2016, open-ended');
    assert.equal(rows.get('Report types'), 'All');
    const typesOf = (report_types: readonly string[]) => {
      const entitlements = { ...facts.entitlements, report_types: [...report_types] } as StatusFacts['entitlements'];
      return new Map(tooltipRows({ ...facts, entitlements })).get('Report types');
    };
    assert.deepEqual([typesOf(['SR', 'XNEW']), typesOf([])], ['SR, XNEW', 'none']);
    assert.equal(rows.get('Companies'), '24');
    assert.equal(rows.get('Requests left this minute'), '596 of 600');
  });
});
